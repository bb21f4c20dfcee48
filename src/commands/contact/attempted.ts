/** Names what someone tried to do, for the audit log. */
import type { AuditEntry } from "../../ports/audit.ts";
import type { CommandInput } from "../../ports/chat-platform.ts";
import type { Attempt } from "../../ports/commands.ts";
import { pickedPath } from "../missing-name-form.ts";
import type { Parsed } from "../parsing/parse-result.ts";

const maxAuditedChars = 300;

/** Uses the action names of successful entries. Of typed input, only names are kept. */
export function attempted(
  attempt: Attempt,
  parse: (input: CommandInput) => Parsed,
  isAction: (name: string) => boolean,
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
      return { action: isAction(`${action} ${first}`) ? `${action} ${first}` : action, about: {} };
    }
    case "command": {
      const parsed = parse(attempt.input);
      const definition = parsed.kind === "command" ? parsed.definition : undefined;
      const options = parsed.kind === "command" ? parsed.options : {};
      const named = (definition?.options ?? []).flatMap(({ name, isRest }) => {
        const value = isRest === true ? undefined : options[name];
        return value === undefined ? [] : [[name, String(value).slice(0, maxAuditedChars)]];
      });
      return { action: definition?.path ?? "", about: Object.fromEntries(named) };
    }
    default:
      return attempt satisfies never;
  }
}
