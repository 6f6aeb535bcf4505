package com.example.consumer;

import io.surfacelog.command.SessionCommands;
import io.surfacelog.event.Message;
import io.surfacelog.event.SessionHeader;
import io.surfacelog.event.SessionId;
import io.surfacelog.event.SurfaceIntent;
import io.surfacelog.event.UserMessage;
import io.surfacelog.projection.SessionQueries;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.util.ClassUtils;

/** An application that has nothing but the starter, and checks that the starter left it as it was. */
@SpringBootApplication
public class Consumer {

    private static final List<String> UNASKED = List.of(
            "jakarta.servlet.Servlet",
            "org.apache.catalina.startup.Tomcat",
            "org.springframework.web.servlet.DispatcherServlet",
            "org.springframework.boot.actuate.endpoint.annotation.Endpoint",
            "org.springframework.boot.health.contributor.HealthIndicator",
            "picocli.CommandLine");

    public static void main(String[] args) throws SQLException {
        try (ConfigurableApplicationContext context = SpringApplication.run(Consumer.class, args)) {
            List<String> own =
                    Optional.ofNullable(context.getEnvironment().getProperty("spring.datasource.url")).stream()
                            .toList();
            List<String> dataSources = dataSources(context);
            require(dataSources.equals(own), "expected data sources " + own + ", found " + dataSources);
            for (String name : UNASKED) {
                require(!ClassUtils.isPresent(name, null), name + " came onto the class path");
            }
            require(remembers(context), "what was appended was not what the model would see");
            System.out.println("consumer ok: data sources " + dataSources);
        }
    }

    private static boolean remembers(ConfigurableApplicationContext context) {
        SessionCommands commands = context.getBean(SessionCommands.class);
        SessionId id = commands.create(SessionHeader.builder().cwd("/srv/app").build());
        commands.append(id, UserMessage.of("Where is my parcel?"), SurfaceIntent.append());
        List<Message> seen = context.getBean(SessionQueries.class).messages(id);
        return seen.size() == 1 && seen.get(0).text().equals("Where is my parcel?");
    }

    private static List<String> dataSources(ConfigurableApplicationContext context) throws SQLException {
        List<String> urls = new ArrayList<>();
        for (DataSource dataSource : context.getBeansOfType(DataSource.class).values()) {
            try (Connection connection = dataSource.getConnection()) {
                urls.add(connection.getMetaData().getURL());
            }
        }
        return urls;
    }

    private static void require(boolean held, String otherwise) {
        if (!held) {
            throw new IllegalStateException("consumer failed: " + otherwise);
        }
    }
}
