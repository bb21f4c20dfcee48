/** What the pages for those who run Parley are made of: each page has its own member here, and its own file. */

export type Overview = {
  readonly now: NowCounts;
};

/** Of this instance. */
export type NowCounts = () => { readonly running: number; readonly waiting: number };
