/** Agents and channels: who answers where, and what each agent looks in. */
import type { FormField } from "../../../../../src/core/document.ts";
import type { Place } from "../../../../../src/core/model/place.ts";
import type { AgentLine, AgentsAndChannels, ChannelLine, CheckLine } from "../../../../../src/overview/pages/agents.ts";
import type { TokenMonth } from "../../../../../src/overview/token-months.ts";
import { plain } from "../../drawing/element.ts";
import { openForm } from "../../input/dialog.tsx";
import { Button } from "../../parts/button.tsx";
import { Chip } from "../../parts/chip.tsx";
import { Icon } from "../../parts/icon.tsx";
import { countText, numberText } from "../../parts/numbers.ts";
import { Panel } from "../../parts/panel.tsx";
import { EmptyState } from "../../parts/state.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { ActButton, type ActRequest, act, loadStyles } from "../kit/act.tsx";
import { read } from "../kit/request.ts";
import { Time } from "../kit/time.tsx";
import type { View } from "../kit/view.ts";
import { modes, platformName, Thing, workspaceNames } from "../kit/where.tsx";

const why = { workspace: "set for all", settings: "by a setting", "only-agent": "the only one" };

type OnDone = () => unknown;

/** Of the whole workspace, not of a channel. */
const isWhole = ({ place }: Pick<ChannelLine, "place">) => place.channel === "";
const nameOf = (line: ChannelLine) =>
  isWhole(line) ? platformName(line.place.platform) : (line.name ?? line.place.channel);

/** "# front-desk", with a chip where the channel is gone or its platform is off. */
function ChannelName({ line }: { readonly line: ChannelLine }) {
  const { place, name, isGone, isOff, isDirect } = line;
  const known = name === undefined ? place.channel : `# ${plain(name)}`;
  const state = isOff ? "off" : isGone ? "gone" : undefined;
  return (
    <strong class="cell-name">
      <span class="where" dir="auto">
        {isWhole(line) ? "Everywhere else" : isDirect ? "A direct message" : known}
        {state === undefined ? undefined : <Chip tone="warn">{state}</Chip>}
      </span>
    </strong>
  );
}

function AgentName({ line: { agent, from } }: { readonly line: ChannelLine }) {
  if (agent === undefined) return <span class="soft">asks each time</span>;
  return (
    <span>
      <Thing {...agent} />
      {from === undefined || from === "channel" ? undefined : <span class="soft">{` · ${why[from]}`}</span>}
    </span>
  );
}

type Choices = readonly { readonly value: string; readonly label: string }[];

function choicesOf(names: readonly string[], chosen: string): Choices {
  return [...new Set([...names, ...(chosen === "" ? [] : [chosen])])].map((name) => ({ value: name, label: name }));
}

function fieldsOf(line: ChannelLine, own: string, { agents, knowledgeBases }: AgentsAndChannels): readonly FormField[] {
  const names = agents.map(({ name }) => name);
  const base = line.knowledgeBase?.name ?? "";
  const agentField: FormField = {
    name: "agent",
    type: "select",
    label: "Agent",
    hint: isWhole(line) ? "Answers where no other agent is set." : "Leave empty for the default agent.",
    isRequired: false,
    initial: own,
    choices: choicesOf(names, own),
  };
  const modeField: FormField = {
    name: "mode",
    type: "select",
    label: "Answers to",
    isRequired: true,
    initial: line.mode,
    choices: Object.entries(modes).map(([value, label]) => ({ value, label })),
  };
  const baseField: FormField = {
    name: "base",
    type: "select",
    label: "Knowledge base",
    isRequired: false,
    hint: "What people add in the channel goes there.",
    initial: base,
    choices: choicesOf(knowledgeBases, base),
  };
  if (isWhole(line)) return [agentField];
  // On the page Parley answers every message.
  return line.place.platform === "console" ? [agentField, baseField] : [agentField, modeField, baseField];
}

