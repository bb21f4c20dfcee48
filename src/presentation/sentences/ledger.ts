/** Sentences about what is in a knowledge base: its list, refreshing, removing and deleting. */
import type { Inline } from "../../ports/document.ts";
import { bold, say } from "../drawing/inline.ts";
import { countText, numberText } from "./quantities.ts";

export const ledgerSentences = {
  incomplete: "wasn't added completely. Add it again",
  allGone: "no longer in the service. Refresh it, or add it again",
  partlyGone: "partly no longer in the service. Refresh it, or add it again",
  removedMeanwhile: "it was removed meanwhile",

  title: (name: string, count: number): Inline => say`${bold(name)} · ${countText(count, "document")}`,
  empty: "Nothing has been added through Parley yet.",
  noReaders: "No agent looks here yet.",
  readBy: (agents: readonly string[]): Inline =>
    say`Read by ${agents.flatMap((name, index) => (index === 0 ? [bold(name)] : [", ", bold(name)]))}`,
  refresh: "Refresh",
  remove: "Remove",
  rows: (count: number): string => countText(count, "row"),
  elsewhere: (rows: number, isAtLeast: boolean): string =>
    `${isAtLeast ? "at least " : ""}${countText(rows, "row")} from elsewhere`,
  missing: (documents: number): string =>
    documents === 1
      ? "1 document is no longer complete in the service"
      : `${numberText(documents)} documents are no longer complete in the service`,
  pageOf: (page: number, pages: number): string => `page ${numberText(page)} of ${numberText(pages)}`,
  noSuchPage: (pages: number): string => `The list has only ${countText(pages, "page")}.`,
  /** "2026-11-21", in UTC. */
  day: (ms: number): string => new Date(ms).toISOString().replace(/T.*/, ""),
  addedBy: (name: string, ms: number): string => `added by ${name}, ${ledgerSentences.day(ms)}`,
  readOn: (ms: number): string => `read again ${ledgerSentences.day(ms)}`,
  byService: (pages: number | undefined, isUrl: boolean): string =>
    !isUrl
      ? "read by the service"
      : `read by the service, ${pages === undefined ? "number of pages unknown" : countText(pages, "page")}`,

  noSuchDocument: (given: string, name: string): Inline => say`There is no ${bold(given)} in ${bold(name)}.`,
  seeList: "/kb show lists what is there.",
  gone: "This document is no longer there.",
  runningAlready: (count: number): string => `${countText(count, "page")} already being read by another job.`,
  newer: "Newer",
  older: "Older",
  addedByOther: (name: string): string => `${name} added this.`,

  refreshing: (count: number, name: string): Inline =>
    say`Reading ${countText(count, "page")} of ${bold(name)} again. Progress is shown below.`,
  refreshRest: (most: number): string =>
    `These are the ${numberText(most)} that were read longest ago. Run the command again for the rest.`,
  othersLeftOut: (count: number): string =>
    `${countText(count, "page")} that other people added ${count === 1 ? "was" : "were"} left out: only managers can refresh those.`,
  nothingToRefresh: (name: string): Inline => say`There are no web pages to refresh in ${bold(name)}.`,
  notAPage: (title: string): Inline => say`${bold(title)} isn't a web page. Add it again to replace it.`,

  askRemove: (title: string, name: string): Inline => say`Remove ${bold(title)} from ${bold(name)}?`,
  removesRows: (rows: number): string => `Its ${countText(rows, "row")} will be deleted.`,
  removing: (title: string, name: string): Inline => say`Removing ${bold(title)} from ${bold(name)}…`,
  removed: (title: string, name: string): Inline => say`Removed ${bold(title)} from ${bold(name)}.`,
  rowsUnknown: (title: string): Inline =>
    say`${bold(title)} can't be removed: the service read it, and didn't tell which rows it made. Refresh it first if it's a web page.`,

  removeGone: (count: number): string => (count === 1 ? "Remove the page" : `Remove ${numberText(count)} pages`),
  removingGone: (name: string): Inline => say`Removing the pages that are gone from ${bold(name)}…`,
  removedGone: (titles: readonly string[], more: number, name: string): Inline =>
    say`Removed ${titles.flatMap((title, index) => (index === 0 ? [bold(title)] : [", ", bold(title)]))}${more === 0 ? "" : ` and ${countText(more, "more", "more")}`} from ${bold(name)}.`,
  nothingGone: (name: string): Inline =>
    say`Nothing to remove: these pages are no longer in ${bold(name)}, or were read again.`,
  othersStay: (count: number): string =>
    `${countText(count, "page")} that other people added ${count === 1 ? "stays" : "stay"}: only managers can remove those.`,

  askDelete: (name: string): Inline => say`Delete ${bold(name)}?`,
  deletes: (count: number): string =>
    count === 0
      ? "Everything in it will be deleted."
      : `Everything in it will be deleted, also the ${countText(count, "document")} added through Parley.`,
  losesReaders: (agents: readonly string[]): Inline =>
    say`${ledgerSentences.readBy(agents)}. They will no longer find its content.`,
  final: "This can't be undone.",
  deleted: (name: string): Inline => say`Deleted knowledge base ${bold(name)}.`,

  refreshTitle: "Refreshing ",
  refreshedTitle: "Refreshed ",
  refreshCancelled: "Cancelled refreshing ",
  counted: {
    updated: (count: number): string => `${numberText(count)} updated`,
    unchanged: (count: number): string => `${numberText(count)} unchanged`,
    moved: (count: number): string => `${numberText(count)} moved`,
    gone: (count: number): string => `${numberText(count)} gone`,
    login: (count: number): string => `${numberText(count)} behind a login`,
  },
  failed: (count: number): string => `${numberText(count)} failed`,
  outcome: {
    updated: "updated",
    unchanged: "unchanged",
    moved: "moved here",
    gone: "gone",
    login: "requires a login",
  },
  replaced: (rows: number): string => `replacing ${countText(rows, "row")} of other files with the same id`,
  refreshedBy: "refreshed by ",
} as const;
