package io.surfacelog.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.event.SessionId;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;

/** A session of which something can no longer be read: the page says what, and shows all else. */
class DamagedPageTest {

    @RegisterExtension
    static final Chromium CHROMIUM = new Chromium();

    @TempDir
    private Path directory;

    private final InspectorPage inspector = new InspectorPage(CHROMIUM.page());
    private final Page page = inspector.page();
    private Inspected service;

    @AfterEach
    void stop() {
        service.close();
    }

    /** Serves the bundled session, of which one byte of this event was flipped while nobody served it. */
    private SessionId damaged(long seq) throws SQLException {
        service = Inspected.in(directory);
        SessionId parcel = Logs.parcel(service);
        service.close();
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + directory.resolve("inspected.db"))) {
            flip(connection, seq);
        }
        service = Inspected.in(directory);
        return parcel;
    }

    private static void flip(Connection connection, long seq) throws SQLException {
        // the only session, whose events lie in the order of their keys
        try (PreparedStatement select = connection.prepareStatement(
                        "SELECT key, data FROM event WHERE key >= (SELECT min(key) FROM event) + ? ORDER BY key LIMIT 1");
                PreparedStatement update = connection.prepareStatement("UPDATE event SET data = ? WHERE key = ?")) {
            select.setLong(1, seq);
            try (ResultSet row = select.executeQuery()) {
                assertThat(row.next()).isTrue();
                boolean text = row.getObject(2) instanceof String;
                byte[] data = text ? row.getString(2).getBytes(StandardCharsets.UTF_8) : row.getBytes(2);
                data[data.length / 2] ^= 1;
                if (text) {
                    update.setString(1, new String(data, StandardCharsets.UTF_8));
                } else {
                    update.setBytes(1, data);
                }
                update.setLong(2, row.getLong(1));
                assertThat(update.executeUpdate()).isOne();
            }
        }
    }

    @Test
    void a_damaged_event_is_named_and_the_rest_is_shown() throws SQLException {
        SessionId parcel = damaged(34);
        inspector.open(service, "/s/" + parcel);
        page.await("it says what", () -> page.shows("damage"));
        page.screenshot("wide");
        assertThat(page.text("damage")).contains("Event 34");
        page.one("damage").findElement(By.tagName("button")).click();
        page.await("its place", () -> page.shows(inspector.row(34)));
        assertThat(InspectorPage.attribute(page.one(inspector.row(34)), "data-type"))
                .isEqualTo("damaged");
        assertThat(inspector.rows()).contains(30L, 33L, 35L);
        page.screenshot("place");
        // what is sound opens as ever
        page.one(inspector.row(30)).click();
        inspector.awaitDetail(30);
        page.one(inspector.row(34)).click();
        By why = By.cssSelector("[data-testid=detail] [data-testid=error]");
        page.await("what is damaged says so", () -> page.shows(why));
        assertThat(page.one(why).getText()).contains("event 34");
        page.screenshot("detail");
        assertThat(page.traffic().faults()).isEmpty();
        assertThat(page.traffic().violations()).isEmpty();
    }
}
