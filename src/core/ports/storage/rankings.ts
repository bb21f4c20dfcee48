/** The port to rankings: named lists in the store, sorted by a number, of which a page is read without the rest. */

export type Ranked = { readonly member: string; readonly score: number };

/**
 * Lists belong to one workspace and their names begin with it, except for lists of what is due. Equal scores are sorted
 * by member (UTF-16 code units on no backend: compare ASCII ids only).
 */
export type Rankings = {
  /** Adds it, or changes its score. */
  readonly put: (list: string, member: string, score: number) => Promise<void>;
  /** Removing what isn't in the list succeeds. */
  readonly delete: (list: string, member: string) => Promise<void>;
  /** Highest scores first; of equal ones the greater member first. */
  readonly highest: (list: string, from: number, count: number) => Promise<readonly Ranked[]>;
  /** Highest first, of those with a score below `score`: a page that doesn't shift when others are added. */
  readonly below: (list: string, score: number, count: number) => Promise<readonly Ranked[]>;
  /** Those with a score of at most `score`, lowest first. */
  readonly upTo: (list: string, score: number, count: number) => Promise<readonly Ranked[]>;
  readonly count: (list: string) => Promise<number>;
};
