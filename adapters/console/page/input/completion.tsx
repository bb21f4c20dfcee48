/**
 * Completes commands: first the command, then names of agents, knowledge bases and so on from the server.
 * The box stays a plain text field; arrow keys select, Tab or Enter accepts, Escape closes.
 */
import { Fragment, render } from "preact";
import type { CommandDescription } from "../../intake/command-list.ts";

import type { Complete } from "./shown-form.ts";

const typingPauseMs = 120;

type Commands = readonly CommandDescription[];
type Option = CommandDescription["options"][number];

/** What can follow what is typed. `before`: what stays of it. */
type Context =
  | { readonly kind: "command"; readonly typed: string }
  | { readonly kind: "value"; readonly option: Option; readonly typed: string; readonly before: string }
  | {
      readonly kind: "option";
      readonly command: CommandDescription;
      readonly first: Option | undefined;
      readonly typed: string;
      readonly before: string;
      readonly used: readonly string[];
    };

type Entry = {
  readonly label: string;
  readonly description?: string | undefined;
  readonly group?: string;
  /** The whole text after accepting. */
  readonly insert: string;
  /** Accepting it lets people choose files. */
  readonly attaches?: boolean;
};

/** What can follow, from the definitions alone: commands, option names, or a kind of name that the server completes. */
function contextOf(text: string, commands: Commands): Context | undefined {
  if (!text.startsWith("/") || text.includes("\n")) return undefined;
  const command = commands
    .filter(({ name }) => text === `${name} ` || text.startsWith(`${name} `))
    .sort((a, b) => b.name.length - a.name.length)[0];
  if (command === undefined) return { kind: "command", typed: text.trimEnd() };
  const rest = text.slice(command.name.length + 1);
  const words = rest.split(/\s+/);
  const typed = words.at(-1) ?? "";
  const before = text.slice(0, text.length - typed.length);
  const named = /^([a-z-]+):(.*)$/.exec(typed);
  const option =
    command.options.find(({ name }) => name === named?.[1]) ??
    command.options.find(({ name }) => words.length > 1 && name === words.at(-2));
  if (option !== undefined) {
    return { kind: "value", option, typed: named?.[2] ?? typed, before: named ? `${before}${named[1]}:` : before };
  }
  const isFirst = words.length === 1;
  return { kind: "option", command, first: isFirst ? command.options[0] : undefined, typed, before, used: words };
}

function choicesOf(
  option: Option | undefined,
  { typed, before }: { readonly typed: string; readonly before: string },
): readonly Entry[] {
  return (option?.choices ?? [])
    .filter((choice) => choice.startsWith(typed))
    .map((choice) => ({ label: choice, description: option?.name, insert: `${before}${choice} ` }));
}

/** Entries that need no request. */
function localEntries(context: Context, commands: Commands): readonly Entry[] {
  switch (context.kind) {
    case "command":
      return commands
        .filter(({ name }) => name.startsWith(context.typed))
        .map(({ name, description, options, group }) => ({
          label: name,
          description,
          group,
          insert: options.length > 0 ? `${name} ` : name,
        }));
    case "value":
      return choicesOf(context.option, context);
    case "option":
      return [
        ...choicesOf(context.first, context),
        ...context.command.options
          .filter((option, index) => (index > 0 || !option.isRequired) && option.name.startsWith(context.typed))
          .filter((option) => !context.used.includes(option.name))
          .map((option) => ({
            label: option.name,
            description: option.description,
            insert: option.isFile ? context.before : `${context.before}${option.name} `,
            attaches: option.isFile === true,
          })),
      ];
  }
}

/** Entries of one group after another, in the order in which the groups first come. */
function inGroups(entries: readonly Entry[]): readonly Entry[] {
  return [...Map.groupBy(entries, ({ group }) => group).values()].flat();
}

