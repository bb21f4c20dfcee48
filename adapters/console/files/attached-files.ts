/** The files that a message, command or form of the page comes with: found by their ids, kept, and opened to be read. */

import { ParleyError } from "../../../src/core/errors.ts";
import type { Attachment } from "../../../src/core/model/place.ts";
import type { ChatPlatform } from "../../../src/core/ports/chat-platform.ts";
import type { Log } from "../../../src/core/ports/log.ts";
import type { AttachedFile } from "../writing/messages.ts";
import { attachmentOf, gone, type Upload, type Uploads, type UsedBy } from "./uploads.ts";

export type Attached = { readonly attachments: readonly Attachment[]; readonly files: readonly AttachedFile[] };

export type AttachedFiles = ReturnType<typeof createAttachedFiles>;

export function createAttachedFiles({ uploads, log }: { readonly uploads: Uploads; readonly log: Log }) {
  return {
    /**
     * `by`: the message that shows them; without one they are kept for a day. Throws file_refused when a file is not
     * there, not complete, another person's, or in another message.
     */
    take: async (ids: readonly string[] = [], personId: string, by?: UsedBy): Promise<Attached> => {
      const found: Upload[] = [];
      for (const id of new Set(ids)) {
        const own = await uploads.findOwn(personId, id);
        const upload = own && (await (by === undefined ? uploads.useOnce(id) : uploads.use(id, by)));
        if (upload === undefined) throw missing();
        found.push(upload);
      }
      return {
        attachments: found.map(attachmentOf),
        files: found.map(({ id, name, sizeBytes }) => ({ id, name, sizeBytes })),
      };
    },

    /** Of a message, as far as they are still stored. */
    of: async (files: readonly AttachedFile[] = []): Promise<readonly Attachment[]> => {
      const found = await Promise.all(files.map(({ id }) => uploads.find(id)));
      return found.flatMap((upload) => (upload === undefined ? [] : [attachmentOf(upload)]));
    },

    open: (async ({ reference }, _place, signal) => {
      const upload = await uploads.find(reference);
      if (upload?.state === "complete") return uploads.read(upload, signal);
      log.info({ file: reference }, "A file that was attached on the page is no longer stored");
      throw gone();
    }) satisfies ChatPlatform["openAttachment"],
  };
}

function missing(): ParleyError {
  return new ParleyError("file_refused", {
    what: "An attached file is no longer stored here.",
    hint: "Attach it again, then send.",
  });
}
