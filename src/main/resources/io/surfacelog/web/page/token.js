// Asks for the token, where the API wants one.

import { Component, h } from "./view.js";
import { json, setToken } from "./api.js";

/** @param {{ onAccepted: () => void }} props */
export class TokenForm extends Component {
  state = { failure: "", asking: false };
  #input = null;

  componentDidMount() {
    this.#input.focus();
  }

  async #submit(e) {
    e.preventDefault();
    setToken(this.#input.value.trim());
    this.setState({ asking: true, failure: "" });
    try {
      await json("/sessions?limit=1");
      this.props.onAccepted();
    } catch (failure) {
      setToken("");
      this.setState({ asking: false, failure: failure.status === 401 ? "This is not the token." : failure.message });
    }
  }

  render(_, { failure, asking }) {
    return h("main", { class: "token" },
      h("form", { "data-testid": "token-form", onSubmit: (e) => this.#submit(e) },
        h("h1", null, "This service asks for a token"),
        h("label", { for: "token" }, "Token"),
        h("input", {
          id: "token",
          type: "password",
          autocomplete: "off",
          spellcheck: false,
          "data-testid": "token-input",
          "aria-describedby": "token-note",
          "aria-invalid": failure ? "true" : undefined,
          ref: (element) => { this.#input = element; },
        }),
        h("button", { type: "submit", class: "primary", "data-testid": "token-submit", disabled: asking }, asking ? "Asking …" : "Go on"),
        h("p", { id: "token-note", class: "quiet" }, "It is what surfacelog.web.token is set to. It is kept in this tab only, and forgotten with it."),
        failure && h("p", { class: "bad", role: "alert", "data-testid": "token-error" }, failure)));
  }
}