function Entries({
  entries,
  active,
  take,
}: {
  readonly entries: readonly Entry[];
  readonly active: number;
  readonly take: (index: number) => void;
}) {
  const hasGroups = entries.some(({ group }) => group !== entries[0]?.group);
  return (
    <>
      {entries.map(({ label, description, group }, index) => {
        const isFirst = hasGroups && group !== undefined && group !== entries[index - 1]?.group;
        return (
          // Two options can have the same label.
          <Fragment key={index}>
            {isFirst ? (
              <div class="entry-group" role="presentation">
                {group}
              </div>
            ) : undefined}
            {/* biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the box, which names the active one. */}
            <div
              class="entry"
              id={`completion-${index}`}
              role="option"
              aria-selected={index === active}
              // Before the box loses focus.
              onMouseDown={(event) => {
                event.preventDefault();
                take(index);
              }}
            >
              <span class="entry-label">{label}</span>
              <span class="entry-description">{description ?? ""}</span>
            </div>
          </Fragment>
        );
      })}
    </>
  );
}

export function createCompletion({
  box,
  list,
  commands,
  complete,
  onAttach,
}: {
  readonly box: HTMLTextAreaElement;
  readonly list: HTMLElement;
  readonly commands: () => Commands;
  readonly complete: Complete;
  readonly onAttach: () => void;
}) {
  let entries: readonly Entry[] = [];
  let active = -1;
  let asked = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function close(): void {
    entries = [];
    active = -1;
    list.hidden = true;
    draw();
    box.removeAttribute("aria-activedescendant");
    box.removeAttribute("aria-controls");
  }

  function draw(): void {
    render(<Entries entries={entries} active={active} take={take} />, list);
  }

  function choose(index: number): void {
    active = index;
    draw();
    list.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest" });
    if (index >= 0) box.setAttribute("aria-activedescendant", `completion-${index}`);
    else box.removeAttribute("aria-activedescendant");
  }

  function take(index: number) {
    const entry = entries[index];
    if (entry === undefined) return;
    box.value = entry.insert;
    close();
    if (entry.attaches === true) return onAttach();
    box.focus();
    box.dispatchEvent(new Event("input", { bubbles: true }));
  }

  function show(found: readonly Entry[]) {
    entries = inGroups(found.filter((entry) => entry.attaches || entry.insert !== box.value));
    if (entries.length === 0) return close();
    list.hidden = false;
    box.setAttribute("aria-controls", list.id);
    choose(0);
    list.scrollTop = 0;
  }

  // Its scroll bar must not take the focus from the box, which would close it.
  list.addEventListener("mousedown", (event) => event.preventDefault());

  function update() {
    clearTimeout(timer);
    asked += 1;
    const turn = asked;
    const context = contextOf(box.value, commands());
    if (context === undefined) return close();
    const local = localEntries(context, commands());
    show(local);
    if (context.kind === "command") return;
    const option = context.kind === "value" ? context.option : context.first;
    const completes = option?.completes;
    if (completes === undefined) return;
    timer = setTimeout(async () => {
      const choices = await complete(completes, context.typed);
      if (turn !== asked) return;
      show([
        ...choices.map(({ value, label }) => ({
          label,
          description: option?.name,
          insert: `${context.before}${/\s/.test(value) ? JSON.stringify(value) : value} `,
        })),
        ...local,
      ]);
    }, typingPauseMs);
  }

  return {
    update,
    close: () => {
      asked += 1;
      clearTimeout(timer);
      close();
    },
    /** Returns whether the list handled the key. */
    onKey: (event: KeyboardEvent): boolean => {
      if (list.hidden || event.isComposing) return false;
      const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : undefined;
      if (step !== undefined) choose((active + step + entries.length) % entries.length);
      else if (event.key === "Escape") close();
      else if (event.key === "Tab" && !event.shiftKey) take(Math.max(0, active));
      // Enter sends a command that is complete, even if more options could follow.
      else if (event.key === "Enter" && !event.shiftKey && !isComplete(box.value.trim())) take(Math.max(0, active));
      else return false;
      return true;
    },
  };

  function isComplete(text: string): boolean {
    return commands().some(({ name }) => text === name || text.startsWith(`${name} `));
  }
}
