import { z } from "zod";
import { type ConfigSurroundings, fileTextField, port, secretField, webAddress } from "./field-types.js";

const address = z.string().regex(/^[^\s@<>]+@[^\s@<>]+$/, "must be a mail address");

/** Under names that `logging/mask.ts` hides. */
export function alertsSchema(surroundings: ConfigSurroundings) {
  const secret = secretField(surroundings);
  const mail = z
    .strictObject({
      host: z.string().min(1).describe("The mail server (SMTP)"),
      port: port.default(465).describe("Its port: mostly 465 with `secure`, 587 without"),
      secure: z.boolean().default(true).describe("TLS from the first byte; false = by STARTTLS, where it is offered"),
      user: z.string().min(1).nullable().default(null).describe("Login; null = none"),
      passwordFile: fileTextField(surroundings)
        .nullable()
        .prefault(null)
        .describe("File whose text is the password of that login"),
      from: address.describe("Sender"),
      to: z.array(address).min(1).max(20).describe("Who gets the word"),
    })
    .transform(({ passwordFile, ...rest }) => ({ ...rest, password: passwordFile?.trim() ?? null }));
  const http = z
    .strictObject({
      url: secret
        .pipe(webAddress)
        .describe("Gets a POST with JSON; the address of a Telegram bot holds its token: keep it in a file"),
      headers: z.record(z.string(), secret).default({}).describe("Headers besides, such as `Authorization`"),
      body: z
        .record(z.string(), z.unknown())
        .default({ title: "{title}", text: "{text}" })
        .describe("The JSON, with `{title}` and `{text}` in its strings"),
    })
    .transform(({ url, ...rest }) => ({ ...rest, secretUrl: url }));
  return z.strictObject({
    afterMinutes: z
      .int()
      .min(1)
      .max(1440)
      .default(10)
      .describe("How long a trouble may last before a person gets a word"),
    mail: mail.nullable().prefault(null).describe("By mail; null = not"),
    http: http.nullable().prefault(null).describe("To an HTTP address; null = not"),
  });
}

export type AlertsConfig = z.output<ReturnType<typeof alertsSchema>>;
export type MailConfig = NonNullable<AlertsConfig["mail"]>;
export type HttpAlertConfig = NonNullable<AlertsConfig["http"]>;
