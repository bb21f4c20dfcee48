/**
 * Separates the thoughts of a model from its answer, in a stream of pieces. Marks inside of code are an example, and
 * stay.
 */
import { createCodeReader } from "../../core/text/code-reader.ts";
import { answerTags, mayBeMark, nextFirstChar, thoughtMarks } from "./marks.ts";

export type SplitHandlers = {
  readonly onAnswer: (text: string) => void;
  readonly onThought: (text: string) => void;
  /** All of the answer so far was a thought: only its closing mark was written. */
  readonly onRetract: () => void;
};

/** A thought that begins in the middle of a line is text, if it isn't closed within this many characters. */
const maxInlineChars = 2_000;
/** Of harmony: "assistant to=functions.search". */
const maxHeaderChars = 200;
/** Of `<details type="reasoning" done="true" duration="3">`. */
const maxTagChars = 200;
/** Where a server has dropped harmony's marks and left their words. */
const bareThought = "analysis";
const bareFinal = "assistantfinal";

type State =
  /** Nothing but white space has come. */
  | { readonly kind: "begin"; space: string }
  | { readonly kind: "answer" }
  /** After a thought: white space before the answer goes. */
  | { readonly kind: "gap" }
  | { readonly kind: "thought"; readonly isDetails?: boolean }
  /** The rest of a tag: `text` from its mark on. */
  | { readonly kind: "tag"; text: string }
  /** Begun in the middle of a line: `text` from its mark on. */
  | { readonly kind: "inline-thought"; text: string; readonly mark: string }
  | { readonly kind: "header"; text: string; readonly back: "begin" | "answer" | "gap" }
  /** "analysisThe person asks … assistantfinalThe answer": `text` until one knows. */
  | { readonly kind: "bare"; text: string; isSure: boolean };

