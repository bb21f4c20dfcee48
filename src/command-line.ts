/** The command line of `parley`: which program each command runs. Without a command, it starts Parley. */
import packageJson from "../package.json" with { type: "json" };

type Command = { readonly about: string; readonly load: () => Promise<unknown> };

/** Each is a program that reads what follows in `process.argv` and sets the exit code. */
const commands: Readonly<Record<string, Command>> = {
  doctor: { about: "checks everything that Parley needs", load: () => import("./doctor-program.ts") },
  "erase PERSON": { about: "erases what is stored about a person", load: () => import("./person-program.ts") },
  "export PERSON": {
    about: "writes what is stored about a person, as JSON",
    load: () => import("./person-program.ts"),
  },
  "backup FILE": { about: "writes everything that is stored into one file", load: () => import("./backup-program.ts") },
  "restore FILE": { about: "puts such a file into an empty store", load: () => import("./backup-program.ts") },
};

/** Begun wrongly, as with wrong settings. */
const wrongUse = 2;
const helpWords: readonly string[] = ["--help", "-h"];

export async function run([name, ...more]: readonly string[]): Promise<void> {
  if (name === undefined) await import("./program.ts");
  else if (name === "--version" || name === "-v") process.stdout.write(`${packageJson.version}\n`);
  else if ([name, ...more].some((word) => helpWords.includes(word))) process.stdout.write(help());
  else {
    const [form, command] = Object.entries(commands).find(([form]) => form.split(" ")[0] === name) ?? [];
    if (command === undefined) refuse(name, more);
    // The others say themselves what they need.
    else if (form === name && more.length > 0) refuseMore(name, more);
    else await command.load();
  }
}

function refuseMore(name: string, more: readonly string[]): void {
  process.stderr.write(`parley ${name} takes nothing else: leave out ${JSON.stringify(more.join(" "))}.\n`);
  process.exitCode = wrongUse;
}

function refuse(name: string, more: readonly string[]): void {
  const isOption = name.startsWith("-") || more.some((word) => word.startsWith("-"));
  const hint = isOption ? "Settings are environment variables, or lines of the file .env." : "";
  const known = Object.keys(commands).map((form) => form.split(" ")[0]);
  const what = `parley has no ${name.startsWith("-") ? "option" : "command"} ${JSON.stringify(name)}.`;
  process.stderr.write(
    `${[what, hint, `It has ${known.join(", ")}; parley --help says more.`].filter(Boolean).join(" ")}\n`,
  );
  process.exitCode = wrongUse;
}

function help(): string {
  const forms: readonly (readonly [form: string, about: string])[] = [
    ["", "starts Parley: a page at http://127.0.0.1:3000, its data in ./data"],
    ...Object.entries(commands).map(([form, { about }]) => [form, about] as const),
    ["--version", "prints the version"],
    ["--help", "prints this"],
  ];
  const lines = forms.map(([form, about]) => `  ${`parley ${form}`.padEnd(24)}${about}`);
  return [
    `Parley ${packageJson.version}: ask your team's AI agents where the team already talks.`,
    "",
    ...lines,
    "",
    "A PERSON is platform:workspace/id, for example slack:T1/U123.",
    "Settings are environment variables, or lines of the file .env in the folder where parley is started;",
    "docs/settings.md beside this program lists them.",
    "",
  ].join("\n");
}
