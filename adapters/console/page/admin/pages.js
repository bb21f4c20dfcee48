/** The pages of the admin part, in the order of the sidebar: a line for each. Who may see which, the server says. */
export const pages = [
  { name: "overview", title: "Overview", icon: "overview", load: () => import("./pages/overview.js") },
  { name: "audit", title: "Audit", icon: "audit", load: () => import("./pages/audit.js") },
];
