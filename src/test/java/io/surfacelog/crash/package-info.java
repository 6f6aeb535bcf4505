/** The durable store under attack: processes that are killed, and processes that write at once. */
package io.surfacelog.crash;
