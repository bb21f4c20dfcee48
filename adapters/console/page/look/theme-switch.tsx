/** The switch between the system's look, light and dark. */
import { useEffect, useState } from "preact/hooks";
import { Icon } from "../parts/icon.tsx";

const looks = [
  ["system", "screen", "Same as system"],
  ["light", "sun", "Light"],
  ["dark", "moon", "Dark"],
] as const;

/** theme.js remembers the choice, for every page of this browser. */
export function ThemeSwitch() {
  const [chosen, setChosen] = useState(window.parleyTheme.now());
  useEffect(() => {
    const show = () => setChosen(window.parleyTheme.now());
    addEventListener("themechange", show);
    return () => removeEventListener("themechange", show);
  }, []);
  return (
    <div class="theme" role="radiogroup" aria-label="Appearance">
      {looks.map(([value, shape, name]) => (
        <label key={value} title={name}>
          <input
            type="radio"
            name="theme"
            value={value}
            aria-label={name}
            checked={value === chosen}
            onChange={() => window.parleyTheme.choose(value)}
          />
          <Icon name={shape} />
        </label>
      ))}
    </div>
  );
}

/** The media query under which a dark picture is shown, and `more` holds. */
export function darkMedia(more: string): string {
  const theme = document.documentElement.dataset["theme"];
  if (theme === "light") return "not all";
  const isDark = theme === "dark" ? "all" : "(prefers-color-scheme: dark)";
  return more === "" ? isDark : `${isDark} and ${more}`;
}