/** Each changed field is a command of its own, one after the other. */
async function changeChannel(line: ChannelLine, data: AgentsAndChannels, onDone: OnDone): Promise<void> {
  await loadStyles();
  const { place, agent, from, mode, knowledgeBase } = line;
  const own = from === (isWhole(line) ? "workspace" : "channel") ? (agent?.name ?? "") : "";
  const workspaceText = workspaceNames(data.channels.map((channel) => channel.place));
  const title = isWhole(line) ? `Everywhere else in ${workspaceText(place)}` : `# ${line.name ?? place.channel}`;
  const scope: Readonly<Record<string, string>> = isWhole(line) ? { scope: "workspace" } : {};
  const command = (path: string, options: Readonly<Record<string, string>>) =>
    act({ place, kind: "command", path, options });
  openForm(
    { title, submitLabel: "Save", fields: fieldsOf(line, own, data) },
    {
      submit: async (values) => {
        const [name, newMode, base] = [values["agent"], values["mode"], values["base"]].map((value) =>
          value === undefined ? undefined : String(value),
        );
        if (name !== own) {
          if (name === undefined || name === "") await command("agent clear", scope);
          else await command("agent use", { name, ...scope });
        }
        if (newMode !== undefined && newMode !== mode) await command("parley mode", { mode: newMode });
        if (base !== undefined && base !== (knowledgeBase?.name ?? "")) {
          if (base === "") await command("kb clear", {});
          else await command("kb use", { name: base });
        }
        onDone();
        return undefined;
      },
    },
  );
}

/** Agents that are set there still answer nowhere else, until that is taken back. */
function Removal({ line, onDone }: { readonly line: ChannelLine; readonly onDone: OnDone }) {
  const { place, from } = line;
  if (from !== "channel" && from !== "workspace") return <span class="soft">platform off</span>;
  const options: Readonly<Record<string, string>> = isWhole(line) ? { scope: "workspace" } : {};
  return (
    <span class="row-actions">
      <ActButton request={{ place, kind: "command", path: "agent clear", options }} onDone={onDone} look="danger">
        Remove agent
      </ActButton>
    </span>
  );
}

/** In seven days: how often Parley spoke where nobody had asked it, and whether that was right. */
function heardText({ answered, quiet, notForYou, personBelow }: NonNullable<ChannelLine["heard"]>): string {
  const parts = [
    `${numberText(answered + quiet)}: answered ${numberText(answered)}`,
    `kept quiet ${numberText(quiet)}`,
    notForYou === 0 ? undefined : `Not for you ${numberText(notForYou)}`,
    personBelow === 0 ? undefined : `a person answered below ${numberText(personBelow)}`,
  ];
  return parts.filter((part) => part !== undefined).join(", ");
}

function ChannelActions({
  line,
  data,
  onDone,
}: {
  readonly line: ChannelLine;
  readonly data: AgentsAndChannels;
  readonly onDone: OnDone;
}) {
  const { place, isOff, isDirect, instructions } = line;
  if (isOff) return <Removal line={line} onDone={onDone} />;
  if (isDirect) return <span class="soft">only that person</span>;
  const name = nameOf(line);
  return (
    <span class="row-actions">
      <Button press={() => changeChannel(line, data, onDone)} label={`Change ${name}`}>
        Change
      </Button>
      {isWhole(line) ? undefined : (
        <ActButton
          request={{ place, kind: "command", path: "agent instructions", options: {} }}
          about={`Instructions of # ${name}`}
          onDone={onDone}
          label={`Instructions of ${name}`}
        >
          {instructions === undefined ? "Instructions" : "Instructions ✓"}
        </ActButton>
      )}
    </span>
  );
}

