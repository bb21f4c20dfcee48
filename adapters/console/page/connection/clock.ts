/** The server's time: a computer's own clock can be hours wrong, and then an answer of today would look like tomorrow's. */

/** Ms. A response's time is in whole seconds, and says when it was sent. */
const toleranceMs = 60_000;

let aheadMs = 0;

/** Each response says when it was sent. */
export function noteTime(response: Response): void {
  const serverMs = Date.parse(response.headers.get("date") ?? "");
  if (Number.isNaN(serverMs)) return;
  const differenceMs = serverMs - Date.now();
  aheadMs = Math.abs(differenceMs) > toleranceMs ? differenceMs : 0;
}

export const nowMs = () => Date.now() + aheadMs;
