/** What people think of an answer: their votes, with reasons and comments. */
import { element, plain } from "../../drawing/element.js";
import { timeNode } from "../kit/dates.js";
import { numberText } from "../kit/numbers.js";
import { panel } from "../kit/parts.js";

export const voteReasons = {
  wrong: "Wrong",
  incomplete: "Incomplete",
  outdated: "Outdated",
  "not-what-i-asked": "Not what I asked",
};

export function feedbackPanel({ listed, texts }) {
  const { up = 0, down = 0 } = listed;
  if (up + down === 0) return [];
  const note = [up > 0 ? `👍 ${numberText(up)}` : "", down > 0 ? `👎 ${numberText(down)}` : ""]
    .filter(Boolean)
    .join(" · ");
  const votes = texts.votes.map((vote) =>
    element(
      "li.opinion",
      {},
      element("span", { "aria-hidden": "true" }, vote.thumb === "up" ? "👍" : "👎"),
      element(
        "div",
        {},
        element("p.opinion-title", {}, voteReasons[vote.reason] ?? (vote.thumb === "up" ? "Helpful" : "Not helpful")),
        vote.comment ? element("p", { dir: "auto" }, `“${plain(vote.comment)}”`) : undefined,
        element(
          "p.soft",
          {},
          element("bdi", {}, plain(vote.by) || "Someone"),
          vote.atMs === undefined ? undefined : [", ", timeNode(vote.atMs)],
          vote.wantsToKnow ? " · wants to know when it is fixed" : "",
        ),
      ),
    ),
  );
  return [panel({ title: "Feedback", note }, element("ul.opinions", { role: "list" }, ...votes))];
}
