/**
 * Finds what servers write into an event stream outside of its events. JSON as a bare line is sent for an error by Ollama
 * and by proxies, `error: …` by llama.cpp. A parser of events skips both.
 */

/** Lines of a JSON over several lines; a longer one is no error. */
const maxLines = 200;

export type Piece =
  /** Whole lines of the stream. */
  | { readonly kind: "lines"; readonly text: string }
  | { readonly kind: "stray"; readonly data: string; readonly name: "error" | undefined };

const mayHaveStray = /^(?:[{}]|error:)/m;

/** One for each stream. */
export function createStrayLines() {
  /** Lines of a JSON that began with "{" alone. */
  let open: string[] | undefined;

  /** `text` has whole lines. */
  return (text: string): readonly Piece[] => {
    if (open === undefined && !mayHaveStray.test(text)) return [{ kind: "lines", text }];
    const pieces: Piece[] = [];
    let lines = "";
    const stray = (data: string, name?: "error") => {
      if (lines !== "") pieces.push({ kind: "lines", text: lines });
      lines = "";
      pieces.push({ kind: "stray", data, name });
    };
    for (const line of text.match(/[^\r\n]*(?:\r\n?|\n|$)/g) ?? []) {
      const words = line.trimEnd();
      if (open !== undefined) {
        open.push(words);
        if (words === "}") stray(open.join("\n"));
        if (words === "}" || open.length >= maxLines) open = undefined;
      } else if (words === "{") open = [words];
      else if (words.startsWith("{")) stray(words);
      else if (words.startsWith("error:")) stray(words.slice("error:".length).trim(), "error");
      else lines += line;
    }
    if (lines !== "") pieces.push({ kind: "lines", text: lines });
    return pieces;
  };
}
