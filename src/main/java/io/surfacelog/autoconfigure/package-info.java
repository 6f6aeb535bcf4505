/** The wiring of Surfacelog's beans into a Spring Boot application. */
@NullMarked
package io.surfacelog.autoconfigure;

import org.jspecify.annotations.NullMarked;
