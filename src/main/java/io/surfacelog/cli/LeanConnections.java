package io.surfacelog.cli;

import org.apache.catalina.connector.Connector;
import org.apache.coyote.http11.Http11NioProtocol;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;

/**
 * Connections that cost little while nothing is said. Tomcat keeps some 105 KB of buffers for each that is being answered,
 * and a client of the live feed is being answered for as long as it is there; of these 105 KB it needs half. What is written in
 * large pieces does not pass through them.
 */
final class LeanConnections implements WebServerFactoryCustomizer<TomcatServletWebServerFactory> {

    private static final int BUFFER = 2_048;

    /** Of an answer: enough for what this service and Tomcat say of it. */
    private static final int HEADERS = 4_096;

    /** Of a chunked body, of which none is expected. */
    private static final int TRAILERS = 256;

    /** The protocol that Tomcat uses by itself, but for the one size that has no setting. Public since Tomcat makes it, by its name. */
    public static final class Protocol extends Http11NioProtocol {

        @Override
        public int getDesiredBufferSize() {
            return BUFFER;
        }
    }

    @Override
    public void customize(TomcatServletWebServerFactory factory) {
        factory.setProtocol(Protocol.class.getName());
        factory.addConnectorCustomizers(LeanConnections::trim);
    }

    private static void trim(Connector connector) {
        set(connector, "maxTrailerSize", TRAILERS);
        set(connector, "maxHttpResponseHeaderSize", HEADERS);
        set(connector, "socket.appReadBufSize", BUFFER);
        set(connector, "socket.appWriteBufSize", BUFFER);
    }

    private static void set(Connector connector, String name, int bytes) {
        if (!connector.setProperty(name, String.valueOf(bytes))) {
            throw new IllegalStateException("expected a connector with the setting " + name + ", found none in "
                    + connector.getProtocolHandlerClassName());
        }
    }
}
