/** What the built-in service needs of an embedding model: vectors of texts, one each, in their order. */
export type Embedder = {
  /** Vectors of another model can't be compared with its own. */
  readonly name: string;
  /** Throws anything; all vectors have one length. `isRefused` says whether other texts could fare better. */
  readonly embed: (texts: readonly string[], signal: AbortSignal) => Promise<readonly Float32Array[]>;
  readonly isRefused: (thrown: unknown) => boolean;
};

/** What it needs of a rerank model: how well each text answers a question, on a scale of the model's own. */
export type Reranker = {
  readonly name: string;
  /** Throws anything. A text that the model left out has no score. */
  readonly rate: (
    question: string,
    texts: readonly string[],
    signal: AbortSignal,
  ) => Promise<readonly (number | undefined)[]>;
};
