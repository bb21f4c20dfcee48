/** Agents and channels: who answers where, and what each agent looks in. */
import { element, plain } from "../../drawing/element.ts";
import { openForm } from "../../input/dialog.ts";
import { act, actButton, loadStyles } from "../kit/act.js";
import { timeNode } from "../kit/dates.js";
import { countText, numberText } from "../kit/numbers.js";
import { button, chip, emptyState, panel } from "../kit/parts.js";
import { read } from "../kit/request.js";
import { table } from "../kit/table.js";
import { channelNode, modes, platformName, thingNode, workspaceNames } from "../kit/where.js";

const why = { workspace: "set for all", settings: "by a setting", "only-agent": "the only one" };

function agentNode({ agent, from }) {
  if (agent === undefined) return element("span.soft", {}, "people choose");
  const reason = why[from];
  return element(
    "span",
    {},
    thingNode(agent),
    reason === undefined || from === "channel" ? undefined : element("span.soft", {}, ` · ${reason}`),
  );
}

/** Each changed field is a command of its own, one after the other. */
async function changeChannel(line, { agents, knowledgeBases, channels }, onDone) {
  await loadStyles();
  const { place, agent, from, mode, knowledgeBase } = line;
  const isWhole = place.channel === "";
  const own = from === (isWhole ? "workspace" : "channel") ? (agent?.name ?? "") : "";
  const choices = (names, chosen) =>
    [...new Set([...names, ...(chosen === "" ? [] : [chosen])])].map((name) => ({ value: name, label: name }));
  const fields = [
    {
      name: "agent",
      type: "select",
      label: "Agent",
      hint: isWhole ? "Answers where no other agent is set." : "None: the one that answers everywhere else.",
      isRequired: false,
      initial: own,
      choices: choices(
        agents.map(({ name }) => name),
        own,
      ),
    },
    // On the page Parley answers every message.
    ...(isWhole || place.platform === "console"
      ? []
      : [
          {
            name: "mode",
            type: "select",
            label: "Answers to",
            isRequired: true,
            initial: mode,
            choices: Object.entries(modes).map(([value, label]) => ({ value, label })),
          },
        ]),
    ...(isWhole
      ? []
      : [
          {
            name: "base",
            type: "select",
            label: "Knowledge base",
            isRequired: false,
            hint: "What is added there goes into it.",
            initial: knowledgeBase?.name ?? "",
            choices: choices(knowledgeBases, knowledgeBase?.name ?? ""),
          },
        ]),
  ];
  const workspaceText = workspaceNames(channels.map((channel) => channel.place));
  const title = isWhole ? `Everywhere else in ${workspaceText(place)}` : (line.name ?? place.channel);
  openForm(
    { title: isWhole ? title : `# ${title}`, submitLabel: "Save", fields },
    {
      submit: async (values) => {
        const scope = isWhole ? { scope: "workspace" } : {};
        const command = (path, options) => act({ place, kind: "command", path, options });
        if (values.agent !== own) {
          if (values.agent === "") await command("agent clear", scope);
          else await command("agent use", { name: values.agent, ...scope });
        }
        if (values.mode !== undefined && values.mode !== mode) await command("parley mode", { mode: values.mode });
        if (values.base !== undefined && values.base !== (knowledgeBase?.name ?? "")) {
          if (values.base === "") await command("kb clear", {});
          else await command("kb use", { name: values.base });
        }
        onDone();
        return undefined;
      },
    },
  );
}

/** Agents that are set there still answer nowhere else, until that is taken back. */
function removal({ place, from }, onDone) {
  if (from !== "channel" && from !== "workspace") return element("span.soft", {}, "platform off");
  const scope = place.channel === "" ? { scope: "workspace" } : {};
  const command = { place, kind: "command", path: "agent clear", options: scope };
  return actButton("Remove agent", command, { onDone, look: "danger" });
}

/** In seven days: how often Parley spoke where nobody had asked it, and whether that was right. */
function heardNode({ heard }) {
  if (heard === undefined) return "–";
  const { answered, quiet, notForYou, personBelow } = heard;
  const parts = [
    `${numberText(answered + quiet)}: answered ${numberText(answered)}`,
    `kept quiet ${numberText(quiet)}`,
    notForYou === 0 ? undefined : `Not for you ${numberText(notForYou)}`,
    personBelow === 0 ? undefined : `a person answered below ${numberText(personBelow)}`,
  ];
  return element("span.soft", {}, parts.filter((part) => part !== undefined).join(", "));
}

