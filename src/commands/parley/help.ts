/** `/parley help`: a line a group, or one group or command with options and examples, from the command definitions. */
import type { CommandContext, CommandDefinition, OptionDefinition } from "../../core/commands.ts";
import type { Block, Document, Inline } from "../../core/document.ts";
import type { Role } from "../../core/model/place.ts";
import { bold, code, dotted, say, titledDocument } from "../../presentation/drawing.ts";
import { orList, shorten } from "../../presentation/sentences.ts";
import { type Command, textOption } from "../command.ts";
import { lackingDocument } from "../contact/offered.ts";
import { maxTypedChars } from "../parsing/parsed.ts";
import { commandLine, problemDocument } from "../parsing/problem-document.ts";
import { groupOf, type Registry } from "../registry.ts";
import { openly } from "../results.ts";
import { groupSummaries } from "../words.ts";

const helpSentences = {
  title: "What you can do here",
  ask: "Mention Parley with a question, send it a direct message, or use a command:",
  askDirectly: "Write a question, or use a command:",
  group: (summary: string, names: readonly string[]): string =>
    names.length === 0 ? summary : `${summary}: ${names.join(", ")}`,
  more: (help: string): Inline => say`For details: ${code(`${help} kb`)} or ${code(`${help} agent use`)}`,
  optional: "optional",
  oneOf: (choices: readonly string[]): string => orList(choices),
  needs: { ask: "", ingest: "needs permission to add", manage: "managers only" } satisfies Record<Role, string>,
} as const;

export const parleyHelp: Command = {
  path: "parley help",
  summary: "Show what you can do here",
  options: [
    {
      name: "about",
      summary: "A command to explain",
      type: "text",
      isRequired: false,
      isRest: true,
      completes: "command",
    },
  ],
  role: "ask",
  examples: ["parley help", "parley help kb"],
  run: async ({ reach, registry }, options, { roles, place }) => {
    const isDirect = reach.isDirect(place);
    return openly(helpDocument(registry, textOption(options, "about"), { roles, isDirect }));
  },
};

/** `isDirect`: only Parley and one person read there, so nothing has to be mentioned. */
function helpDocument(
  registry: Registry,
  about: string | undefined,
  { roles, isDirect }: Pick<CommandContext, "roles"> & { readonly isDirect: boolean },
): Document {
  const topic = (about ?? "").trim().toLowerCase().replace(/^\//, "").replace(/\s+/g, " ");
  const bare =
    registry.find(topic) === undefined && topic.startsWith(registry.prefix)
      ? topic.slice(registry.prefix.length)
      : topic;
  if (bare === "") return overview(registry, roles, isDirect ? helpSentences.askDirectly : helpSentences.ask);
  const definition = registry.find(bare);
  if (definition !== undefined) {
    const shown = registry.shown().find(({ path }) => path === definition.path);
    return shown === undefined ? lackingDocument(definition) : details(registry, [shown]);
  }
  const group = registry.shownOfGroup(bare);
  if (group.length > 0) return details(registry, group);
  const nearest = registry.nearestTo(bare.split(" "));
  const typed = shorten(registry.typed(bare), maxTypedChars);
  return problemDocument({ kind: "unknown-command", typed, nearest }, registry);
}

/** A line a group, with only what the caller is allowed to do. */
function overview(registry: Registry, roles: CommandContext["roles"], ask: string): Document {
  const allowed = registry.shown().filter(({ role }) => roles[role].allowed);
  const lines = [...Map.groupBy(allowed, ({ path }) => groupOf(path))].map(([group, commands]) => {
    const names = commands.map(({ path }) => path.slice(group.length + 1)).filter((name) => name !== "");
    const summary = groupSummaries[group] ?? commands[0]?.summary ?? "";
    return { text: commandLine(registry, group, helpSentences.group(summary, names)) };
  });
  return titledDocument(
    helpSentences.title,
    [
      { kind: "text", text: say`${ask}` },
      { kind: "list", items: lines },
    ],
    { quiet: [helpSentences.more(registry.typed("parley help"))] },
  );
}

function details(registry: Registry, definitions: readonly CommandDefinition[]): Document {
  const blocks = definitions.flatMap((definition): Block[] => {
    const { summary, options, examples, role } = definition;
    const needs = role === "ask" ? "" : helpSentences.needs[role];
    const lines = options.filter(({ type }) => type !== "file").map((option) => ({ text: optionLine(option) }));
    return [
      { kind: "text", text: dotted(say`${bold(registry.typed(usageOf(definition)))}  ${summary}`, needs) },
      ...(lines.length === 0 ? [] : [{ kind: "list" as const, items: lines }]),
      {
        kind: "quiet",
        text: say`${examples.flatMap((example, index) => [index === 0 ? "" : "   ", code(registry.typed(example))])}`,
      },
    ];
  });
  const path = definitions[0]?.path ?? "";
  return titledDocument(registry.typed(definitions.length === 1 ? path : groupOf(path)), blocks);
}

function optionLine({ name, summary, isRequired, choices, needs }: OptionDefinition): Inline {
  return dotted(
    say`${code(name)} ${summary}`,
    choices === undefined ? undefined : helpSentences.oneOf(choices),
    isRequired ? undefined : helpSentences.optional,
    needs === undefined ? undefined : helpSentences.needs[needs],
  );
}

/** "agent use name [scope]" */
function usageOf({ path, options }: CommandDefinition): string {
  const words = options.map(({ name, isRequired, isList }) => {
    const word = isList ? `${name}…` : name;
    return isRequired ? word : `[${word}]`;
  });
  return [path, ...words].join(" ");
}
