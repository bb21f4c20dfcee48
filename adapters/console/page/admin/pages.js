/** The pages of the admin part, in the order of the sidebar: a line for each. Who may see which, the server says. */
export const pages = [
  { name: "overview", title: "Overview", icon: "overview", load: () => import("./pages/overview.js") },
  { name: "questions", title: "Questions", icon: "questions", load: () => import("./pages/questions.js") },
  { name: "gaps", title: "Gaps", icon: "gaps", load: () => import("./pages/gaps.js") },
  { name: "knowledge", title: "Knowledge", icon: "knowledge", load: () => import("./pages/knowledge.js") },
  { name: "agents", title: "Agents and channels", icon: "agents", load: () => import("./pages/agents.js") },
  { name: "schedules", title: "Schedules", icon: "schedules", load: () => import("./pages/schedules.js") },
  { name: "audit", title: "Audit", icon: "audit", load: () => import("./pages/audit.js") },
  { name: "system", title: "System", icon: "system", load: () => import("./pages/system.js") },
];
