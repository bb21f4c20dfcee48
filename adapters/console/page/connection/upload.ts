/**
 * Uploads a file in the background, with its progress. A loss of connection is retried from the beginning until it
 * works; what the server refuses ends with its sentence.
 */
import { plain } from "../drawing/element.ts";
import { at } from "./address.ts";
import { type Answer, newId, type Refusal, request } from "./connection.ts";

const retryDelaysMs = [1000, 2000, 4000, 8000, 15_000];
/** A browser opens at most six connections to a server, and the page needs some itself. */
const maxAtOnce = 2;

/** Metadata of an uploaded file, as the server has it. */
export type KnownFile = { readonly id: string; readonly name: string; readonly sizeBytes: number };

export type Upload = {
  /** Its key on this page. */
  readonly key: string;
  /** Its id on the server, undefined until the upload is announced there. */
  id: string | undefined;
  name: string;
  readonly sizeBytes: number;
  /** "waiting": until the connection is back. */
  state: "uploading" | "waiting" | "done" | "failed" | "removed";
  /** 0 to 1. */
  share: number;
  /** Why it failed. */
  problem?: string;
  /** Called after each change. */
  changed: () => void;
  readonly remove: () => void;
  /** Resolves with "done", "failed" or "removed". */
  ended: Promise<void>;
  /** Ends the request that runs. */
  stop?: () => void;
};

let running = 0;
const inLine: (() => void)[] = [];
const sleeping = new Set<() => void>();

async function turn(): Promise<void> {
  if (running >= maxAtOnce) await new Promise<void>((resolve) => inLine.push(resolve));
  running += 1;
}

function next(): void {
  running -= 1;
  inLine.shift()?.();
}

/** Retries at once: the server is reachable again. */
export function wakeUploads(): void {
  for (const wake of sleeping) wake();
}
addEventListener("online", wakeUploads);

function pause(failures: number): Promise<void> {
  return new Promise((resolve) => {
    const wake = () => {
      clearTimeout(timer);
      sleeping.delete(wake);
      resolve();
    };
    const timer = setTimeout(wake, retryDelaysMs[Math.min(failures, retryDelaysMs.length) - 1]);
    sleeping.add(wake);
  });
}

/** Not with fetch, which tells no progress. Resolves to the status; 0: the connection broke off. */
function put(
  id: string,
  file: File,
  {
    onProgress,
    onBegin,
  }: { readonly onProgress: (loaded: number) => void; readonly onBegin: (stop: () => void) => void },
): Promise<Pick<Answer<never>, "status" | "refusal">> {
  return new Promise((resolve) => {
    const sending = new XMLHttpRequest();
    sending.open("PUT", at(`api/uploads/${encodeURIComponent(id)}`));
    sending.setRequestHeader("content-type", "application/octet-stream");
    sending.upload.addEventListener("progress", ({ loaded }) => onProgress(loaded));
    const end = () => {
      const refusal = parsed(sending.responseText);
      // As in connection.ts: a success without JSON isn't Parley's.
      resolve({ status: sending.status === 200 && refusal === undefined ? 0 : sending.status, refusal });
    };
    for (const event of ["load", "error", "abort", "timeout"]) sending.addEventListener(event, end);
    onBegin(() => sending.abort());
    sending.send(file);
  });
}

function parsed(text: string): Refusal | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isRefusal = ({ status }: { readonly status: number }) =>
  status >= 400 && status < 500 && status !== 401 && status !== 429;

function reasonOf({ status, refusal }: Pick<Answer<never>, "status" | "refusal">, name: string): string {
  if (refusal?.error !== undefined) return `${refusal.error.what} ${refusal.error.hint}`;
  // Parley's own refusals have a reason, so this one is a proxy's: nginx allows 1 MB unless it is told otherwise.
  if (status === 413)
    return `“${plain(name)}” is larger than the proxy in front of Parley allows. Tell your Parley admin.`;
  return `“${plain(name)}” couldn't be uploaded.`;
}

/** The file may have been moved or changed since it was chosen; a folder can't be read either. */
async function isReadable(file: File): Promise<boolean> {
  try {
    await file.slice(0, 1).arrayBuffer();
    return true;
  } catch {
    return false;
  }
}

/** A file that was uploaded before, for example before a reload. */
export function uploaded({ id, name, sizeBytes }: KnownFile): Upload {
  const upload: Upload = {
    key: newId(),
    id,
    name,
    sizeBytes,
    state: "done",
    share: 1,
    changed: () => {},
    remove: () => end(upload),
    ended: Promise.resolve(),
  };
  return upload;
}

/** If this fails, it goes within a day. */
const remove = (id: string) => request("DELETE", `/api/uploads/${encodeURIComponent(id)}`);

function end(upload: Upload): void {
  upload.state = "removed";
  upload.stop?.();
  if (upload.id !== undefined) remove(upload.id);
}

export function startUpload(file: File, changed: () => void): Upload {
  const { name, size: sizeBytes } = file;
  const upload: Upload = {
    key: newId(),
    id: undefined,
    name,
    sizeBytes,
    state: "uploading",
    share: 0,
    changed,
    remove: () => end(upload),
    ended: Promise.resolve(),
  };
  /** As it is by now: it may have been removed meanwhile. */
  const isRemoved = () => upload.state === "removed";

  function become(change: Partial<Pick<Upload, "state" | "share" | "problem" | "name">>): void {
    if (isRemoved()) return;
    Object.assign(upload, change);
    upload.changed();
  }

  /** False: it has to be tried again. */
  async function attempt(): Promise<boolean> {
    if (!(await isReadable(file))) {
      become({ state: "failed", problem: `“${plain(name)}” can't be read. Attach it again.` });
      return true;
    }
    // If its answer was lost, it would take up room for a day.
    if (upload.id !== undefined) remove(upload.id);
    const announced = await request<KnownFile>("POST", "/api/uploads", { name, mediaType: file.type, sizeBytes });
    if (isRefusal(announced)) {
      become({ state: "failed", problem: reasonOf(announced, name) });
      return true;
    }
    const { body } = announced;
    if (body === undefined) return false;
    upload.id = body.id;
    if (isRemoved()) return true;
    const sent = await put(body.id, file, {
      onBegin: (stop) => {
        upload.stop = stop;
      },
      onProgress: (loaded) => become({ state: "uploading", share: Math.min(1, loaded / Math.max(1, sizeBytes)) }),
    });
    if (sent.status === 200) become({ state: "done", share: 1, name: body.name });
    else if (isRefusal(sent)) {
      // A proxy's refusal is unknown to the server, which expects the file for minutes, and only few at once.
      remove(body.id);
      upload.id = undefined;
      become({ state: "failed", problem: reasonOf(sent, name) });
    } else return false;
    return true;
  }

  async function run(): Promise<void> {
    for (let failures = 1; ; failures += 1) {
      await turn();
      const isOver = isRemoved() || (await attempt());
      next();
      if (isOver || isRemoved()) break;
      become({ state: "waiting", share: 0 });
      await pause(failures);
    }
    if (isRemoved() && upload.id !== undefined) remove(upload.id);
  }
  upload.ended = run();
  return upload;
}
