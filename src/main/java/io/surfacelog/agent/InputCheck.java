package io.surfacelog.agent;

import io.surfacelog.event.Message;
import java.util.Optional;

/**
 * Says whether input may reach the model. Register one as a bean. Input that is blocked is not appended: its turn begins and
 * ends {@code blocked}.
 *
 * <pre>{@code
 * @Bean
 * InputCheck noCardNumbers() {
 *     return (agent, message) -> CARD.matcher(message.text()).find()
 *             ? Optional.of("card numbers are not taken here")
 *             : Optional.empty();
 * }
 * }</pre>
 */
@FunctionalInterface
public interface InputCheck {

    /** Why the message is blocked; empty if it is not. What it throws blocks the message, too. */
    Optional<String> reasonToBlock(Agent agent, Message message);
}
