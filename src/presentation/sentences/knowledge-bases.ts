/** Sentences and forms about knowledge bases: listing, creating, searching, adding to them and saving messages. */
import type { Inline } from "../../ports/document.ts";
import { bold, link, say } from "../drawing/inline.ts";

/** Saving messages and threads. */
export const saveSentences = {
  form: {
    title: "Save to knowledge base",
    submit: "Save",
    name: { label: "Title", hint: "Shown as the source title" },
    into: { label: "Knowledge base" },
    scope: { label: "What to save", hint: "Saving again replaces the earlier copy" },
    scopes: { thread: "The whole thread", message: "Only this message" },
    noTitle: "Enter a title.",
    noBase: "Choose a knowledge base.",
  },
  titleOf: (author: string, words: string): string => (words === "" ? `Message from ${author}` : words),
  message: "the message",
  saving: (title: string, into: string): Inline =>
    say`Saving ${title === "" ? saveSentences.message : bold(title)} to ${bold(into)}…`,
  saved: (title: string, into: string, url?: string): Inline =>
    say`Saved ${url === undefined ? bold(title) : link(title, url)} to ${bold(into)}.`,
  notSaved: (title: string, reason: string): Inline =>
    say`Couldn't save ${title === saveSentences.message ? title : bold(title)}${reason === "" ? "." : `: ${reason}`}`,
  stillRunning: "Still saving. The message is marked when it's done.",
  remove: (from: string): string => `Remove from ${from}`.slice(0, 75),
  removed: (title: string, from: string): Inline => say`Removed ${bold(title)} from ${bold(from)}.`,
  gone: "This form has expired. Choose “Save to knowledge base” again.",
  savedGone: "This saved item is no longer available.",
} as const;
