/** How a caller proves itself to a site, by the kinds of `sites[].auth` in the config. */
import { type WebhookSigning, webhookHeaders } from "./webhook-headers.js";

export type SiteAuth =
  | { readonly kind: "none" }
  | { readonly kind: "basic"; readonly user: string; readonly password: string }
  | { readonly kind: "bearer"; readonly token: string }
  | { readonly kind: "header"; readonly name: string; readonly value: string }
  /** A signature by Standard Webhooks. */
  | { readonly kind: "signature"; readonly secret: string };

/** The headers that prove the caller to the site, with the message's id, which every repeat has too. */
export function authHeaders(auth: SiteAuth, call: Omit<WebhookSigning, "secret">): Record<string, string> {
  const message = webhookHeaders({ ...call, secret: auth.kind === "signature" ? auth.secret : null });
  switch (auth.kind) {
    case "none":
    case "signature":
      return message;
    case "basic":
      return { ...message, authorization: `Basic ${Buffer.from(`${auth.user}:${auth.password}`).toString("base64")}` };
    case "bearer":
      return { ...message, authorization: `Bearer ${auth.token}` };
    case "header":
      return { ...message, [auth.name]: auth.value };
  }
}
