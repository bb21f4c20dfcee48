/** The colours of charts in light and dark surroundings: each series has a contrast of at least 3:1. */
import type { ChartTheme } from "../../core/model/chart.ts";

export type Colours = {
  readonly background: string;
  readonly title: string;
  readonly text: string;
  readonly quiet: string;
  readonly grid: string;
  readonly accent: string;
  /** In order of use, for the series beside the accent. */
  readonly others: readonly string[];
};

export const colours: Readonly<Record<ChartTheme, Colours>> = {
  dark: {
    background: "#1e1f22",
    title: "#ffffff",
    text: "#e3e5e8",
    quiet: "#a5a8ae",
    grid: "#33353b",
    accent: "#4fd1a5",
    others: ["#94979e", "#7aa7ff", "#e3a24f", "#d88ae0", "#ee7d76"],
  },
  light: {
    background: "#ffffff",
    title: "#1d1c1d",
    text: "#3d3c40",
    quiet: "#616061",
    grid: "#e4e4e6",
    accent: "#0f766e",
    others: ["#77797f", "#2563eb", "#b45309", "#a21caf", "#b91c1c"],
  },
};
