/** The pages of the admin part, in the order of the sidebar: a line for each. Who may see which, the server says. */
import type { Shape } from "../parts/shapes.ts";
import type { View } from "./kit/view.ts";

type Page = {
  readonly name: string;
  readonly title: string;
  readonly icon: Shape;
  readonly load: () => Promise<{ readonly show: (view: View) => Promise<void> }>;
};

export const pages: readonly Page[] = [
  { name: "overview", title: "Overview", icon: "overview", load: () => import("./pages/overview.tsx") },
  { name: "questions", title: "Questions", icon: "questions", load: () => import("./pages/questions.tsx") },
  { name: "gaps", title: "Gaps", icon: "gaps", load: () => import("./pages/gaps.tsx") },
  { name: "knowledge", title: "Knowledge", icon: "knowledge", load: () => import("./pages/knowledge.tsx") },
  { name: "agents", title: "Agents and channels", icon: "agents", load: () => import("./pages/agents.tsx") },
  { name: "schedules", title: "Schedules", icon: "schedules", load: () => import("./pages/schedules.tsx") },
  { name: "audit", title: "Audit", icon: "audit", load: () => import("./pages/audit.tsx") },
  { name: "works", title: "Background work", icon: "refresh", load: () => import("./pages/works.tsx") },
  { name: "system", title: "System", icon: "system", load: () => import("./pages/system.tsx") },
];
