/** Derived messages as the requests of OpenAI, Anthropic and DeepSeek, and what each of them accepts. Pure. */
@NullMarked
package io.surfacelog.provider;

import org.jspecify.annotations.NullMarked;
