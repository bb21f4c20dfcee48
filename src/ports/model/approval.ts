/** A tool call that an agent may only make after people have approved it. Stored with its Turn, as plain JSON. */

/** Of the service. All texts are untrusted. */
export type ApprovalRequest = {
  /** The service's id of the request. */
  readonly id: string;
  readonly tool: string;
  /** The server that has the tool, if it is named. */
  readonly server?: string;
  /** The arguments as the service sent them, usually JSON. At most `runLimits.input` characters. */
  readonly input: string;
  readonly inputOmittedChars?: number;
};

export type ApprovalResponse = { readonly requestId: string; readonly isApproved: boolean };
