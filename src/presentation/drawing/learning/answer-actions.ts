/** The buttons below an answer that a person added. */
import type { Action } from "../../../core/document.ts";
import { answerLabels } from "../../sentences/insight.ts";

/** Edit and Remove. */
export function answerActions(answerId: string): readonly Action[] {
  return [
    { id: "edit-answer", label: answerLabels.edit, value: answerId, style: "plain" },
    { id: "remove-answer", label: answerLabels.remove, value: answerId, style: "plain" },
  ];
}
