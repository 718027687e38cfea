import { webhookHeaders } from "@fiscald/shared/http/webhook-headers.js";
import type { SiteAuth } from "../config/site-schema.js";

export interface CallToSign {
  readonly id: string;
  /** Wall clock, ms. */
  readonly now: number;
  /** The exact characters of the body. */
  readonly body: string;
}

/** The headers that prove the daemon to the site. The message id is always among them: repeats have the same one. */
export function authHeaders(auth: SiteAuth, call: CallToSign): Record<string, string> {
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
