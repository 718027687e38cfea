import { z } from "zod";
import { type ConfigSurroundings, secretField, webAddress } from "./field-types.js";

const mailAddress = z.string().regex(/^[^\s@<>]+@[^\s@<>]+$/, "must be a mail address");
const mailServer = z.string().refine(isMailServer, {
  error:
    "must be an address such as smtps://user:password@smtp.shop.example:465, with %40 for @ and %2F for / in its user and password",
});

/** Under names that `logging/mask.ts` hides. */
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
      .union([mailAddress, z.array(mailAddress).min(1).max(20)], { error: "must be a mail address, or a list of them" })
      .transform((to) => [to].flat())
      .describe("Who gets the word: one address or a list"),
  });
  return z.strictObject({
    afterMinutes: z
      .int()
      .min(1)
      .max(1440)
      .default(10)
      .describe("How long a trouble may last before a person gets a word"),
    mail: mail.nullable().prefault(null).describe("By mail; null = not"),
    url: secret
      .pipe(webAddress)
      .nullable()
      .prefault(null)
      .describe(
        'Gets `POST {"text"}`; all else, such as the `chat_id` of a Telegram bot, stands in its query; null = not',
      ),
  });
}

export type AlertsConfig = z.output<ReturnType<typeof alertsSchema>>;
export type MailConfig = NonNullable<AlertsConfig["mail"]>;

function isMailServer(text: string): boolean {
  return URL.canParse(text) && /^smtps?:$/.test(new URL(text).protocol) && new URL(text).hostname !== "";
}
