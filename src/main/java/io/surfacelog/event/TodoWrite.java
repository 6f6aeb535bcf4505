package io.surfacelog.event;

import java.util.List;

/**
 * The whole to-do list of the agent; the last one in the log counts.
 *
 * @param json the data, with an array {@code todos}
 */
public record TodoWrite(JsonObject json) implements LogOnlyPayload {

    /**
     * One entry.
     *
     * @param content what is to be done
     * @param status {@code pending}, {@code in_progress} or {@code completed}
     */
    public record Todo(String content, String status) {

        private static Todo of(JsonObject json) {
            return new Todo(Shape.text(json, "content"), Shape.text(json, "status"));
        }
    }

    public TodoWrite {
        Shape.objects(Shape.array(json, "todos"), "a todo", Todo::of);
    }

    public static TodoWrite of(List<Todo> todos) {
        List<JsonObject> items = todos.stream()
                .map(todo -> JsonObject.builder()
                        .put("content", todo.content())
                        .put("status", todo.status())
                        .build())
                .toList();
        return new TodoWrite(
                JsonObject.builder().put("todos", JsonArray.of(items)).build());
    }

    public List<Todo> todos() {
        return Shape.objects(Shape.array(json, "todos"), "a todo", Todo::of);
    }

    @Override
    public String type() {
        return EventType.TODO_WRITE;
    }
}
