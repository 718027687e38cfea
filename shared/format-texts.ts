/**
 * Texts that say how a setting has to be written. The message of a schema's issue can only be one text, so it is the
 * name of a row here; code that shows the issue to a person takes both languages from the row.
 */
import type { FaultText } from "./fault-codes/fault-row.js";
import type { Texts } from "./texts.js";

export const formatTexts = {
  timeOfDay: { en: "must be a time of day as HH:MM", ru: "нужно время суток в виде ЧЧ:ММ" },
  timeZone: { en: "must be a time zone such as Europe/Moscow", ru: "нужен часовой пояс, например Europe/Moscow" },
  webAddress: {
    en: "must be an address that begins with http:// or https://",
    ru: "нужен адрес, который начинается с http:// или https://",
  },
  credentials: {
    en: "must be without user:password@; a site has `auth` for it",
    ru: "без user:password@; для сайта есть `auth`",
  },
  mailAddress: { en: "must be a mail address", ru: "нужен адрес почты" },
  mailAddresses: { en: "must be a mail address, or a list of them", ru: "нужен адрес почты или список таких адресов" },
  smtpAddress: {
    en: "must be an address such as smtps://user:password@smtp.shop.example:465, with %40 for @ and %2F for / in its user and password",
    ru: "нужен адрес вида smtps://user:password@smtp.shop.example:465; в имени и пароле вместо @ пишется %40, вместо / - %2F",
  },
  inn: { en: "must be 10 or 12 digits", ru: "нужны 10 или 12 цифр" },
  innOrEmpty: { en: "must be 12 digits or empty", ru: "нужны 12 цифр или ничего" },
  secret: {
    en: 'must be text, {"fromFile": "path"} or {"fromEnv": "NAME"}',
    ru: 'нужен текст, {"fromFile": "путь"} или {"fromEnv": "ИМЯ"}',
  },
  receiptLink: {
    en: 'must be {"preset": NAME} or {"template": "https://..."}',
    ru: 'нужно {"preset": ИМЯ} или {"template": "https://..."}',
  },
  id: {
    en: "may have letters, digits, dot, dash and underscore, at most 64",
    ru: "допустимы латинские буквы, цифры, точка, дефис и подчёркивание, не больше 64 знаков",
  },
  controlCharacter: {
    en: "has a control character: write a backslash twice (C:\\\\temp), or as / (C:/temp)",
    ru: "есть управляющий символ: обратная косая черта пишется дважды (C:\\\\temp) или как / (C:/temp)",
  },
  headerName: { en: "is no name of an HTTP header", ru: "это не имя заголовка HTTP" },
  printService: { en: "must be an address like http://127.0.0.1:16732", ru: "нужен адрес вида http://127.0.0.1:16732" },
  bareAddress: {
    en: "must end with the port: the register, user and password go into options.deviceId, user and password",
    ru: "адрес кончается портом: касса, пользователь и пароль - в options.deviceId, user и password",
  },
  kkm: { en: "must be 16 digits", ru: "нужны 16 цифр" },
  number: { en: "a number", ru: "нужно число" },
  password: { en: "must be a number from 0 to 4294967295", ru: "нужно число от 0 до 4294967295" },
} satisfies Texts;

type Format = keyof typeof formatTexts;

export function wrongFormat(format: Format): Format {
  return format;
}

/** The row that an issue's message names; null: the message names no row. */
export function formatText(message: string): FaultText | null {
  const rows: Readonly<Record<string, FaultText>> = formatTexts;
  return Object.hasOwn(rows, message) ? (rows[message] ?? null) : null;
}
