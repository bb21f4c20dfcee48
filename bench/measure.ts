/** What every bench returns: a figure and its target. A bench never fails, because machines differ. */
export type Measure = {
  readonly name: string;
  readonly value: number;
  readonly target?: { readonly atLeast: number } | { readonly atMost: number };
  readonly unit: string;
};
