/** Tells code from other text of a Markdown stream, character by character, so that code is left as it is. */

type Run = { readonly char: string; length: number; readonly isAtStart: boolean };

/** One for each stream. Code in one line ends with the line, even without its closing mark. */
export function createCodeReader() {
  let fence: { readonly char: string; readonly length: number } | undefined;
  /** Still in the line that opened the fence. */
  let isOpening = false;
  /** Backticks that opened code within a line; 0 outside of it. */
  let ticks = 0;
  let run: Run | undefined;
  /** Nothing has come in this line but indentation and marks of quotes. */
  let isAtStart = true;

  function endRun({ char, length, isAtStart: wasAtStart }: Run, next: string): void {
    if (fence !== undefined) {
      const isClosing = wasAtStart && char === fence.char && length >= fence.length && /\s/.test(next);
      if (isClosing) fence = undefined;
    } else if (ticks > 0) {
      if (char === "`" && length === ticks) ticks = 0;
    } else if (wasAtStart && length >= 3) {
      fence = { char, length };
      isOpening = true;
    } else if (char === "`") ticks = length;
  }

  function endRunBefore(char: string): void {
    if (run === undefined || char === run.char) return;
    endRun(run, char);
    run = undefined;
  }

  return {
    /** The same for a text without line ends, backticks and tildes, which is all code or none. */
    isTextCode: (text: string): boolean => {
      endRunBefore(text.charAt(0));
      if (isAtStart && /[^ \t>]/.test(text)) isAtStart = false;
      return fence !== undefined || ticks > 0;
    },
    /** Whether a character that begins no mark of code would be code here. */
    peek: (char: string): boolean => {
      endRunBefore(char);
      return fence !== undefined || ticks > 0;
    },
    /** Whether that character is code, or a mark of code. */
    isCode: (char: string): boolean => {
      endRunBefore(char);
      if (char === "\n") {
        ticks = 0;
        isAtStart = true;
        isOpening = false;
        return fence !== undefined;
      }
      if (char === "`" || (char === "~" && (isAtStart || run?.isAtStart === true))) {
        // "```code```" is no fence: what opens one has no further backtick in its line.
        if (run === undefined && isOpening && fence?.char === char) {
          ticks = fence.length;
          fence = undefined;
          isOpening = false;
        }
        if (run === undefined) run = { char, length: 1, isAtStart };
        else run.length += 1;
        isAtStart = false;
        return true;
      }
      if (char !== " " && char !== "\t" && char !== ">") isAtStart = false;
      return fence !== undefined || ticks > 0;
    },
  };
}
