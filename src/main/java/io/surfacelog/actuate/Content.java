package io.surfacelog.actuate;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.SanitizableData;
import org.springframework.boot.actuate.endpoint.SecurityContext;

/** What was said and done in a session, shown or hidden as the settings and whoever asks will have it. */
final class Content {

    private static final int PREVIEW = 120;

    private final boolean shown;

    private Content(boolean shown) {
        this.shown = shown;
    }

    static Content of(InspectProperties properties, SecurityContext asking) {
        return new Content(properties.showContent().isShown(asking, properties.roles()));
    }

    /** The text, or what stands for one that is hidden. */
    String of(String text) {
        return shown ? text : SanitizableData.SANITIZED_VALUE;
    }

    @Nullable
    String ofNullable(@Nullable String text) {
        return text == null ? null : of(text);
    }

    /** The beginning of the text on one line, at most 120 characters. */
    String preview(String text) {
        if (!shown) {
            return SanitizableData.SANITIZED_VALUE;
        }
        boolean cut = text.length() > PREVIEW;
        int end = cut && Character.isHighSurrogate(text.charAt(PREVIEW - 2)) ? PREVIEW - 2 : PREVIEW - 1;
        String begin = cut ? text.substring(0, end) + "…" : text;
        return begin.replaceAll("\\s+", " ");
    }
}
