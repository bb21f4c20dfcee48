/** Shows which thumb this browser has pressed below an answer. */

/** Which vote the button stands for. */
export function thumbOf({ id }) {
  return { "thumb-up": "up", "thumb-down": "down" }[id];
}

/** Shows this browser's vote: "up", "down", or none. */
export function markVote(article, vote) {
  for (const thumb of article.querySelectorAll(":scope > .actions .is-thumb"))
    thumb.setAttribute("aria-pressed", String(vote !== undefined && thumbOf({ id: thumb.dataset.action }) === vote));
}
