/** What a platform's status line says. Slack puts the app's name before it: "Parley is working: Searching the FAQ". */
export const statusLineSentences = {
  working: (words: string): string => `is working: ${words}`,
} as const;
