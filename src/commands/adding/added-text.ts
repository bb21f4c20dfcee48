/** What `/kb add` and `/kb query` do with what was typed. */
export const maxTitleChars = 80;

/** People paste data in code fences, because chats would reformat it otherwise. */
export function withoutFence(text: string): string {
  return /^\s*```[\w-]*\n([\s\S]*?)\n?```\s*$/.exec(text)?.[1] ?? /^\s*```([^`\n]+)```\s*$/.exec(text)?.[1] ?? text;
}
