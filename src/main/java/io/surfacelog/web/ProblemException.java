package io.surfacelog.web;

import java.io.Serial;

/** A request is answered with a problem. Never leaves this package. */
final class ProblemException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1L;

    private final transient Problem problem;

    ProblemException(Problem problem) {
        super(problem.detail(), null, false, false);
        this.problem = problem;
    }

    Problem problem() {
        return problem;
    }

    static ProblemException badRequest(String detail) {
        return Problem.of(ProblemType.BAD_REQUEST, detail).exception();
    }
}
