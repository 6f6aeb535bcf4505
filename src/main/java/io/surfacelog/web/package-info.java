/** Sessions over HTTP: REST under a base path of its own, and the live feed as server-sent events. Opt-in. */
@NullMarked
package io.surfacelog.web;

import org.jspecify.annotations.NullMarked;