function channelColumns(data, onDone) {
  return [
    {
      title: "Channel",
      narrow: "title",
      cell: (line) => element("strong.cell-name", {}, channelNode(line)),
    },
    { title: "Agent", cell: agentNode },
    { title: "Answers to", cell: ({ mode, place }) => (place.channel === "" ? "–" : modes[mode]) },
    { title: "Said to nobody", before: "said to nobody", cell: heardNode },
    {
      title: "Knowledge base",
      before: "adds to",
      cell: ({ knowledgeBase }) => (knowledgeBase === undefined ? "–" : thingNode(knowledgeBase)),
    },
    {
      title: "",
      cell: (line) =>
        line.isOff
          ? removal(line, onDone)
          : line.isDirect
            ? element("span.soft", {}, "only that person")
            : element(
                "span.row-actions",
                {},
                button("Change", () => changeChannel(line, data, onDone), { label: `Change ${nameOf(line)}` }),
                line.place.channel === ""
                  ? undefined
                  : actButton(
                      line.instructions === undefined ? "Instructions" : "Instructions ✓",
                      {
                        place: line.place,
                        kind: "command",
                        path: "agent instructions",
                        options: {},
                        about: `Instructions of # ${nameOf(line)}`,
                      },
                      { onDone, label: `Instructions of ${nameOf(line)}` },
                    ),
              ),
    },
  ];
}

const nameOf = ({ place, name }) => (place.channel === "" ? platformName(place.platform) : (name ?? place.channel));

function channelPanels(data, onDone) {
  const workspaceText = workspaceNames(data.channels.map(({ place }) => place));
  const byWorkspace = Map.groupBy(data.channels, ({ place }) => workspaceText(place));
  return Array.from(byWorkspace, ([title, lines]) =>
    panel(
      { title, kind: "channels", note: countText(lines.filter(({ place }) => place.channel !== "").length, "channel") },
      table({ columns: channelColumns(data, onDone), rows: withWhole(lines), label: `Channels of ${title}` }),
    ),
  );
}

/** The agent for everywhere else can also be set where none is: there the only one answers, or that of the settings. */
function withWhole(lines) {
  const [{ place }] = lines;
  if (place.platform === "console" || lines.some((line) => line.place.channel === "" || line.isOff)) return lines;
  const { agent, from } = lines.find((line) => line.from === "settings" || line.from === "only-agent") ?? {};
  return [{ place: { ...place, channel: "" }, agent, from, mode: "thread", isDirect: false }, ...lines];
}

function checkNode({ name }, check, workspaceText, onDone) {
  const { platform, workspace, questions, last } = check;
  const place = { platform, workspace, channel: "" };
  const said =
    last === undefined
      ? "never checked"
      : last.isRunning
        ? "checking now"
        : `${last.held} of ${last.asked} answers held${last.failed > 0 ? `, ${last.failed} failed` : ""}`;
  const tone = last === undefined || last.isRunning ? undefined : last.held === last.asked ? "good" : "warn";
  return element(
    "p.check-line",
    {},
    element("span", {}, workspaceText({ platform, workspace })),
    chip(said, tone),
    last === undefined ? undefined : timeNode(last.atMs),
    questions === 0
      ? undefined
      : actButton(
          `Run ${countText(questions, "check")}`,
          { place, kind: "command", path: "agent check", options: { name } },
          { onDone },
        ),
  );
}

function agentPanel(agent, { canChange, channels }, onDone) {
  const { name, model, knowledgeBases, tables, instructions, places, checks } = agent;
  const command = (path) => ({ kind: "command", path, options: { name } });
  const workspaceText = workspaceNames(channels.map(({ place }) => place));
  const looks = [...knowledgeBases.map(thingNode), ...tables.map((table) => element("span.thing", {}, plain(table)))];
  return element(
    "li.agent",
    {},
    element(
      "div.agent-head",
      {},
      element("h3", { dir: "auto" }, plain(name)),
      element(
        "span.soft",
        {},
        [model && plain(model), places === 0 ? "not assigned" : `assigned in ${countText(places, "place")}`]
          .filter(Boolean)
          .join(" · "),
      ),
      element(
        "span.row-actions",
        {},
        canChange ? actButton("Edit", command("agent edit"), { onDone, label: `Edit ${name}` }) : undefined,
        canChange
          ? actButton("Delete", command("agent delete"), { onDone, look: "danger", label: `Delete ${name}` })
          : undefined,
      ),
    ),
    element(
      "p.looks-in",
      {},
      element("span.soft", {}, looks.length === 0 ? "No knowledge base" : "Looks in "),
      ...looks,
    ),
    instructions === undefined
      ? undefined
      : element(
          "details.instructions",
          {},
          element("summary", {}, "Instructions"),
          element("p", { dir: "auto" }, plain(instructions)),
        ),
    ...checks.map((check) => checkNode(agent, check, workspaceText, onDone)),
  );
}

export async function show(view) {
  const onDone = () => view.reload();
  const data = await read("api/admin/agents", {}, view.signal);
  const { agents, channels, canChange, isServiceDown } = data;
  view.setTools(
    ...(canChange
      ? [actButton("New agent", { kind: "command", path: "agent create", options: {} }, { onDone, look: "primary" })]
      : []),
  );
  view.draw(
    ...(isServiceDown
      ? [element("p.notice", { role: "status" }, "The agent service can't be reached, so its agents aren't listed.")]
      : []),
    ...(channels.length === 0
      ? [emptyState({ icon: "agents", title: "Parley is in no channel yet", text: "Invite it to one." })]
      : channelPanels(data, onDone)),
    panel(
      { title: "Agents", note: agents.length === 0 ? "none yet" : String(agents.length) },
      element("ul.agents", { role: "list" }, ...agents.map((agent) => agentPanel(agent, data, onDone))),
    ),
  );
}
