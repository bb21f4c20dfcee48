/** How long each part of a question took: a bar, and the figures. */
import { element, svgElement } from "../../drawing/element.ts";
import { durationText, relativeText } from "../kit/dates.js";
import { facts, panel } from "../kit/parts.js";
import { platformName } from "../kit/where.js";

const barWidth = 1_000;
const spacing = 6;

function shownText({ platform }) {
  return platform === "console" ? "Shown on the page" : `Shown in ${platformName(platform)}`;
}

export function timePanel({ times, listed }) {
  const parts = [
    ["Waited", times.waitedMs, "wait"],
    ["Steps", times.stepsMs, "steps"],
    ["Answer", times.answerMs, "answer"],
    [shownText(listed.askedIn), times.shownMs, "shown"],
  ].filter(([, ms]) => ms !== undefined);
  if (times.totalMs === undefined)
    return panel({ title: "Time" }, element("p.soft", {}, `Asked ${relativeText(listed.askedAtMs)}.`));
  const sum = parts.reduce((all, [, ms]) => all + ms, 0) || 1;
  let from = 0;
  const pieces = parts.map(([, ms, kind], at) => {
    const width = (ms / sum) * barWidth;
    const drawn = Math.max(4, at === parts.length - 1 ? width : width - spacing);
    const piece = svgElement("rect", { class: `is-${kind}`, x: from, width: drawn, height: 10 });
    from += width;
    return piece;
  });
  const look = { class: "time-bar", viewBox: `0 0 ${barWidth} 10`, preserveAspectRatio: "none", "aria-hidden": "true" };
  const bar = svgElement("svg", look, ...pieces);
  return panel(
    { title: "Time" },
    parts.length > 1 ? bar : undefined,
    facts([
      ...parts.map(([name, ms, kind]) => [
        element("span", {}, element(`i.key.is-${kind}`, {}), name),
        durationText(ms),
      ]),
      [element("b", {}, "Total"), element("b", {}, durationText(times.totalMs))],
    ]),
  );
}
