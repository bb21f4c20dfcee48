/**
 * Colours code by its language. The library and the language are loaded when the first such code appears; until then,
 * and if that fails, code stays as it is.
 */
import DOMPurify from "dompurify";
import { at } from "../connection/address.ts";
import { loadStyle } from "../look/load-style.ts";

/** As the language is often written -> its name in the library. */
const names = new Map(
  Object.entries({
    bash: "bash sh zsh",
    c: "c h",
    cpp: "cpp c++ cc hpp",
    csharp: "csharp cs c#",
    css: "css",
    diff: "diff patch",
    dockerfile: "dockerfile docker",
    go: "go golang",
    graphql: "graphql gql",
    http: "http",
    ini: "ini toml",
    java: "java",
    javascript: "javascript js mjs cjs jsx",
    json: "json jsonc json5",
    kotlin: "kotlin kt",
    lua: "lua",
    makefile: "makefile make",
    markdown: "markdown md",
    nginx: "nginx",
    perl: "perl pl",
    php: "php",
    powershell: "powershell ps1 pwsh",
    properties: "properties env dotenv",
    python: "python py",
    r: "r",
    ruby: "ruby rb",
    rust: "rust rs",
    scala: "scala",
    shell: "shell console shellsession",
    sql: "sql mysql postgres postgresql sqlite",
    swift: "swift",
    typescript: "typescript ts tsx",
    xml: "xml html svg vue",
    yaml: "yaml yml",
  }).flatMap(([name, written]) => written.split(" ").map((one) => [one, name] as const)),
);

/** Longer code is rarely read, and would hold up the page. */
const maxChars = 30_000;

/** What the page uses of the library. */
type Library = {
  readonly registerLanguage: (name: string, language: unknown) => void;
  readonly highlight: (
    code: string,
    how: { readonly language: string; readonly ignoreIllegals: boolean },
  ) => { readonly value: string };
};

let library: Promise<{ readonly default: Library }> | undefined;
const loading = new Map<string, Promise<Library>>();
const ready = new Set<string>();

async function load(name: string): Promise<Library> {
  library ??= import(at("vendor/highlight/core.js")) as Promise<{ readonly default: Library }>;
  const [{ default: core }, { default: language }] = await Promise.all([
    library,
    import(at(`vendor/highlight/${name}.js`)),
    loadStyle("styles/code.css"),
  ]);
  core.registerLanguage(name, language);
  ready.add(name);
  return core;
}

function colour(code: HTMLElement, core: Library, name: string): void {
  const { value } = core.highlight(code.textContent, { language: name, ignoreIllegals: true });
  // The library escapes the code; this is the second wall, as for Markdown.
  const options = { ALLOWED_TAGS: ["span"], ALLOWED_ATTR: ["class"], RETURN_DOM_FRAGMENT: true as const };
  code.replaceChildren(DOMPurify.sanitize(value, options));
}

let loaded: Library | undefined;

/** `code`: the element, with its text. */
export function colourCode(code: HTMLElement, language = "") {
  const name = names.get(language.toLowerCase());
  if (name === undefined || code.textContent.length > maxChars) return;
  // At once where it can be, so that an answer that grows doesn't flicker.
  if (ready.has(name) && loaded !== undefined) return colour(code, loaded, name);
  const begun = loading.get(name) ?? load(name);
  loading.set(name, begun);
  begun
    .then((core) => {
      loaded = core;
      colour(code, core, name);
    })
    .catch(() => {
      library = undefined;
      loading.delete(name);
    });
}
