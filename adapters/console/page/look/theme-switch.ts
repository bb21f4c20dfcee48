/** The switch between the system's look, light and dark. */
import { element, icon } from "../drawing/element.ts";

import type { Theme } from "./theme.ts";

const looks = [
  ["system", "screen", "Same as system"],
  ["light", "sun", "Light"],
  ["dark", "moon", "Dark"],
] as const;

/** theme.js remembers the choice, for every page of this browser. */
export function themeSwitch(): HTMLElement {
  const inputs = looks.map(([value, , name]) =>
    element("input", {
      type: "radio",
      name: "theme",
      value,
      "aria-label": name,
      change: () => window.parleyTheme.choose(value),
    }),
  );
  const show = (theme: Theme) => {
    for (const input of inputs) input.checked = input.value === theme;
  };
  show(window.parleyTheme.now());
  addEventListener("themechange", () => show(window.parleyTheme.now()));
  return element(
    "div.theme",
    { role: "radiogroup", "aria-label": "Appearance" },
    ...looks.map(([, shape, name], index) => element("label", { title: name }, inputs[index], icon(shape))),
  );
}

/** The media query under which a dark picture is shown, and `more` holds. */
export function darkMedia(more: string): string {
  const theme = document.documentElement.dataset["theme"];
  if (theme === "light") return "not all";
  const isDark = theme === "dark" ? "all" : "(prefers-color-scheme: dark)";
  return more === "" ? isDark : `${isDark} and ${more}`;
}
