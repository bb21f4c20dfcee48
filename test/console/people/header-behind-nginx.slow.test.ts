/** A real nginx that signs people in with a password, and tells Parley who they are. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasNginx, type Nginx, startNginx } from "../../doubles/processes/nginx.ts";
import { createParleyProcess, type ParleyProcess } from "../../doubles/processes/parley-process.ts";
import { nginxAddress } from "../nginx/documented-nginx.ts";

describe.skipIf(!hasNginx())("a user's name that nginx puts into a header", () => {
  let parley: ParleyProcess;
  let nginx: Nginx;

  beforeAll(async () => {
    parley = await createParleyProcess(() => ({
      PUBLIC_URL: nginx.url,
      TRUSTED_USER_HEADER: "X-Forwarded-User",
      TRUSTED_PROXY: nginxAddress,
      MANAGERS: "console:ana",
      INGESTERS: "console:ana",
    }));
    const passwords = join(parley.dataDir, "passwords");
    await writeFile(passwords, "ana:{PLAIN}secret\nben:{PLAIN}secret\n");
    nginx = await startNginx(`
      auth_basic "Parley"; auth_basic_user_file ${passwords};
      location / {
        proxy_pass ${parley.url}; proxy_bind ${nginxAddress};
        proxy_set_header Host $http_host;
        proxy_set_header X-Forwarded-User $remote_user;
      }`);
    await parley.start();
  });
  afterAll(async () => {
    await parley?.close();
    await nginx?.stop();
  });

  const me = async (url: string, headers: Record<string, string>) => {
    const response = await fetch(`${url}/api/me`, { headers });
    const text = await response.text();
    return { status: response.status, ...(text.startsWith("{") ? JSON.parse(text) : {}) };
  };
  const as = (name: string) => ({ authorization: `Basic ${Buffer.from(`${name}:secret`).toString("base64")}` });

  it("says who people are, and what they may do", async () => {
    expect(await me(nginx.url, as("ana"))).toMatchObject({ status: 200, id: "ana", role: "manage", how: "header" });
    expect(await me(nginx.url, as("ben"))).toMatchObject({ status: 200, id: "ben", role: "ask" });
  });

  it.each(["x-forwarded-user", "X-FORWARDED-USER", "X_Forwarded_User"])(
    "replaces the one that a browser invents: %s",
    async (name) => {
      expect(await me(nginx.url, { ...as("ben"), [name]: "ana" })).toMatchObject({ id: "ben", role: "ask" });
    },
  );

  it("counts from nginx alone, not from other programs on the machine", async () => {
    expect(await me(parley.url, { "x-forwarded-user": "ana" })).toMatchObject({ status: 403 });
    expect(await me(parley.url, {})).toMatchObject({ status: 401 });
  });
});
