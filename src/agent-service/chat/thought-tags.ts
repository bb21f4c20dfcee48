/**
 * Separates a thought from the answer where a model writes both as one text: `<think>…</think>` at the beginning. Open
 * models do that on servers that don't know them.
 */
const opening = "<think>";
const closing = "</think>";

type Split = { readonly thought: string; readonly answer: string };

const nothing: Split = { thought: "", answer: "" };

export function createThoughtTags() {
  let state: "begin" | "thought" | "gap" | "answer" = "begin";
  /** What may be the beginning of a tag. */
  let held = "";
  /** White space before anything else. */
  let space = "";

  function push(piece: string): Split {
    if (state === "answer") return { thought: "", answer: piece };
    if (state === "gap") return afterThought(piece);
    if (state === "begin") {
      const text = held === "" ? piece.trimStart() : piece;
      space += piece.slice(0, piece.length - text.length);
      held += text;
      if (held.length < opening.length && opening.startsWith(held)) return nothing;
      if (!held.startsWith(opening)) return toAnswer(space + held);
      state = "thought";
      held = held.slice(opening.length);
    } else held += piece;
    const end = held.indexOf(closing);
    if (end >= 0) {
      const thought = held.slice(0, end);
      return { thought, answer: afterThought(held.slice(end + closing.length)).answer };
    }
    const keep = lengthOfBeginning(held);
    const thought = held.slice(0, held.length - keep);
    held = held.slice(held.length - keep);
    return { thought, answer: "" };
  }

  /** Without the empty lines between both. */
  function afterThought(piece: string): Split {
    const answer = piece.trimStart();
    state = "gap";
    held = "";
    return answer === "" ? nothing : toAnswer(answer);
  }

  function toAnswer(answer: string): Split {
    state = "answer";
    held = "";
    return { thought: "", answer };
  }

  return {
    push,
    /** What was held back, at the end of the stream. */
    end: (): Split => {
      const rest = held;
      held = "";
      if (state === "begin") return { thought: "", answer: space + rest };
      return { thought: rest, answer: "" };
    },
  };
}

/** How many characters at the end of the text may begin the closing tag. */
function lengthOfBeginning(text: string): number {
  for (let length = Math.min(closing.length - 1, text.length); length > 0; length -= 1) {
    if (closing.startsWith(text.slice(text.length - length))) return length;
  }
  return 0;
}
