/** What failed, in sentences for people: `what` happened and, as `hint`, what to do. */
export class Problem extends Error {
  readonly what: string;
  readonly hint: string;
  /** Of the server's response; 0 without one. */
  readonly status: number;

  constructor({ what, hint = "" }: { readonly what: string; readonly hint?: string }, status = 0) {
    super(what);
    this.what = what;
    this.hint = hint;
    this.status = status;
  }
}
