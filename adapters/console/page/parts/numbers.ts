/** Numbers as people read them. */
const whole = new Intl.NumberFormat("en-US");

/** "1,275". */
export function numberText(count: number): string {
  return whole.format(count);
}

/** "3 people", "1 person". */
export function countText(count: number, one: string, many = `${one}s`): string {
  return `${numberText(count)} ${count === 1 ? one : many}`;
}

/** "89%", "1.1%"; "–" of nothing. Never 0% or 100% unless it is exactly that. */
export function shareText(part: number, total: number): string {
  if (total === 0) return "–";
  const percent = (100 * part) / total;
  if (percent > 0 && percent < 10) return `${Math.max(percent, 0.1).toFixed(1)}%`;
  if (percent < 100 && percent > 99) return `${Math.min(percent, 99.9).toFixed(1)}%`;
  return `${Math.round(percent)}%`;
}

/** "412 MB". */
export function bytesText(bytes: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  const amount = bytes / 1_000 ** power;
  return `${amount < 10 && power > 0 ? amount.toFixed(1) : Math.round(amount)} ${units[power]}`;
}
