/**
 * What every bench gives back: a figure, and what it should be. A bench never fails anything: machines differ.
 */
export type Measure = {
  readonly name: string;
  readonly value: number;
  readonly target?: { readonly atLeast: number } | { readonly atMost: number };
  readonly unit: string;
};
