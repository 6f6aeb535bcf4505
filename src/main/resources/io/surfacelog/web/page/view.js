// What every part of the page is made with: elements as calls, and a few that come up again and again.

import { h, Component, Fragment, render } from "./lib/preact.js";
import { visible } from "./words.js";

export { h, Component, Fragment, render };

/** @param {{ state: string, title: string, children?: any }} props */
export function Notice({ state, title, retry, children }) {
  return h("div", { class: `notice ${state}`, "data-testid": state, role: state === "error" ? "alert" : "status" },
    h("p", { class: "notice-title" }, title),
    children && h("p", null, children),
    retry && h("button", { type: "button", "data-testid": "error-retry", onClick: retry }, "Try again"));
}

/** A small shape for who speaks or what kind of event it is. @param {{ kind: string }} props */
export const Mark = ({ kind }) => h("span", { class: `mark ${kind}`, "aria-hidden": "true" });

/** Copies a text, and says that it did. */
export class CopyButton extends Component {
  state = { said: "" };

  async copy() {
    const text = this.props.text();
    try {
      await navigator.clipboard.writeText(text);
      this.setState({ said: "Copied" });
    } catch {
      // not allowed here: where it is shown it can be selected
      this.setState({ said: "Not allowed; select the text instead" });
    }
    setTimeout(() => this.setState({ said: "" }), 2_000);
  }

  render() {
    return h("button", { type: "button", "data-testid": this.props.testid, onClick: () => this.copy() },
      h("span", { role: "status" }, this.state.said || this.props.children));
  }
}

/** A long text, shown as far as it is readable, and further on demand. */
export class LongText extends Component {
  state = { shown: LongText.FIRST };
  static FIRST = 20_000;

  componentDidUpdate(before) {
    if (before.text !== this.props.text && this.state.shown !== LongText.FIRST) {
      this.setState({ shown: LongText.FIRST });
    }
  }

  render() {
    const { text, testid, label, size } = this.props;
    const cut = text.length > this.state.shown;
    return h(Fragment, null,
      h("pre", { "data-testid": testid, tabindex: 0, "aria-label": label }, visible(cut ? text.slice(0, this.state.shown) + "…" : text)),
      cut && h("button", {
        type: "button",
        class: "more",
        "data-testid": `${testid}-more`,
        onClick: () => this.setState({ shown: this.state.shown * 8 }),
      }, `Cut; ${size(text.length)} in all. Show more`));
  }
}
