/** Sentences about tool calls that people approve or deny. */
import type { Inline } from "../../../ports/document.ts";
import type { ShownDecision } from "../../../ports/model/approval.ts";
import { bold, code, person, say } from "../../drawing/inline.ts";
import { countText, numberText } from "../quantities.ts";

export const approvalLabels = {
  approve: "Approve",
  deny: "Deny",
  whole: "Show everything",
} as const;

/** "send_mail of mail". */
function toolOf(tool: string, server: string | undefined): Inline {
  const name = tool === "" ? say`a tool without a name` : say`${code(tool)}`;
  return server === undefined || server === "" ? name : say`${name} of ${code(server)}`;
}

export const approvalSentences = {
  wants: (agent: string, tool: string, server: string | undefined): Inline =>
    say`${agent === "" ? "The agent" : bold(agent)} wants to use ${toolOf(tool, server)}`,
  ofSeveral: (number: number, count: number): string => `Request ${numberText(number)} of ${numberText(count)}.`,
  byAsker: (name: string, id: string): Inline => say`Only ${person(name, id)} can approve or deny this.`,
  byYou: "You can approve or deny this.",
  byManagers: "Only people who manage Parley can approve or deny this.",
  expires: (minutes: number): string => `Denied automatically after ${countText(minutes, "minute")}.`,
  noInput: "It sends no arguments.",
  cut: (chars: number): string => `${countText(chars, "more character")} not shown here.`,
  wholeTitle: "Everything that would be sent",
  wholeCut: (chars: number): string => `${countText(chars, "more character")} can't be shown: the request is too long.`,
  redacted: "[hidden]",
  decided: ({ isApproved, how, by, tool, server }: ShownDecision): Inline => {
    const named = toolOf(tool, server);
    if (how === "expired") return say`${named} was denied automatically: nobody decided in time`;
    if (how === "nobody") return say`${named} was denied: there was nobody to ask`;
    const who = by === undefined ? "" : say` by ${person(by.name, by.id)}`;
    return say`${named}${isApproved ? " approved" : " denied"}${who}`;
  },
  times: (count: number): string => ` (${numberText(count)} times)`,
  /** A follow-up in the same conversation. */
  line: (position: number): string =>
    position <= 1
      ? "The question before yours waits for someone to approve a tool. Yours starts automatically afterwards."
      : `${countText(position, "question")} ahead of yours; the first waits for someone to approve a tool.`,
  needed: "Your question needs a decision: approve or deny a tool.",
  notAsker: (name: string) => ({
    what: `Only ${name}, who asked the question, can approve or deny this.`,
    hint: "Ask them to decide.",
  }),
  alreadyDecided: (isApproved: boolean, name: string | undefined) => ({
    what: `This was already ${isApproved ? "approved" : "denied"}${name === undefined ? "" : ` by ${name}`}.`,
    hint: "Nothing more is needed.",
  }),
  expired: {
    what: "This was denied automatically, because nobody decided in time.",
    hint: "Ask the question again if the tool is still needed.",
  },
  over: {
    what: "This request is over, so nothing was approved or denied.",
    hint: "Look at the newest message of the answer.",
  },
  tooOften: {
    what: "The agent kept asking for approval, so Parley ended the answer.",
    hint: "Try again, or ask for less in one question.",
  },
  unclear: {
    what: "Parley was interrupted after a tool was approved, and doesn't know whether it ran.",
    hint: "Check whether it did. Try again asks for approval again.",
  },
} as const;
