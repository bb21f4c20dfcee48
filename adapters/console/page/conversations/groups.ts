/** Groups conversations by the reader's days: Pinned, Today, Yesterday, Previous 7 days, then by month. */

type Dated = { readonly lastAtMs?: number; readonly lastOrder?: string };

/** The beginning of the reader's day, `daysAgo` days before. A day of a clock change has 23 or 25 hours. */
function dayBegins(nowMs: number, daysAgo: number): number {
  const day = new Date(nowMs);
  day.setHours(0, 0, 0, 0);
  day.setDate(day.getDate() - daysAgo);
  return day.getTime();
}

function monthOf(atMs: number, nowMs: number): string {
  const [day, now] = [new Date(atMs), new Date(nowMs)];
  const isThisYear = day.getFullYear() === now.getFullYear();
  return new Intl.DateTimeFormat("en", { month: "long", ...(isThisYear ? {} : { year: "numeric" }) }).format(day);
}

/** The title of the group of that time. A server's clock may be ahead of the reader's. */
function dayGroup(atMs: number, nowMs: number): string {
  if (atMs >= dayBegins(nowMs, 0)) return "Today";
  if (atMs >= dayBegins(nowMs, 1)) return "Yesterday";
  if (atMs >= dayBegins(nowMs, 7)) return "Previous 7 days";
  return monthOf(atMs, nowMs);
}

/**
 * A server's clock can be set, but the order of conversations stays: none counts as older than those below it, so no day
 * appears twice. A time after today is wrong.
 */
function timesInOrder<One extends Dated>(newestFirst: readonly One[], nowMs: number): ReadonlyMap<One, number> {
  const times = new Map<One, number>();
  let latest = 0;
  for (const conversation of [...newestFirst].reverse()) {
    const atMs = conversation.lastAtMs ?? 0;
    const isWrong = atMs >= dayBegins(nowMs, -1);
    latest = isWrong ? latest || nowMs : Math.max(latest, atMs);
    times.set(conversation, latest);
  }
  return times;
}

/** The newest first. `pinned`: keys in their own order; `keyOf` gives a conversation's. */
export function groupsOf<One extends Dated>(
  conversations: readonly One[],
  {
    pinned,
    keyOf,
    nowMs,
  }: { readonly pinned: readonly string[]; readonly keyOf: (one: One) => string; readonly nowMs: number },
): { readonly title: string; readonly conversations: One[] }[] {
  const byKey = new Map(conversations.map((conversation) => [keyOf(conversation), conversation]));
  const atTop = pinned.map((key) => byKey.get(key)).filter((conversation) => conversation !== undefined);
  const isPinned = new Set(pinned);
  const others = conversations.filter((conversation) => !isPinned.has(keyOf(conversation)));
  others.sort((a, b) => ((a.lastOrder ?? "") < (b.lastOrder ?? "") ? 1 : -1));
  const timeOf = timesInOrder(others, nowMs);
  const groups = atTop.length > 0 ? [{ title: "Pinned", conversations: atTop }] : [];
  for (const conversation of others) {
    const title = dayGroup(timeOf.get(conversation) ?? 0, nowMs);
    const last = groups.at(-1);
    if (last?.title === title) last.conversations.push(conversation);
    else groups.push({ title, conversations: [conversation] });
  }
  return groups;
}

/** Ms until the reader's next day begins. */
export function untilTomorrow(nowMs: number): number {
  return dayBegins(nowMs, -1) - nowMs;
}
