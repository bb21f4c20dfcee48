/** The switch between the system's look, light and dark. */
import { element, icon } from "../drawing/element.js";

const looks = [
  ["system", "screen", "Same as system"],
  ["light", "sun", "Light"],
  ["dark", "moon", "Dark"],
];

/** theme.js remembers the choice, for every page of this browser. */
export function themeSwitch() {
  const inputs = looks.map(([value, , name]) =>
    element("input", {
      type: "radio",
      name: "theme",
      value,
      "aria-label": name,
      change: () => window.parleyTheme.choose(value),
    }),
  );
  const show = (theme) => {
    for (const input of inputs) input.checked = input.value === theme;
  };
  show(window.parleyTheme.now());
  addEventListener("themechange", ({ detail }) => show(detail));
  return element(
    "div.theme",
    { role: "radiogroup", "aria-label": "Appearance" },
    ...looks.map(([, shape, name], index) => element("label", { title: name }, inputs[index], icon(shape))),
  );
}

/** The media query under which a dark picture is shown, and `more` holds. */
export function darkMedia(more) {
  const { theme } = document.documentElement.dataset;
  if (theme === "light") return "not all";
  const isDark = theme === "dark" ? "all" : "(prefers-color-scheme: dark)";
  return more === "" ? isDark : `${isDark} and ${more}`;
}
