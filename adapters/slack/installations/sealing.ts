/** Encrypts tokens before they are stored: who can read the store still can't act in a workspace. */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

const ivBytes = 12;
const tagBytes = 16;

/** Changing it makes everything sealed before unreadable. */
const purpose = "parley: Slack installations";

/** AES-256-GCM with a key derived from the secret. `about` is bound in: sealed text doesn't open for another one. */
export function createSeal(secret: string) {
  const key = new Uint8Array(hkdfSync("sha256", secret, "", purpose, 32));
  return {
    seal: (text: string, about: string): string => {
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv("aes-256-gcm", key, iv).setAAD(Buffer.from(about));
      const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString("base64");
    },
    /** Undefined: sealed with another secret, about something else, or changed. */
    open: (sealed: string, about: string): string | undefined => {
      const bytes = Buffer.from(sealed, "base64");
      if (bytes.length < ivBytes + tagBytes) return undefined;
      try {
        const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, ivBytes), { authTagLength: tagBytes });
        decipher.setAAD(Buffer.from(about)).setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
        return Buffer.concat([decipher.update(bytes.subarray(ivBytes + tagBytes)), decipher.final()]).toString("utf8");
      } catch {
        return undefined;
      }
    },
  };
}