/** One for each stream of an answer. */
export function createThoughtSplitter({ onAnswer, onThought, onRetract }: SplitHandlers) {
  const code = createCodeReader();
  let state: State = { kind: "begin", space: "" };
  /** What may be the beginning of a mark. */
  let held = "";
  let isMarkRead = false;
  let isLineStart = true;
  /** A mark has opened something, so a closing one isn't alone. */
  let hasOpened = false;
  let hasThought = false;
  /** Marks in a thought that open one more: as many closing ones end only these. */
  let inner = 0;
  let answer = "";
  let out = "";
  /** Of a bare thought. */
  let bareEnd = "";

  function flush(): void {
    if (out === "") return;
    if (state.kind === "thought") onThought(out);
    else {
      answer += out;
      onAnswer(out);
    }
    out = "";
  }

  function become(next: State): void {
    flush();
    state = next;
  }

  /** A text without anything that could be a mark, or a mark that is none here. */
  function write(text: string): void {
    let rest = text;
    while (rest !== "") rest = writeSome(rest);
  }

  /** Returns what is left, in another state. */
  function writeSome(text: string): string {
    switch (state.kind) {
      case "begin": {
        const words = text.trimStart();
        state.space += text.slice(0, text.length - words.length);
        if (words === "") return "";
        if (bareThought.startsWith(words.charAt(0))) state = { kind: "bare", text: state.space, isSure: false };
        else toAnswer(state.space);
        return words;
      }
      case "gap": {
        const words = text.trimStart();
        if (words !== "") become({ kind: "answer" });
        return words;
      }
      case "answer":
        out += text;
        note(text);
        return "";
      case "thought":
        out += text;
        return "";
      case "tag": {
        const length = text.indexOf(">") + 1;
        state.text += length > 0 ? text.slice(0, length) : text;
        if (state.text.length > maxTagChars) toAnswer(state.text);
        else if (length > 0) become({ kind: "thought", isDetails: true });
        return length > 0 ? text.slice(length) : "";
      }
      case "bare":
        writeBare(text.charAt(0));
        return text.slice(1);
      case "inline-thought":
        state.text += text;
        if (state.text.length > maxInlineChars) toAnswer(state.text);
        return "";
      case "header":
        state.text += text;
        if (state.text.length > maxHeaderChars || text.includes("\n")) toAnswer(state.text);
        return "";
    }
  }

  function writeBare(char: string): void {
    if (state.kind !== "bare") return;
    state.text += char;
    if (!state.isSure) {
      const begun = state.text.trimStart();
      const isWord = begun.startsWith(bareThought) || bareThought.startsWith(begun);
      // "Analysis: …" and "analysis of" are words of an answer.
      const isGlued = begun.length <= bareThought.length || /[\p{Lu}"“]/u.test(char);
      if (!isWord || !isGlued) toAnswer(state.text);
      else state.isSure = begun.length > bareThought.length;
      return;
    }
    bareEnd = (bareEnd + char).slice(-bareFinal.length);
    if (bareEnd !== bareFinal) return;
    const thought = state.text.trimStart();
    onThought(thought.slice(bareThought.length, -bareFinal.length));
    afterThought();
  }

  function note(text: string): void {
    for (const part of text.split(/([\n`~])/)) {
      if (part === "") continue;
      if (/^[\n`~]$/.test(part)) code.isCode(part);
      else code.isTextCode(part);
      if (part === "\n") isLineStart = true;
      else if (isLineStart && /\S/.test(part)) isLineStart = false;
    }
  }

  function toAnswer(text: string): void {
    state = { kind: "answer" };
    out += text;
    note(text);
  }

  function afterThought(): void {
    become({ kind: answer === "" ? "gap" : "answer" });
    hasThought = true;
  }

  /** False: it is no mark here. */
  function readMark(text: string): boolean {
    const mark = thoughtMarks.get(text.toLowerCase());
    const { kind } = state;
    if (kind === "header") {
      if (mark === "message") {
        readHeader(state.text);
        return true;
      }
      if (mark === "header") {
        state.text += text;
        return true;
      }
      return false;
    }
    if (kind === "thought" && state.isDetails === true) {
      if (mark === "details-end") afterThought();
      return mark === "details-end" || mark === "details-title";
    }
    if (kind === "thought") {
      if (mark === "close" || mark === "end") {
        afterThought();
        return true;
      }
      if (mark === "open") inner += 1;
      // A message that was never ended.
      if (mark === "header") {
        become({ kind: "header", text, back: "gap" });
        return true;
      }
      return false;
    }
    if (kind === "inline-thought") {
      if (mark !== "close") return false;
      onThought(state.text.slice(state.mark.length));
      afterThought();
      return true;
    }
    if (kind === "bare" || kind === "tag") return false;
    return readOutside(mark, text);
  }

  function readOutside(mark: ReturnType<typeof thoughtMarks.get>, text: string): boolean {
    const back = state.kind === "begin" || state.kind === "gap" ? state.kind : "answer";
    switch (mark) {
      case "open":
        hasOpened = true;
        if (back !== "answer" || isLineStart) become({ kind: "thought" });
        else become({ kind: "inline-thought", text, mark: text });
        return true;
      case "close":
        // A thought in a thought had closed, not the thought itself.
        if (!hasOpened || inner > 0) retract();
        // One that closes nothing is left over.
        hasOpened = true;
        inner = Math.max(0, inner - 1);
        return true;
      case "header":
        become({ kind: "header", text, back });
        return true;
      case "details":
        // Elsewhere it is written about.
        if (back === "answer" && !isLineStart) return false;
        hasOpened = true;
        become({ kind: "tag", text });
        return true;
      case "details-title":
      case "details-end":
        return false;
      case "end":
      case "message":
      case "wrapper":
        return true;
      case undefined:
        return hasThought && answerTags.has(text.toLowerCase()) && (back === "gap" || text.startsWith("</"));
    }
  }

  function retract(): void {
    flush();
    const thought = answer;
    answer = "";
    if (thought !== "") {
      onRetract();
      onThought(thought);
    }
    state = { kind: "gap" };
    hasThought = true;
  }

  /** "<|start|>assistant<|channel|>analysis": only what the last word calls final is for people. */
  function readHeader(header: string): void {
    const channel = /<\|channel\|>\s*(\w+)/i.exec(header)?.[1]?.toLowerCase() ?? "final";
    hasOpened = true;
    if (channel === "final") {
      hasThought = true;
      become({ kind: answer === "" ? "gap" : "answer" });
    } else become({ kind: "thought" });
  }

  function release(): void {
    const text = held;
    held = "";
    write(text);
  }

  /** Takes one more character of what may be a mark: it still may be, it was one, or it is text. */
  function hold(longer: string): void {
    isMarkRead = false;
    if (!mayBeMark(longer)) {
      release();
      return;
    }
    held = longer;
    const name = longer.toLowerCase();
    if (!thoughtMarks.has(name) && !answerTags.has(name)) return;
    held = "";
    isMarkRead = true;
    if (!readMark(longer)) write(longer);
  }

  /** Code is decided where the mark would begin. */
  function isInCode(char: string): boolean {
    return (state.kind === "answer" || state.kind === "inline-thought") && code.peek(char);
  }

  return {
    push: (piece: string): void => {
      let at = 0;
      while (at < piece.length) {
        if (held !== "") {
          hold(held + piece.charAt(at));
          if (held !== "") at += 1;
          else if (isMarkRead) at += 1;
          continue;
        }
        const special = nextFirstChar(piece, at);
        if (special > at) write(piece.slice(at, special));
        at = special;
        if (at >= piece.length) break;
        const char = piece.charAt(at);
        if (isInCode(char)) write(char);
        else held = char;
        at += 1;
      }
      flush();
    },
    /** The stream has ended: what was held back. */
    end: (): void => {
      release();
      if (state.kind === "inline-thought" || state.kind === "header" || state.kind === "tag" || state.kind === "bare")
        toAnswer(state.text);
      else if (state.kind === "begin" && state.space !== "") toAnswer(state.space);
      flush();
    },
  };
}
