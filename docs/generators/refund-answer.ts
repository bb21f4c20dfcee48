/** What README's pictures ask a made-up company's agent, and what it answers. */
import type { ScriptedAnswer } from "../../test/doubles/service/scripted-answers.ts";

export const refundAnswer: ScriptedAnswer = {
  question: "How long does a refund take, and who pays for the return?",
  answer: [
    "A refund takes **five working days** from the day the parcel arrives [1]. Who pays depends on where it comes from [2]:",
    "",
    "| From | Return label | Refund |",
    "|---|---|---|",
    "| Germany, Austria | free | 5 working days |",
    "| other EU countries | free | 5 to 7 working days |",
    "| outside the EU | paid by the customer | up to 21 days |",
  ].join("\n"),
  passages: [
    {
      title: "Refunds and returns",
      url: "https://help.larkmere.example/refunds",
      content: "Refunds take five working days from the day the parcel arrives. Gift cards are credited at once.",
    },
    {
      title: "Return labels",
      url: "https://help.larkmere.example/return-labels",
      content: "Within the EU the label is free. Outside the EU the customer pays it.",
    },
  ],
};
