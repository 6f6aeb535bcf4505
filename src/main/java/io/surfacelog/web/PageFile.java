package io.surfacelog.web;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** One file of the page, as it is sent. Its bytes are not changed once it is made. */
final class PageFile {

    private static final int TAG = 16;

    private final String mediaType;
    private final byte[] bytes;
    private final String entityTag;

    /** @param bytes become this object's */
    PageFile(String mediaType, byte[] bytes) {
        this.mediaType = mediaType;
        this.bytes = bytes;
        this.entityTag = '"' + HexFormat.of().formatHex(digest(bytes), 0, TAG) + '"';
    }

    String mediaType() {
        return mediaType;
    }

    byte[] bytes() {
        return bytes;
    }

    /** Of the content alone, so that another version of it is another. */
    String entityTag() {
        return entityTag;
    }

    private static byte[] digest(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
