/** What people think of an answer: their votes, with reasons and comments. */

import { element, plain } from "../../drawing/element.ts";
import { dotted } from "../../look/dotted.ts";
import { timeNode } from "../kit/dates.js";
import { panel, thumbs } from "../kit/parts.js";

export const voteReasons = {
  wrong: "Wrong",
  incomplete: "Incomplete",
  outdated: "Outdated",
  "not-what-i-asked": "Not what I asked",
};

export function feedbackPanel({ listed, texts }) {
  const { up = 0, down = 0 } = listed;
  if (up + down === 0) return [];
  const note = dotted([up > 0 ? thumbs("up", up) : undefined, down > 0 ? thumbs("down", down) : undefined]);
  const votes = texts.votes.map((vote) =>
    element(
      "li.opinion",
      {},
      thumbs(vote.thumb),
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
