/**
 * Translates between Slack's reaction names and emoji characters.
 * Only reactions that Parley uses are listed; any other keeps Slack's name.
 */
const characters: Readonly<Record<string, string>> = {
  pushpin: "📌",
  round_pushpin: "📍",
  bulb: "💡",
  "+1": "👍",
  thumbsup: "👍",
  "-1": "👎",
  thumbsdown: "👎",
  white_check_mark: "✅",
  x: "❌",
  raised_hands: "🙌",
  wave: "👋",
  eyes: "👀",
  hourglass_flowing_sand: "⏳",
  warning: "⚠️",
  wastebasket: "🗑️",
};

/** "pushpin" -> "📌"; skin tones are dropped. */
export function reactionCharacter(name: string): string {
  const bare = name.replace(/::skin-tone-\d$/, "");
  return characters[bare] ?? bare;
}

/** "📌" -> "pushpin" */
export function reactionName(character: string): string {
  const plain = (text: string) => text.replace(/\uFE0F/g, "");
  const found = Object.entries(characters).find(([, known]) => plain(known) === plain(character));
  return found?.[0] ?? character.replace(/^:|:$/g, "");
}
