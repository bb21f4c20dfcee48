/** The System page: what runs, what is wrong, limits, the latest errors, and the settings in force, without secrets. */

import type { SettingRow, SettingRows } from "../../../../../src/config/in-force.ts";
import type { Problem } from "../../../../../src/overview/installation.ts";
import type { System } from "../../../../../src/overview/pages/system.ts";
import type { Status } from "../../../../../src/overview/status.ts";
import { plain } from "../../drawing/element.ts";
import { Dotted } from "../../look/dotted.tsx";
import { Chip } from "../../parts/chip.tsx";
import { relativeText } from "../../parts/dates.ts";
import { Icon } from "../../parts/icon.tsx";
import { countText } from "../../parts/numbers.ts";
import { Panel } from "../../parts/panel.tsx";
import { Row, Rows } from "../../parts/row.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { href } from "../kit/address.ts";
import { RemedyLink } from "../kit/remedy.tsx";
import { read } from "../kit/request.ts";
import { Time } from "../kit/time.tsx";
import type { View } from "../kit/view.ts";
import { capital, InstancesPanel, LimitsPanel, StatePanel } from "../system/running.tsx";
import { createInstallsPanel } from "./installs-panel.tsx";
import { PersonPanel } from "./person-panel.tsx";

type RecentError = System["errors"][number];

const refreshMs = 30_000;
/** Shown at first. */
const maxErrors = 12;

function ProblemRow({ problem: { name, says } }: { readonly problem: Problem }) {
  return <Row title={capital(plain(says))} line={plain(name)} actions={<RemedyLink name={name} />} />;
}

function ProblemsPanel({ status: { problems, checkedAtMs } }: { readonly status: Status }) {
  const note = checkedAtMs === undefined ? "checking…" : `checked ${relativeText(checkedAtMs)}`;
  return (
    <Panel title="Problems" note={note}>
      {problems.length > 0 ? (
        <Rows>
          {problems.map((problem) => (
            <ProblemRow key={`${problem.name} ${problem.says}`} problem={problem} />
          ))}
        </Rows>
      ) : checkedAtMs === undefined ? undefined : (
        <p class="soft">Nothing is wrong. These are the checks of npm run doctor.</p>
      )}
    </Panel>
  );
}

function ErrorRow({ error }: { readonly error: RecentError }) {
  const { atMs, message, ref, code, cause, platform } = error;
  const where = platform === undefined ? [] : [capital(platform)];
  // The message often ends with the code, and the cause can be the code again.
  const words = [...new Set([code, cause])].filter((word) => word !== undefined);
  const about = words.filter((word) => !message.includes(word)).map(plain);
  return (
    <Row
      title={plain(message)}
      line={<Dotted parts={[<Time key="at" atMs={atMs} />, ...where, ...about]} />}
      actions={ref === undefined ? undefined : <a href={href("questions", { parts: [ref] })}>{ref}</a>}
    />
  );
}

function ErrorsPanel({ errors }: Pick<System, "errors">) {
  const rows = errors.map((error) => <ErrorRow key={`${error.atMs} ${error.ref} ${error.message}`} error={error} />);
  const rest = rows.slice(maxErrors);
  return (
    <Panel
      title="Latest errors"
      note={errors.length > 0 ? countText(errors.length, "error") : undefined}
      link={{ text: "Failed questions", href: href("questions", { query: { outcome: "failed" } }) }}
    >
      {errors.length > 0 ? <Rows>{rows.slice(0, maxErrors)}</Rows> : <p class="soft">None.</p>}
      {rest.length === 0 ? undefined : (
        <details class="more-errors">
          <summary>
            <Icon name="unfold" />
            {`Show ${rest.length} more`}
          </summary>
          <Rows>{rest}</Rows>
        </details>
      )}
    </Panel>
  );
}

type Setting = SettingRow & { readonly group: string };

const columns: readonly Column<Setting>[] = [
  { title: "Setting", narrow: "title", cell: ({ name, about }) => <code title={about}>{name}</code> },
  {
    title: "Value",
    cell: ({ value, defaultWords, isSecret }) => {
      if (isSecret === true && value === "set") return <Chip tone="good">set</Chip>;
      if (value === undefined || isSecret === true) return <span class="soft">{defaultWords ?? "not set"}</span>;
      return <span dir="auto">{plain(value)}</span>;
    },
  },
  {
    title: "Origin",
    narrow: "aside",
    // Of a secret the value says it.
    cell: ({ isDefault, isSecret }) => (isDefault ? <span class="soft">default</span> : isSecret === true ? "" : "set"),
  },
];

function SettingsPanel({ groups }: { readonly groups: readonly SettingRows[] }) {
  const rows = groups.flatMap(({ title, settings }) => settings.map((one): Setting => ({ ...one, group: title })));
  return (
    <Panel title="Settings" note="since the start">
      <Table
        columns={columns}
        rows={rows}
        label="Current settings"
        keyOf={({ name }) => name}
        groupOf={({ group }) => group}
      />
    </Panel>
  );
}

/** Brings those settings, or the person's panel, into view when the address names them. */
function bringIntoView({ address }: View): void {
  const { settings, person } = address.query;
  const heads = [...document.querySelectorAll<HTMLElement>("#body tr.group th")];
  const target =
    person === undefined
      ? heads.find(({ textContent }) => textContent === settings)
      : document.getElementById("person");
  if (target === undefined || target === null) return;
  target.scrollIntoView({ block: "center" });
  if (person === undefined) target.setAttribute("tabindex", "-1");
  target.focus({ preventScroll: true });
}

type Answer = System & { readonly status: Status };

export async function show(view: View): Promise<void> {
  const installs = createInstallsPanel(view);
  const showAll = async () => {
    const [system] = await Promise.all([
      read<Answer>("api/admin/system", {}, view.signal),
      installs.refresh().catch(() => undefined),
    ]);
    const { status, errors, settings, instances, budgets } = system;
    view.draw(
      <>
        <div class="half">
          <StatePanel system={system} status={status} />
          <ProblemsPanel status={status} />
        </div>
        <div class="part">
          <InstancesPanel instances={instances} />
          <LimitsPanel settings={settings} budgets={budgets} />
        </div>
        <installs.Shown />
        <ErrorsPanel errors={errors} />
        <PersonPanel view={view} />
        <SettingsPanel groups={settings} />
      </>,
    );
  };
  await showAll();
  view.begin = () => bringIntoView(view);
  view.every(refreshMs, showAll);
}
