/** What a page of the admin part gets: what its address says, where it draws, and what ends with it. */
import type { ComponentChildren } from "preact";
import type { AdminVisitor } from "../../../admin/routes.ts";
import type { Address, Query } from "./address.ts";

export type View = {
  /** Ends with the page. */
  readonly signal: AbortSignal;
  /** Its query changes with `setQuery`. */
  readonly address: Address;
  readonly visitor: AdminVisitor;
  /** Draws the page, in place of what was there. */
  readonly draw: (drawn: ComponentChildren) => void;
  /** Tells screen readers. */
  readonly announce: (text: string) => void;
  readonly setTitle: (title: string, more?: Titled) => void;
  /** Buttons and switches beside the title. */
  readonly setTools: (tools?: ComponentChildren) => void;
  /** Stores filters in the address; the page stays as it is. */
  readonly setQuery: (query: Query) => void;
  /** Called once the page is drawn, to begin elsewhere than at its top. */
  begin: () => void;
  /** Draws the page again, from new data. */
  readonly reload: () => Promise<void>;
  /** Repeats `work` while the page can be seen. It is drawn once already. */
  readonly every: (ms: number, work: () => unknown) => void;
};

export type Titled = {
  /** The page above. */
  readonly crumb?: { readonly title: string; readonly href: string };
  /** A reference: its letters are of one width. */
  readonly isCode?: boolean;
};
