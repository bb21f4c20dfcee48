/**
 * Reads server-sent events out of the bytes of a stream, within limits of size. The parser gets whole lines only, so it
 * never joins pieces of one. An event whose closing empty line is missing at the end counts.
 */
import { createParser } from "eventsource-parser";
import { ParleyError } from "../../core/errors.ts";
import { createStrayLines } from "./stray-lines.ts";
import { createWholeLines } from "./whole-lines.ts";

export type EventLimits = {
  /** A larger event ends the stream with answer_too_large. */
  readonly maxEventBytes: number;
  /** The same limit for all events together. */
  readonly maxRunBytes: number;
};

/** `name` is what the stream calls the event; undefined where it doesn't. */
export type OnServerEvent = (data: string, name: string | undefined) => void;

export type ServerEvents = {
  /** Calls back for every event that these bytes complete. Throws answer_too_large, after all whole events. */
  readonly push: (bytes: Uint8Array) => void;
  /** The connection has closed: what was not complete yet. */
  readonly end: () => void;
};

export function readServerEvents({ maxEventBytes, maxRunBytes }: EventLimits, onEvent: OnServerEvent): ServerEvents {
  const lines = createWholeLines();
  const piecesOf = createStrayLines();
  let bytesInAll = 0;
  let isEventTooLarge = false;
  const parser = createParser({
    // Of an event in many lines; whole-lines.ts counts a line that doesn't end.
    maxBufferSize: maxEventBytes,
    onEvent: ({ data, event }) => onEvent(data, event),
    onError: ({ type }) => {
      if (type === "max-buffer-size-exceeded") isEventTooLarge = true;
    },
  });

  function feed(text: string): void {
    for (const piece of piecesOf(text)) {
      if (piece.kind === "lines") parser.feed(piece.text);
      else onEvent(piece.data, piece.name);
    }
  }

  return {
    push: (bytes) => {
      // Checked before the next bytes, so that complete events before an endless one aren't lost with it.
      if (isEventTooLarge || lines.pendingBytes() > maxEventBytes) {
        throw new ParleyError("answer_too_large", {
          cause: new Error(`An event of the stream is larger than ${maxEventBytes} bytes.`),
        });
      }
      bytesInAll += bytes.length;
      if (bytesInAll > maxRunBytes) {
        throw new ParleyError("answer_too_large", {
          what: `The agent sent more than ${Math.floor(maxRunBytes / 1024 / 1024)} MB while it worked, so Parley stopped reading.`,
          cause: new Error(`A run is larger than ${maxRunBytes} bytes.`),
        });
      }
      const text = lines.push(bytes);
      if (text !== "") feed(text);
    },
    end: () => {
      if (!isEventTooLarge) feed(`${lines.end()}\n\n`);
    },
  };
}
