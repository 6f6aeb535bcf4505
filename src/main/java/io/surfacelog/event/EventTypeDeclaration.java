package io.surfacelog.event;

/**
 * Declares a log-only event type of an application. Register one as a bean for each type; it is recorded in the store,
 * so that every later reader can load events of the type, while appending them needs the bean.
 *
 * <pre>{@code
 * @Bean
 * EventTypeDeclaration cost() {
 *     return new EventTypeDeclaration("billing/cost");
 * }
 * }</pre>
 *
 * @param type the type, {@code scope/name}; not one of the format's own
 */
public record EventTypeDeclaration(String type) {

    public EventTypeDeclaration {
        if (type.isEmpty() || EventTypes.isStandard(type)) {
            throw new IllegalArgumentException(
                    "expected a type of the application's own, found \"" + type + "\", which the format has");
        }
    }
}
