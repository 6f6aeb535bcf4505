// What the model was sent: for the attempt an event belongs to, or as it would be at the moment.

import { Component, CopyButton, h, Fragment, LongText, Notice } from "./view.js";
import { Latest, text } from "./api.js";
import { member, pretty } from "./json.js";
import { many, size } from "./words.js";

const SHAPES = ["neutral", "openai", "anthropic", "deepseek"];

/** @param {{ session: import("./session.js").Session }} props */
export class RequestView extends Component {
  state = { key: "", request: null, failure: null };
  #latest = new Latest();

  componentDidMount() {
    this.#ask();
  }

  componentDidUpdate() {
    this.#ask();
  }

  componentWillUnmount() {
    this.#latest.cancel();
  }

  #ask() {
    const { session } = this.props;
    const { requestOf, shape, moment, path } = session;
    const key = requestOf === null ? `${shape} as of ${moment}` : `${shape} of ${requestOf}`;
    if (key === this.state.key) {
      return;
    }
    this.setState({ key, failure: null });
    if (requestOf === null && moment < 0) {
      return;
    }
    this.#latest.ask(
      (signal) => text(requestOf === null
        ? `${path}/messages?shape=${shape}&asOf=${moment}`
        : `${path}/events/${requestOf}/request?shape=${shape}`, signal),
      // an answer that was overtaken is shown all the same, until the newer is there: the slider never shows nothing
      (answer) => this.setState({ request: { key, text: answer, parsed: JSON.parse(answer) } }),
      (failure) => this.state.key === key && this.setState({ failure, request: null }));
  }

  render({ session }, { key, request, failure }) {
    const { requestOf, shape } = session;
    const body = request && (request.parsed.request ? member(request.text, "request") : request.text);
    return h("div", {
      class: "request",
      "data-testid": "request",
      "data-shape": shape,
      "data-as-of": request ? request.parsed.nextSeq - 1 : undefined,
      "data-state": failure ? "error" : request?.key === key ? "ready" : "loading",
    },
    h("p", { class: "facts" }, requestOf === null
      ? `What the model would be sent as of ${session.moment}`
      : `What the model was sent for the step of ${requestOf}`),
    h("p", { class: "actions" },
      h("label", null, "Shape ", h("select", {
        "data-testid": "request-shape",
        value: shape,
        onChange: (e) => session.show({ shape: e.target.value }),
      }, SHAPES.map((name) => h("option", { key: name, value: name, selected: name === shape }, name)))),
      body && h(CopyButton, { testid: "request-copy", text: () => pretty(body) }, "Copy"),
      requestOf !== null && h("button", { type: "button", onClick: () => session.show({ requestOf: null }) }, "As of the slider")),
    failure
      ? h(Notice, { state: "error", title: "There is no such request", retry: () => this.setState({ key: "?" }) }, failure.message)
      : body === null
        ? h(Notice, { state: "loading", title: "Reading …" })
        : h(Fragment, null,
          h(Remarks, { title: "violation", list: request.parsed.violations, testid: "request-violations" }),
          h(Remarks, { title: "adjustment", list: request.parsed.adjustments, testid: "request-adjustments" }),
          h(LongText, { testid: "request-text", label: "Request as JSON", text: pretty(body), size })));
  }
}

/** What had to be changed for a provider, and what it would not accept. */
function Remarks({ title, list, testid }) {
  if (!list || list.length === 0) {
    return null;
  }
  return h("details", { class: `remarks ${title}`, "data-testid": testid },
    h("summary", null, many(list.length, title)),
    h("ul", null, list.map((one, at) => h("li", { key: at }, h("code", null, one.rule), " ",
      one.seq !== undefined && `${one.seq}: `, one.at && `${one.at}: `, one.detail ?? one.message))));
}
