/**
 * Uploads a file in the background, with its progress. A loss of connection is retried from the beginning until it
 * works; what the server refuses ends with its sentence.
 */
import { plain } from "../drawing/element.js";
import { at } from "./address.js";
import { newId, request } from "./connection.js";

const retryDelaysMs = [1000, 2000, 4000, 8000, 15_000];
/** A browser opens at most six connections to a server, and the page needs some itself. */
const maxAtOnce = 2;

let running = 0;
const inLine = [];
const sleeping = new Set();

async function turn() {
  if (running >= maxAtOnce) await new Promise((resolve) => inLine.push(resolve));
  running += 1;
}

function next() {
  running -= 1;
  inLine.shift()?.();
}

/** Retries at once: the server is reachable again. */
export function wakeUploads() {
  for (const wake of sleeping) wake();
}
addEventListener("online", wakeUploads);

function pause(failures) {
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
function put(id, file, { onProgress, onBegin }) {
  return new Promise((resolve) => {
    const sending = new XMLHttpRequest();
    sending.open("PUT", at(`api/uploads/${encodeURIComponent(id)}`));
    sending.setRequestHeader("content-type", "application/octet-stream");
    sending.upload.addEventListener("progress", ({ loaded }) => onProgress(loaded));
    const end = () => resolve({ status: sending.status, body: parsed(sending.responseText) });
    for (const event of ["load", "error", "abort", "timeout"]) sending.addEventListener(event, end);
    onBegin(() => sending.abort());
    sending.send(file);
  });
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isRefusal = ({ status }) => status >= 400 && status < 500 && status !== 401 && status !== 429;

function reasonOf({ status, body }, name) {
  if (body?.error !== undefined) return `${body.error.what} ${body.error.hint}`;
  // Parley's own refusals have a reason, so this one is a proxy's: nginx allows 1 MB unless it is told otherwise.
  if (status === 413)
    return `“${plain(name)}” is larger than the proxy in front of Parley allows. Tell your Parley admin.`;
  return `“${plain(name)}” couldn't be uploaded.`;
}

/** The file may have been moved or changed since it was chosen; a folder can't be read either. */
async function isReadable(file) {
  try {
    await file.slice(0, 1).arrayBuffer();
    return true;
  } catch {
    return false;
  }
}

/** A file that was uploaded before, for example before a reload. */
export function uploaded({ id, name, sizeBytes }) {
  const upload = { key: newId(), id, name, sizeBytes, state: "done", share: 1, ended: Promise.resolve() };
  upload.remove = () => end(upload);
  return upload;
}

/** If this fails, it goes within a day. */
const remove = (id) => request("DELETE", `/api/uploads/${encodeURIComponent(id)}`);

function end(upload) {
  upload.state = "removed";
  upload.stop?.();
  if (upload.id !== undefined) remove(upload.id);
}

/**
 * `state`: "uploading", "waiting" (for the connection), "done", "failed" with a `problem`, or "removed". `ended`
 * resolves with one of the last three. `changed` can be replaced: it is called after each change.
 */
export function startUpload(file, changed) {
  const { name, size: sizeBytes } = file;
  const upload = { key: newId(), id: undefined, name, sizeBytes, state: "uploading", share: 0, changed };
  upload.remove = () => end(upload);

  function become(change) {
    if (upload.state === "removed") return;
    Object.assign(upload, change);
    upload.changed();
  }

  /** False: it has to be tried again. */
  async function attempt() {
    if (!(await isReadable(file))) {
      become({ state: "failed", problem: `“${plain(name)}” can't be read. Attach it again.` });
      return true;
    }
    // If its answer was lost, it would take up room for a day.
    if (upload.id !== undefined) remove(upload.id);
    const announced = await request("POST", "/api/uploads", { name, mediaType: file.type, sizeBytes });
    if (isRefusal(announced)) {
      become({ state: "failed", problem: reasonOf(announced, name) });
      return true;
    }
    if (announced.status !== 201) return false;
    upload.id = announced.body.id;
    if (upload.state === "removed") return true;
    const sent = await put(upload.id, file, {
      onBegin: (stop) => {
        upload.stop = stop;
      },
      onProgress: (loaded) => become({ state: "uploading", share: Math.min(1, loaded / Math.max(1, sizeBytes)) }),
    });
    if (sent.status === 200) become({ state: "done", share: 1, name: announced.body.name });
    else if (isRefusal(sent)) {
      // A proxy's refusal is unknown to the server, which expects the file for minutes, and only few at once.
      remove(upload.id);
      upload.id = undefined;
      become({ state: "failed", problem: reasonOf(sent, name) });
    } else return false;
    return true;
  }

  async function run() {
    for (let failures = 1; ; failures += 1) {
      await turn();
      const isOver = upload.state === "removed" || (await attempt());
      next();
      if (isOver || upload.state === "removed") break;
      become({ state: "waiting", share: 0 });
      await pause(failures);
    }
    if (upload.state === "removed" && upload.id !== undefined) remove(upload.id);
  }
  upload.ended = run();
  return upload;
}
