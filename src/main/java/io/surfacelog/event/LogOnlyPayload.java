package io.surfacelog.event;

/**
 * Data of an event that stays off the surface. Applications may implement it for the types they declare; {@link
 * #json()} must then always return the same value.
 */
public non-sealed interface LogOnlyPayload extends Payload {}
