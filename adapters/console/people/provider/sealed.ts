/**
 * Seals what a browser keeps for Parley while a person is at the provider, so that it can neither be read nor changed
 * there. Nothing is stored, so strangers who begin to sign in cost no storage, and any instance can finish.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

const ivBytes = 12;
const tagBytes = 16;

/** `secret`: every instance has the same. */
export function createSeal(secret: string) {
  const key = new Uint8Array(hkdfSync("sha256", secret, "", "parley sign-in attempt", 32));

  return {
    seal: (value: object): string => {
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv("aes-256-gcm", key, iv);
      const content = Buffer.concat([cipher.update(JSON.stringify(value), "utf8"), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), content]).toString("base64url");
    },

    /** Undefined if it was sealed with another secret, or changed. */
    open: (sealed: string | undefined): unknown => {
      const bytes = Buffer.from(sealed ?? "", "base64url");
      if (bytes.length <= ivBytes + tagBytes) return undefined;
      try {
        const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, ivBytes), { authTagLength: tagBytes });
        decipher.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
        const content = Buffer.concat([decipher.update(bytes.subarray(ivBytes + tagBytes)), decipher.final()]);
        return JSON.parse(content.toString("utf8"));
      } catch {
        return undefined;
      }
    },
  };
}