function columnsOf(data: AgentsAndChannels, onDone: OnDone): readonly Column<ChannelLine>[] {
  return [
    { title: "Channel", narrow: "title", cell: (line) => <ChannelName line={line} /> },
    { title: "Agent", cell: (line) => <AgentName line={line} /> },
    { title: "Answers to", cell: (line) => (isWhole(line) ? "–" : modes[line.mode]) },
    {
      title: "Said to nobody",
      before: "said to nobody",
      cell: ({ heard }) => (heard === undefined ? "–" : <span class="soft">{heardText(heard)}</span>),
    },
    {
      title: "Knowledge base",
      before: "adds to",
      cell: ({ knowledgeBase }) => (knowledgeBase === undefined ? "–" : <Thing {...knowledgeBase} />),
    },
    { title: "", cell: (line) => <ChannelActions line={line} data={data} onDone={onDone} /> },
  ];
}

/** The agent for everywhere else can also be set where none is: there the only one answers, or that of the settings. */
function withWhole(lines: readonly ChannelLine[]): readonly ChannelLine[] {
  const place = lines[0]?.place;
  if (place === undefined || place.platform === "console" || lines.some((line) => isWhole(line) || line.isOff)) {
    return lines;
  }
  const { agent, from } = lines.find((line) => line.from === "settings" || line.from === "only-agent") ?? {};
  const whole: ChannelLine = {
    place: { ...place, channel: "" },
    mode: "thread",
    isDirect: false,
    ...(agent === undefined ? {} : { agent }),
    ...(from === undefined ? {} : { from }),
  };
  return [whole, ...lines];
}

function ChannelPanels({ data, onDone }: { readonly data: AgentsAndChannels; readonly onDone: OnDone }) {
  const workspaceText = workspaceNames(data.channels.map(({ place }) => place));
  const byWorkspace = [...Map.groupBy(data.channels, ({ place }) => workspaceText(place))];
  const columns = columnsOf(data, onDone);
  const keyOf = ({ place }: ChannelLine) => [place.workspace, place.channel].join("/");
  return (
    <>
      {byWorkspace.map(([title, lines]) => (
        <Panel
          key={title}
          title={title}
          kind="channels"
          note={countText(lines.filter((line) => !isWhole(line)).length, "channel")}
        >
          <Table columns={columns} rows={withWhole(lines)} label={`Channels of ${title}`} keyOf={keyOf} />
        </Panel>
      ))}
    </>
  );
}

function Check({
  check: { platform, workspace, questions, last },
  name,
  workspaceText,
  onDone,
}: {
  readonly check: CheckLine;
  readonly name: string;
  readonly workspaceText: ReturnType<typeof workspaceNames>;
  readonly onDone: OnDone;
}) {
  const place: Place = { platform, workspace, channel: "" };
  const isOver = last !== undefined && !last.isRunning;
  const said =
    last === undefined
      ? "never checked"
      : last.isRunning
        ? "checking now"
        : `${last.held} of ${last.asked} answers held${last.failed > 0 ? `, ${last.failed} failed` : ""}`;
  return (
    <p class="check-line">
      <span>{workspaceText({ platform, workspace })}</span>
      <Chip tone={isOver ? (last.held === last.asked ? "good" : "warn") : undefined}>{said}</Chip>
      {last === undefined ? undefined : <Time atMs={last.atMs} />}
      {questions === 0 ? undefined : (
        <ActButton
          request={{ place, kind: "command", path: "agent check", options: { name } }}
          onDone={onDone}
        >{`Run ${countText(questions, "check")}`}</ActButton>
      )}
    </p>
  );
}

