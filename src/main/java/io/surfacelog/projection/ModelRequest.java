package io.surfacelog.projection;

import io.surfacelog.event.Message;
import io.surfacelog.event.RequestContext;
import io.surfacelog.event.RequestHeader;
import java.util.List;
import java.util.Optional;

/**
 * What a model would be asked at one point of a log: the raw header in force and the messages of the surface.
 *
 * @param header the request header in force, empty before the first
 * @param context the model's limits in force, empty before the first
 * @param messages the messages, in order
 */
public record ModelRequest(Optional<RequestHeader> header, Optional<RequestContext> context, List<Message> messages) {}
