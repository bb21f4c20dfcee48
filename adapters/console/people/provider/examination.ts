/** The doctor's question to the sign-in provider: does it answer, and as whom? */
import type { PlatformFinding } from "../../../../src/core/ports/platform-module.ts";
import { discover, type ProviderSettings } from "./provider.ts";

export async function examineProvider(settings: ProviderSettings): Promise<PlatformFinding> {
  const { issuer } = settings;
  try {
    const metadata = (await discover(settings)).serverMetadata();
    const lacking = metadata.token_endpoint === undefined || metadata.authorization_endpoint === undefined;
    if (lacking) return { isOk: false, says: `can't use ${issuer}: it offers no sign-in with a code` };
    return { isOk: true, says: `signs people in at ${issuer}` };
  } catch (thrown) {
    const why = thrown instanceof Error ? thrown.message : "no answer";
    return { isOk: false, says: `can't sign anyone in: ${issuer} isn't reachable as OIDC_ISSUER (${why})` };
  }
}
