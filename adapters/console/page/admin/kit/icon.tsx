/** Small drawings by name, which screen readers skip: those of the admin part alone, and the page's. */
import { shapes as pageShapes } from "../../drawing/element.ts";
import { Drawing } from "../../drawing/icon.tsx";

const shapes = {
  ...pageShapes,
  overview: "M2.5 13.5V9M6.2 13.5V4.5M9.8 13.5V7M13.5 13.5V2.5",
  questions: "M13.5 9.5a2 2 0 0 1-2 2H6l-3.5 2.5V4.5a2 2 0 0 1 2-2h7a2 2 0 0 1 2 2z",
  gaps: "M8 2a4.3 4.3 0 0 0-2.3 8v1.7h4.6V10A4.3 4.3 0 0 0 8 2zM6.4 14h3.2",
  knowledge:
    "M2.5 3h4A1.5 1.5 0 0 1 8 4.5V13a1.3 1.3 0 0 0-1.3-1.3H2.5zM13.5 3h-4A1.5 1.5 0 0 0 8 4.5V13a1.3 1.3 0 0 1 1.3-1.3h4.2z",
  agents: "M6 2.5L4.5 13.5M11.5 2.5L10 13.5M2.5 5.8h11.3M2.2 10.2h11.3",
  schedules: "M8 2.2a5.8 5.8 0 1 0 0 11.6A5.8 5.8 0 0 0 8 2.2zM8 5v3.2l2 1.4",
  audit: "M4 2.5h8v11H4zM6.2 5.5h3.6M6.2 8h3.6M6.2 10.5h2",
  system: "M2.5 5h5M11.5 5h2M9.5 3.2v3.6M2.5 11h2M8.5 11h5M6.5 9.2v3.6",
  warn: "M8 2.5L14.2 13.2H1.8zM8 6.6v3M8 11.4v.1",
  out: "M9.5 2.5h4v4M13.5 2.5L7.5 8.5M11.5 9.5v4h-9v-9h4",
  inbox: "M2.5 9.2l1.8-6h7.4l1.8 6v4h-11zM2.5 9.2h3.2l.8 1.6h3l.8-1.6h3.2",
};

export type Shape = keyof typeof shapes;

export function Icon({ name }: { readonly name: Shape }) {
  return <Drawing name={name} path={shapes[name]} />;
}
