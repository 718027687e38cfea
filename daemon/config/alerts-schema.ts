import { wrongFormat } from "@fiscald/shared/format-texts.js";
import { z } from "zod";
import { type ConfigSurroundings, limitedNumber, orNull, secretField, webAddress } from "./field-types.js";

const mailAddress = z.string().regex(/^[^\s@<>]+@[^\s@<>]+$/, wrongFormat("mailAddress"));
const mailServer = z.string().refine(isMailServer, {
  error: wrongFormat("smtpAddress"),
});

/** The values hold passwords and tokens, so the keys have names that `logging/mask.ts` hides. */
export function alertsSchema(surroundings: ConfigSurroundings) {
  const secret = secretField(surroundings);
  const mail = z.strictObject({
    smtp: secret
      .pipe(mailServer)
      .describe(
        "The mail server: `smtps://user:password@host:port` (TLS from the first byte, port 465) or `smtp://` (STARTTLS, port 587)",
      ),
    from: mailAddress.describe("Sender"),
    to: z
      .union([mailAddress, z.array(mailAddress).min(1).max(20)], { error: wrongFormat("mailAddresses") })
      .transform((to) => [to].flat())
      .describe("Who gets the word: one address or a list"),
  });
  return z.strictObject({
    afterMinutes: limitedNumber(1, 1440, 10).describe("How long a trouble may last before a person gets a word"),
    mail: orNull(mail).describe("By mail; null = not"),
    url: orNull(secret.pipe(webAddress)).describe(
      'Gets `POST {"text"}`; all else, such as the `chat_id` of a Telegram bot, stands in its query; null = not',
    ),
  });
}

export type AlertsConfig = z.output<ReturnType<typeof alertsSchema>>;
export type MailConfig = NonNullable<AlertsConfig["mail"]>;

function isMailServer(text: string): boolean {
  return URL.canParse(text) && /^smtps?:$/.test(new URL(text).protocol) && new URL(text).hostname !== "";
}
