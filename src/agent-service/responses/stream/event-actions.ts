/** What each type of event means to the translator. Types that aren't here are states of a tool, or unknown. */

export type EventAction =
  | "identify"
  | "think"
  | "addItem"
  | "finishItem"
  | "finishPart"
  | "addText"
  | "finishText"
  | "finishRefusal"
  | "cite"
  | "addThought"
  | "finishThought"
  | "addInput"
  | "finishInput"
  | "artifact"
  | "skill"
  | "complete"
  | "cut"
  | "failed"
  | "cancelled"
  | "fail"
  | "ignore";

export const eventActions: ReadonlyMap<string, EventAction> = new Map<string, EventAction>([
  ["response.created", "identify"],
  ["response.queued", "identify"],
  // cowork-server's thoughts and steps have this type too.
  ["response.in_progress", "think"],
  ["response.output_item.added", "addItem"],
  ["response.output_item.done", "finishItem"],
  ["response.content_part.added", "ignore"],
  ["response.content_part.done", "finishPart"],
  ["response.output_text.delta", "addText"],
  ["response.output_text.done", "finishText"],
  ["response.output_text.annotation.added", "cite"],
  ["response.refusal.delta", "addText"],
  ["response.refusal.done", "finishRefusal"],
  ["response.reasoning_summary_text.delta", "addThought"],
  ["response.reasoning_summary_text.done", "finishThought"],
  ["response.reasoning_summary_part.added", "ignore"],
  ["response.reasoning_summary_part.done", "ignore"],
  ["response.reasoning_text.delta", "addThought"],
  ["response.reasoning_text.done", "finishThought"],
  // The names in the specification of Open Responses.
  ["response.reasoning.delta", "addThought"],
  ["response.reasoning.done", "finishThought"],
  ["response.function_call_arguments.delta", "addInput"],
  ["response.function_call_arguments.done", "finishInput"],
  ["response.mcp_call_arguments.delta", "addInput"],
  ["response.mcp_call_arguments.done", "finishInput"],
  ["response.custom_tool_call_input.delta", "addInput"],
  ["response.custom_tool_call_input.done", "finishInput"],
  ["response.code_interpreter_call_code.delta", "addInput"],
  ["response.code_interpreter_call_code.done", "finishInput"],
  ["response.image_generation_call.partial_image", "ignore"],
  ["response.artifact_created", "artifact"],
  ["response.skill_created", "skill"],
  ["response.completed", "complete"],
  ["response.incomplete", "cut"],
  ["response.failed", "failed"],
  ["response.cancelled", "cancelled"],
  ["error", "fail"],
  ["keepalive", "ignore"],
  ["ping", "ignore"],
]);
