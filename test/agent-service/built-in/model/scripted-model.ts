/** A language model in memory: it plays replies one after the other, and keeps what it was asked. */
import type {
  LanguageModel,
  ModelPiece,
  ModelRequest,
} from "../../../../src/agent-service/built-in/model/language-model.ts";

/** A text comes in pieces of a few characters; pieces come as they are; an error ends the reply. */
export type Play = string | readonly (ModelPiece | Error)[] | ((request: ModelRequest) => AsyncIterable<ModelPiece>);

export type ScriptedModel = LanguageModel & {
  readonly requests: ModelRequest[];
  /** Requests for other wordings of a question, which take no turn. */
  readonly rewordings: ModelRequest[];
};

const pieceChars = 7;

/** The last reply is repeated. `wordings`: lines. */
export function scriptedModel(plays: readonly Play[], limitMs = 60_000, wordings = ""): ScriptedModel {
  const requests: ModelRequest[] = [];
  const rewordings: ModelRequest[] = [];

  async function* write(request: ModelRequest): AsyncGenerator<ModelPiece, void, undefined> {
    if (request.instructions.startsWith("You help to search documents.")) {
      rewordings.push(request);
      yield { type: "whole", text: wordings };
      return;
    }
    requests.push(request);
    const play = plays[Math.min(requests.length, plays.length) - 1] ?? "";
    if (typeof play === "function") {
      yield* play(request);
      return;
    }
    const pieces = typeof play === "string" ? piecesOf(play) : play;
    for (const piece of pieces) {
      request.signal.throwIfAborted();
      if (piece instanceof Error) throw piece;
      yield piece;
    }
  }

  return { name: "scripted", limitMs, write, requests, rewordings };
}

export function piecesOf(text: string): readonly ModelPiece[] {
  const pieces = text.match(new RegExp(`[\\s\\S]{1,${pieceChars}}`, "gu")) ?? [];
  return pieces.map((piece) => ({ type: "text", text: piece }));
}

/** What the model read last, as the user's words. */
export function lastText(model: ScriptedModel): string {
  return model.requests.at(-1)?.messages.at(-1)?.text ?? "";
}
