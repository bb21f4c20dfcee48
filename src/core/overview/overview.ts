/** What the pages for those who run Parley are made of: each page has its own member here, and its own file. */
import type { AdminPage } from "../ports/overview.ts";
import type { AgentsReader } from "./agents.ts";
import type { FigureReader } from "./figures.ts";
import type { GapsReader } from "./gap-pages.ts";
import type { KnowledgeReader } from "./knowledge.ts";
import type { PeopleActions } from "./people.ts";
import type { Places } from "./places.ts";
import type { Questions } from "./questions.ts";
import type { StatusReader } from "./status.ts";
import type { SystemReader } from "./system.ts";
import type { WorksReader } from "./works.ts";

export type Overview = {
  /** LOG_PRIVATE: people who manage read what was asked in private. */
  readonly showsPrivate: boolean;
  /** In the order of the sidebar. */
  readonly pages: readonly AdminPage[];
  readonly now: NowCounts;
  readonly figures: FigureReader;
  readonly status: StatusReader;
  readonly system: SystemReader;
  readonly places: Places;
  readonly gaps: GapsReader;
  readonly knowledge: KnowledgeReader;
  readonly agents: AgentsReader;
  readonly questions: Questions;
  readonly works: WorksReader;
  readonly people: PeopleActions;
};

/** Of this instance. */
export type NowCounts = () => { readonly running: number; readonly waiting: number };
