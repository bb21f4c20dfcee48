/** The line below the message box that says what couldn't be done. */
import { byId } from "../drawing/element.ts";

export function showProblem(text: string): void {
  byId("box-problem", HTMLElement).textContent = text;
}

/** Loads a part of the page that is needed now. If it doesn't come, says so: a newer Parley may have others. */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part | undefined> {
  try {
    return await load();
  } catch {
    showProblem("This couldn't be loaded. Check your connection, or reload the page: what you typed stays.");
    return undefined;
  }
}
