/** Compares secrets in constant time. */
import { createHash, timingSafeEqual } from "node:crypto";

export function isEqual(left: string, right: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(left), digest(right));
}
