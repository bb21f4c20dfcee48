/**
 * Child process that parses all untrusted content, one task at a time. Whatever a page or file does to a parser, it
 * does here.
 */
import { serveTasks } from "../../operations/child/serve-tasks.ts";
import { ReadFailure } from "../pages/read-failure.ts";
import { performTask, type TaskRequest } from "./foreign-tasks.ts";

serveTasks({
  perform: (request, bounded) => performTask(request as TaskRequest, bounded),
  reasonOf: (thrown) => (thrown instanceof ReadFailure ? thrown.reason : undefined),
});
