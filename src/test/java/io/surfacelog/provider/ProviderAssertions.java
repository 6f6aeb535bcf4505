package io.surfacelog.provider;

import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.event.Json;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.Message;
import io.surfacelog.event.RequestHeader;
import io.surfacelog.surface.Surface;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;

/** What holds of every rendering. */
final class ProviderAssertions {

    private ProviderAssertions() {}

    static void rendersForAll(Surface surface) {
        for (Provider provider : Provider.values()) {
            sound(provider, surface.requestHeader(), surface.messages());
        }
    }

    /** The request, which its provider accepts, is written the same each time, and names each tool once. */
    static RenderedRequest sound(Provider provider, Optional<RequestHeader> header, List<Message> messages) {
        RenderedRequest request = provider.render(header, messages);
        assertThat(provider.validate(request.body()))
                .as("%s: %s", provider, request.body())
                .isEmpty();
        RenderedRequest again = provider.render(
                header.map(known ->
                        new RequestHeader((JsonObject) Json.parse(known.json().toText()))),
                messages.stream()
                        .map(message -> Message.of(
                                (JsonObject) Json.parse(message.json().toText())))
                        .toList());
        assertThat(again.body().toText()).isEqualTo(request.body().toText());
        assertThat(again.adjustments()).isEqualTo(request.adjustments());
        assertThat(List.copyOf(again.toolNames().entrySet()))
                .isEqualTo(List.copyOf(request.toolNames().entrySet()));
        assertThat(new HashSet<>(request.toolNames().values()))
                .hasSameSizeAs(request.toolNames().values());
        assertThat(request.adjustments()).allSatisfy(adjustment -> {
            assertThat(adjustment.message()).isBetween(-1, messages.size() - 1);
            assertThat(adjustment.detail()).isNotBlank();
        });
        return request;
    }
}
