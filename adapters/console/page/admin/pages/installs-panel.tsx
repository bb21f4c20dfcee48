/** Workspaces that installed the app, with what can be done about each. A panel of the page System, if there are any. */
import { signal } from "@preact/signals";
import type { InstallRow } from "../../../../../src/overview/pages/installs.ts";
import { plain } from "../../drawing/element.ts";
import { Dotted } from "../../look/dotted.tsx";
import { Button } from "../../parts/button.tsx";
import { relativeText } from "../../parts/dates.ts";
import { countText } from "../../parts/numbers.ts";
import { Panel } from "../../parts/panel.tsx";
import { Problem } from "../../parts/problem.ts";
import { Row, Rows } from "../../parts/row.tsx";
import { confirmed } from "../kit/confirm.tsx";
import { read, send } from "../kit/request.ts";
import type { View } from "../kit/view.ts";

function stateOf({ isServed, isLost }: InstallRow): string {
  if (isLost) return "Can't be used";
  return isServed ? "Answering" : "Waits for approval";
}

/** `Shown` draws it; `refresh` reads again. */
export function createInstallsPanel(view: View) {
  const installs = signal<readonly InstallRow[]>([]);
  const problem = signal("");

  const refresh = async () => {
    const found = await read<{ readonly installs: readonly InstallRow[] }>("api/admin/installs", {}, view.signal);
    installs.value = found.installs;
  };

  const decide = async (what: "approve" | "remove", { platform, workspace, name }: InstallRow) => {
    problem.value = "";
    try {
      await send("POST", `api/admin/installs/${what}`, { platform, workspace }, view.signal);
      view.announce(what === "approve" ? `Parley now answers in ${plain(name)}.` : `Removed from ${plain(name)}.`);
    } catch (thrown) {
      if (view.signal.aborted) return;
      problem.value = thrown instanceof Problem ? `${thrown.what} ${thrown.hint}` : "That couldn't be done. Try again.";
    }
    await refresh();
  };

  const remove = async (row: InstallRow) => {
    const isMeant = await confirmed({
      title: `Remove Parley from ${plain(row.name)}?`,
      text: row.isLost
        ? "Everything that Parley stores about this workspace is deleted. The app stays installed there."
        : "The app is uninstalled there, and everything that Parley stores about this workspace is deleted.",
      confirm: "Remove",
      isDangerous: true,
    });
    if (isMeant) await decide("remove", row);
  };

  const InstallLine = ({ row }: { readonly row: InstallRow }) => (
    <Row
      title={plain(row.name)}
      line={
        <Dotted
          parts={[
            stateOf(row),
            plain(row.workspace),
            `installed ${relativeText(row.installedAtMs)} by ${plain(row.installedBy)}`,
          ]}
        />
      }
      problem={row.problem === undefined ? undefined : plain(row.problem)}
      actions={
        <>
          {row.isServed || row.isLost ? undefined : (
            <Button press={() => decide("approve", row)} label={`Approve ${plain(row.name)}`}>
              Approve
            </Button>
          )}
          <Button press={() => remove(row)} look="danger" label={`Remove ${plain(row.name)}`}>
            {row.isServed || row.isLost ? "Remove" : "Refuse"}
          </Button>
        </>
      }
    />
  );

  const Shown = () =>
    installs.value.length === 0 && problem.value === "" ? null : (
      <Panel title="Workspaces" note={countText(installs.value.length, "workspace")}>
        <div role="status">{problem.value === "" ? undefined : <p class="problem">{problem.value}</p>}</div>
        <Rows>
          {installs.value.map((row) => (
            <InstallLine key={`${row.platform} ${row.workspace}`} row={row} />
          ))}
        </Rows>
      </Panel>
    );

  return { refresh, Shown };
}
