/**
 * Every command, in the order of `/parley help`. Adapters and manifests build their own commands from this list; no
 * other place names one.
 */

import { connectBaseButton } from "./adding/connect-base.ts";
import { fileButtons } from "./adding/file-offer.ts";
import { saveForm } from "./adding/save.ts";
import { agentCheck } from "./agents/check.ts";
import { agentClear } from "./agents/clear.ts";
import { agentCreate } from "./agents/create.ts";
import { agentDelete } from "./agents/delete.ts";
import { agentEdit } from "./agents/edit.ts";
import { agentInstructions } from "./agents/instructions.ts";
import { agentList } from "./agents/list.ts";
import { agentShow } from "./agents/show.ts";
import { agentUse } from "./agents/use.ts";
import { agentWhich } from "./agents/which.ts";
import { ask } from "./ask.ts";
import type { Command, Interactions } from "./command.ts";
import { welcomeButtons } from "./contact/welcome.ts";
import { adoptForm } from "./insight/adopt.ts";
import { answerButtons } from "./insight/answer.ts";
import { kbGaps } from "./insight/gaps.ts";
import { mergeForm } from "./insight/merge.ts";
import { proofButtons } from "./insight/proof.ts";
import { reviewButton } from "./insight/review.ts";
import { kbAdd } from "./knowledge-bases/add.ts";
import { kbCancel } from "./knowledge-bases/cancel.ts";
import { kbClear } from "./knowledge-bases/clear.ts";
import { kbCreate } from "./knowledge-bases/create.ts";
import { kbDelete } from "./knowledge-bases/delete.ts";
import { kbIngest } from "./knowledge-bases/ingest.ts";
import { jobButtons } from "./knowledge-bases/job-buttons.ts";
import { kbJobs } from "./knowledge-bases/jobs.ts";
import { kbList } from "./knowledge-bases/list.ts";
import { kbQuery } from "./knowledge-bases/query.ts";
import { kbRefresh } from "./knowledge-bases/refresh.ts";
import { kbRemove } from "./knowledge-bases/remove.ts";
import { kbSearch } from "./knowledge-bases/search.ts";
import { kbShow } from "./knowledge-bases/show.ts";
import { kbSync } from "./knowledge-bases/sync.ts";
import { kbUse } from "./knowledge-bases/use.ts";
import { parleyDigest } from "./parley/digest.ts";
import { parleyForget } from "./parley/forget.ts";
import { parleyHelp } from "./parley/help.ts";
import { parleyMode } from "./parley/mode.ts";
import { parleyRoles } from "./parley/roles.ts";
import { parleyStatus } from "./parley/status.ts";
import { scheduleDelete, schedulePause, scheduleResume, scheduleRun } from "./schedules/change.ts";
import { scheduleList } from "./schedules/list.ts";

export const allCommands: readonly Command[] = [
  ask,
  agentList,
  agentShow,
  agentUse,
  agentClear,
  agentWhich,
  agentCreate,
  agentEdit,
  agentInstructions,
  agentDelete,
  kbList,
  kbCreate,
  kbUse,
  kbClear,
  kbSearch,
  kbIngest,
  kbAdd,
  kbSync,
  kbQuery,
  kbJobs,
  kbCancel,
  kbShow,
  kbRefresh,
  kbRemove,
  kbDelete,
  kbGaps,
  agentCheck,
  scheduleList,
  schedulePause,
  scheduleResume,
  scheduleRun,
  scheduleDelete,
  parleyDigest,
  parleyHelp,
  parleyStatus,
  parleyMode,
  parleyForget,
  parleyRoles,
];

/** Forms and buttons that no command shows. */
export const otherInteractions: readonly Interactions[] = [
  welcomeButtons,
  jobButtons,
  connectBaseButton,
  saveForm,
  fileButtons,
  mergeForm,
  answerButtons,
  adoptForm,
  proofButtons,
  reviewButton,
];
