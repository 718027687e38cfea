import { Webhook } from "standardwebhooks";
import { Fault } from "../fault.js";

export interface WebhookSigning {
  /** The id of the message, which every repeat of the message has too. */
  readonly id: string;
  /** Wall clock of the sending, milliseconds since the epoch. */
  readonly now: number;
  readonly body: string;
  /** The signing secret; null: the headers have no signature. */
  readonly secret: string | null;
}

/** The headers of the Standard Webhooks convention: id, timestamp in seconds, and a signature if there is a secret. */
export function webhookHeaders({ id, now, body, secret }: WebhookSigning): Record<string, string> {
  const seconds = Math.floor(now / 1000);
  const headers = { "webhook-id": id, "webhook-timestamp": String(seconds) };
  if (secret === null) return headers;
  const webhook = createWebhook(secret);
  if (webhook === null) throw new Fault("config.invalid", { message: "The signing secret is not base64." });
  return { ...headers, "webhook-signature": webhook.sign(id, new Date(seconds * 1000), body) };
}

/** Null for a wrong signing secret: it must be base64 of at least one byte, with or without `whsec_` before it. */
export function createWebhook(secret: string): Webhook | null {
  try {
    return new Webhook(secret);
  } catch {
    return null;
  }
}
