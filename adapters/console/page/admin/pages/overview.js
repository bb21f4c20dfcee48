/** The Overview page: what is wrong and what to do, how questions were answered, and what waits for people. */
import { element } from "../../drawing/element.ts";
import { choice, problemState } from "../kit/parts.js";
import { read } from "../kit/request.js";
import { bestAndWorst, channelsPanel, failuresPanel, questionsPanel } from "../overview/figures.js";
import { adviceNodes, stateStrip } from "../overview/status.js";
import { gapsPanel, jobsPanel } from "../overview/work.js";

/** The server counts questions as they end; nobody needs every one at once. */
const refreshMs = 30_000;
const periods = [
  [7, "7 days"],
  [30, "30 days"],
];

/** A part of the page that is read and drawn alone, so that nothing waits for what is slow, and nothing fails with it. */
function createPart(view, look, { read: readPart, draw }) {
  const box = element(look, {});
  let shown;
  return {
    box,
    show: async () => {
      try {
        const data = await readPart();
        const text = JSON.stringify(data);
        // What hasn't changed stays, with its focus and what was unfolded in it.
        if (view.signal.aborted || text === shown) return;
        shown = text;
        box.replaceChildren(...draw(data).filter((node) => node !== undefined));
      } catch (thrown) {
        if (view.signal.aborted || shown !== undefined) return;
        box.replaceChildren(
          element(
            "section.panel",
            {},
            problemState(thrown, () => view.reload()),
          ),
        );
      }
    },
  };
}

export async function show(view) {
  const days = view.address.query.days === "7" ? 7 : 30;
  const { timeZone: zone } = Intl.DateTimeFormat().resolvedOptions();
  const setDays = (chosen) => {
    view.setQuery({ days: chosen === 30 ? "" : chosen });
    view.reload();
  };
  view.setTools(choice("Period", periods, days, setDays));

  const get = (path, query) => () => read(path, query, view.signal);
  const status = createPart(view, "div.part", {
    read: get("api/admin/overview/status"),
    draw: (state) => [...adviceNodes(state), stateStrip(state)],
  });
  const readOverview = get("api/admin/overview", { days, zone });
  // One read for two parts.
  let overview;
  const figures = createPart(view, "div.part", {
    read: () => overview,
    draw: (found) => [
      element("div.two", {}, questionsPanel(found), failuresPanel(found)),
      element("div.four", {}, ...bestAndWorst(found)),
    ],
  });
  const gaps = createPart(view, "div.part", {
    read: get("api/admin/gaps", { state: "open" }),
    draw: (page) => [gapsPanel(page, () => gaps.show())],
  });
  const jobs = createPart(view, "div.part", {
    read: get("api/admin/knowledge/jobs"),
    draw: (page) => [jobsPanel(page, () => jobs.show())],
  });
  const channels = createPart(view, "div.part", {
    read: () => overview,
    draw: (found) => [channelsPanel(found)],
  });
  const parts = [status, figures, gaps, jobs, channels];
  const showAll = () => {
    overview = readOverview();
    return Promise.all(parts.map((part) => part.show()));
  };
  await showAll();
  if (view.signal.aborted) return;
  view.draw(status.box, figures.box, element("div.half", {}, gaps.box, jobs.box), channels.box);
  view.every(refreshMs, showAll);
}
