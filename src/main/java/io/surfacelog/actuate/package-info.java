/** What an operator sees: health, endpoints of Spring Boot's actuator, meters and observations. */
@NullMarked
package io.surfacelog.actuate;

import org.jspecify.annotations.NullMarked;