function Agent({
  agent,
  data: { canChange, channels },
  onDone,
}: {
  readonly agent: AgentLine;
  readonly data: AgentsAndChannels;
  readonly onDone: OnDone;
}) {
  const { name, command: given, model, knowledgeBases, tables, instructions, places, checks } = agent;
  const command = (path: string): ActRequest => ({
    place: given.place,
    kind: "command",
    path,
    options: { name: given.name },
  });
  const workspaceText = workspaceNames(channels.map(({ place }) => place));
  const assigned = places === 0 ? "not assigned" : `assigned in ${countText(places, "place")}`;
  const looksInNothing = knowledgeBases.length + tables.length === 0;
  return (
    <li class="agent">
      <div class="agent-head">
        <h3 dir="auto">{plain(name)}</h3>
        <span class="soft">{model ? `${plain(model)} · ${assigned}` : assigned}</span>
        <span class="row-actions">
          {canChange ? (
            <>
              <ActButton request={command("agent edit")} onDone={onDone} label={`Edit ${name}`}>
                Edit
              </ActButton>
              <ActButton request={command("agent delete")} onDone={onDone} look="danger" label={`Delete ${name}`}>
                Delete
              </ActButton>
            </>
          ) : undefined}
        </span>
      </div>
      <p class="looks-in">
        <span class="soft">{looksInNothing ? "No knowledge base" : "Looks in "}</span>
        {knowledgeBases.map((base) => (
          <Thing key={base.name} {...base} />
        ))}
        {tables.map((table) => (
          <span key={table} class="thing">
            {plain(table)}
          </span>
        ))}
      </p>
      {instructions === undefined ? undefined : (
        <details class="instructions">
          <summary>
            <Icon name="unfold" />
            Instructions
          </summary>
          <p dir="auto">{plain(instructions)}</p>
        </details>
      )}
      {checks.map((check) => (
        <Check
          key={`${check.platform}/${check.workspace}`}
          check={check}
          name={given.name}
          workspaceText={workspaceText}
          onDone={onDone}
        />
      ))}
    </li>
  );
}

const monthText = (month: string) =>
  new Intl.DateTimeFormat("en", { month: "long", year: "numeric", timeZone: "UTC" }).format(Date.parse(`${month}-01`));

function TokenPanel({ tokens, dailyTokens }: Pick<AgentsAndChannels, "tokens" | "dailyTokens">) {
  if (tokens.length === 0 && dailyTokens === undefined) return undefined;
  const hasCost = tokens.some(({ cost }) => cost !== undefined);
  const columns: readonly Column<TokenMonth>[] = [
    { title: "Agent", narrow: "title", cell: ({ agent }) => <Thing name={agent} /> },
    { title: "Tokens in", isNumber: true, after: "in", cell: ({ input }) => numberText(input) },
    { title: "Tokens out", isNumber: true, after: "out", cell: ({ output }) => numberText(output) },
    ...(hasCost ? [costColumn] : []),
  ];
  return (
    <Panel
      title="Tokens"
      kind="tokens"
      note={dailyTokens === undefined ? undefined : `at most ${numberText(dailyTokens)} a day for each agent`}
    >
      <Table
        columns={columns}
        rows={tokens}
        label="Tokens by month and agent"
        keyOf={({ month, agent }) => `${month} ${agent}`}
        groupOf={({ month }) => monthText(month)}
      />
    </Panel>
  );
}

const costColumn: Column<TokenMonth> = {
  title: "Cost",
  isNumber: true,
  narrow: "aside",
  cell: ({ cost }) => cost ?? "–",
};

export async function show(view: View): Promise<void> {
  const onDone = view.reload;
  const data = await read<AgentsAndChannels>("api/admin/agents", {}, view.signal);
  const { agents, channels, tokens, dailyTokens, canChange, isServiceDown } = data;
  const create: ActRequest = { kind: "command", path: "agent create", options: {} };
  view.setTools(
    canChange ? (
      <ActButton request={create} onDone={onDone} look="primary">
        New agent
      </ActButton>
    ) : undefined,
  );
  view.draw(
    <>
      {isServiceDown ? (
        <p class="notice" role="status">
          The agent service can't be reached, so its agents aren't listed.
        </p>
      ) : undefined}
      {channels.length === 0 ? (
        <EmptyState icon="agents" title="Parley is in no channel yet" text="Invite it to one." />
      ) : (
        <ChannelPanels data={data} onDone={onDone} />
      )}
      <Panel title="Agents" note={agents.length === 0 ? "none yet" : String(agents.length)}>
        <ul class="agents" role="list">
          {agents.map((agent) => (
            <Agent key={agent.name} agent={agent} data={data} onDone={onDone} />
          ))}
        </ul>
      </Panel>
      <TokenPanel tokens={tokens} dailyTokens={dailyTokens} />
    </>,
  );
}
