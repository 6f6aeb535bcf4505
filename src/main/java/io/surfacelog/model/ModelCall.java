package io.surfacelog.model;

import io.surfacelog.event.SessionId;
import io.surfacelog.projection.ModelRequest;

/**
 * One attempt to have a step answered.
 *
 * @param session the session
 * @param turn the turn, from 1
 * @param step the step of the turn, from 1
 * @param attempt the attempt of the step, from 1
 * @param request what is asked; equal to what can be rebuilt from the log before the attempt's first chunk
 */
public record ModelCall(SessionId session, long turn, long step, int attempt, ModelRequest request) {}
