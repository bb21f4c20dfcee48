/** Names what someone tried to do, for the audit log. */
import type { AuditEntry } from "../../core/audit.ts";
import type { CommandInput } from "../../core/ports/chat-platform.ts";
import type { Attempt } from "../contract.ts";
import { pickedPath } from "../missing-name-form.ts";
import type { Parsed } from "../parsing/parsed.ts";

const maxAuditedChars = 300;
/** Of longer input only the command is named: nothing long by someone who was refused is parsed. */
const maxParsedChars = 1_000;

/** Uses the action names of successful entries. Of typed input, only names are kept. */
export function attempted(
  attempt: Attempt,
  about: {
    readonly nameOf: (input: CommandInput) => string;
    readonly parse: (input: CommandInput) => Parsed;
    readonly isAction: (name: string) => boolean;
  },
): Pick<AuditEntry, "action" | "about"> {
  switch (attempt.kind) {
    case "save":
      return { action: "kb save", about: {} };
    case "form":
      return { action: pickedPath(attempt.formId) ?? attempt.formId, about: {} };
    case "action": {
      const { action, value } = attempt;
      const [first = "", second = ""] = value.split(" ");
      if (action === "open-form") return { action: `${first} ${second}`, about: {} };
      return { action: about.isAction(`${action} ${first}`) ? `${action} ${first}` : action, about: {} };
    }
    case "command": {
      const { input } = attempt;
      const action = about.nameOf(input);
      const parsed = charsOf(input) > maxParsedChars ? undefined : about.parse(input);
      if (parsed?.kind !== "command") return { action, about: {} };
      const named = parsed.definition.options.flatMap(({ name, isRest }) => {
        const value = isRest === true ? undefined : parsed.options[name];
        return value === undefined ? [] : [[name, String(value).slice(0, maxAuditedChars)]];
      });
      return { action, about: Object.fromEntries(named) };
    }
    default:
      return attempt satisfies never;
  }
}

function charsOf(input: CommandInput): number {
  const texts = input.kind === "typed" ? [input.text] : Object.values(input.options);
  return texts.reduce((sum, text) => sum + text.length, 0);
}
