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

/** APPROVERS: who decides about a tool call. */
export type Approvers = "asker" | "manage";

export type ApprovalDecision = {
  readonly isApproved: boolean;
  /** `expired`: nobody decided in time. `nobody`: there was nobody to ask. The last two always deny. */
  readonly how: "person" | "expired" | "nobody";
  /** Absent unless a person decided. */
  readonly by?: { readonly id: string; readonly name: string };
  readonly atMs: number;
};

/** Its `input` is laid out to be read, without secrets. */
export type PendingRequest = ApprovalRequest & {
  /** Names this request in a button: made from all that was asked for, so that an old button never fits a new request. */
  readonly key: string;
  /** Absent until it is decided. */
  readonly decision?: ApprovalDecision;
};

/** What one run asked for, until the run that brings the responses has ended. */
export type Approval = {
  /** The Turn's attempt that asked: an edit or a Try again makes all of this void. */
  readonly attempt: number;
  /** How often this attempt has asked before. */
  readonly round: number;
  readonly requests: readonly PendingRequest[];
  readonly askedAtMs: number;
  /** From then on, what is not decided is denied. Later after each decision: one request is shown after the other. */
  readonly expiresAtMs: number;
  /** The service's references of the run and of the conversation that asked. */
  readonly run?: Readonly<Record<string, string>>;
  readonly thread?: Readonly<Record<string, string>>;
  /** When the responses were sent: from then on an approved tool may have run. They are sent once. */
  readonly sentAtMs?: number;
};

/** A decision as an answer shows it. */
export type ShownDecision = Pick<ApprovalDecision, "isApproved" | "how" | "by"> &
  Pick<ApprovalRequest, "tool" | "server">;

/** What a waiting view asks for: the first request without a decision. */
export type ShownRequest = {
  readonly request: PendingRequest;
  /** From 1. */
  readonly number: number;
  readonly count: number;
  readonly approvers: Approvers;
  /** Who asked the question. */
  readonly asker: { readonly id: string; readonly name: string };
};

/** The first request that nobody has decided about. */
export function undecided({ requests }: Pick<Approval, "requests">): PendingRequest | undefined {
  return requests.find(({ decision }) => decision === undefined);
}
