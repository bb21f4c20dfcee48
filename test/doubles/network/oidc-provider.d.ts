/** What tests use of oidc-provider, which has no types of its own. */
declare module "oidc-provider" {
  import type { RequestListener } from "node:http";

  type Grant = { addOIDCScope: (scope: string) => void; save: () => Promise<string> };

  export default class Provider {
    constructor(issuer: string, configuration: object);
    readonly Grant: {
      new (about: { clientId: string; accountId: string }): Grant;
      find: (id: string) => Promise<Grant | undefined>;
    };
    /** Believes X-Forwarded headers. */
    proxy: boolean;
    callback(): RequestListener;
  }
}
