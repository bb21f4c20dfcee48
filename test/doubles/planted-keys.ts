/**
 * Keys that the tests plant everywhere: in settings, forms, and in what services and documents say. Whatever leaves Parley
 * in a test, as a message or as a log line, goes through `watchForKeys`, and a test in which a key came out fails
 * (test/setup.ts).
 */
const planted =
  /sk-(?:live|very|secret|planted)[\w-]*|hunter2|xoxb-test-bot|xapp-test-app|0123456789abcdef0123456789abcdef|planted-[\w-]+-secret/;

const leaks: string[] = [];

/** A key that stands in the text, or undefined. */
export function keyIn(text: string): string | undefined {
  return planted.exec(text)?.[0];
}

export function watchForKeys(where: string, text: string): void {
  const key = keyIn(text);
  if (key !== undefined) leaks.push(`${where} let ${key} out: ${text.slice(0, 300)}`);
}

/** What came out since the last call. */
export function takeLeaks(): readonly string[] {
  return leaks.splice(0);
}
