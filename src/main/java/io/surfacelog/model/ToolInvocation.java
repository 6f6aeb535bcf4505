package io.surfacelog.model;

import io.surfacelog.event.JsonObject;
import io.surfacelog.event.SessionId;

/**
 * One run of a tool.
 *
 * @param session the session
 * @param turn the turn
 * @param step the step of the turn
 * @param callId the id of the call, not empty
 * @param arguments its arguments; empty where the model gave none
 */
public record ToolInvocation(SessionId session, long turn, long step, String callId, JsonObject arguments) {}
