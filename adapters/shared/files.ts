/** Opens files that people attached. A message can name any URL as its file's, so only a platform's own are fetched. */
import { ParleyError } from "../../src/core/errors.ts";
import { fileSentences } from "../../src/presentation/sentences.ts";

export type FileHost = {
  /** As people call the platform. */
  readonly name: string;
  /** Host names of its files, over https. Those below a name that begins with a dot belong to it, too. */
  readonly hosts: readonly string[];
  /** Its API can be elsewhere, such as in a test: files of the same origin are its own. */
  readonly apiUrl: string;
  /** What to do if a file can't be read. */
  readonly hint: string;
  /** Why that status means something else than that the platform failed. */
  readonly refusal: (status: number) => string | undefined;
};

/**
 * Resolves with the file's content. Rejects with ParleyError if the file can't be read, with fetch's own failure
 * otherwise. `sizeBytes`: reading stops beyond what the platform announced.
 */
export async function openFile(
  host: FileHost,
  url: string,
  { sizeBytes, ...request }: RequestInit & { readonly sizeBytes?: number },
): Promise<AsyncIterable<Uint8Array>> {
  if (!isOf(host, url)) throw unreadable(host, fileSentences.elsewhere(host.name));
  const response = await fetch(url, request);
  if (response.ok && response.body !== null) {
    return sizeBytes === undefined ? response.body : bounded(response.body, sizeBytes, host);
  }
  await response.body?.cancel();
  throw unreadable(host, host.refusal(response.status) ?? fileSentences.answered(host.name, response.status));
}

function isOf({ hosts, apiUrl }: FileHost, text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, origin } = new URL(text);
  const isTheirs = hosts.some((host) => hostname === host || (host.startsWith(".") && hostname.endsWith(host)));
  return (protocol === "https:" && isTheirs) || origin === new URL(apiUrl).origin;
}

async function* bounded(
  body: AsyncIterable<Uint8Array>,
  sizeBytes: number,
  host: FileHost,
): AsyncGenerator<Uint8Array, void> {
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes > sizeBytes) throw unreadable(host, `it's larger than ${host.name} said`);
    yield chunk;
  }
}

function unreadable({ hint }: FileHost, why: string): ParleyError {
  return new ParleyError("platform_refused", { what: fileSentences.unreadable(why), hint });
}
