/**
 * The error for wrong settings. Its one line names the variable, says why, and gives an example. It never repeats a
 * value: a token pasted into the wrong variable would end up in a terminal or a log.
 */
export type SettingProblem = { readonly variable: string; readonly why: string; readonly example: string };

export class ConfigError extends Error {
  override readonly name = "ConfigError";
  /** Exit code of the process. */
  readonly exitCode = 2;
  readonly problems: readonly SettingProblem[];

  constructor(problems: readonly [SettingProblem, ...SettingProblem[]], options?: ErrorOptions) {
    const [first, ...others] = problems;
    const also = others.length === 0 ? "" : ` (Also wrong: ${others.map((other) => other.variable).join(", ")}.)`;
    super(`${first.variable}: ${first.why}. For example ${first.example}${also}`, options);
    this.problems = problems;
  }
}
