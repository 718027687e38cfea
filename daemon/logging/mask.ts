/** Masks personal data and secrets. Numbers of orders, registers, drives and taxpayers are no secrets. */
import { unescape as percentDecoded } from "node:querystring";

const plainFields =
  /^(order|orderId|receiptId|external_id|kkm|polledKkm|inn|fn|fp|fpd|fiscalSign|register|site|job|event|fd|fdNumber|shiftNumber|receiptNumber|mark|serial|code|pid)$/;
const secretFields =
  /^(?!.*file$)(value|smtp|.*(passw|pasw|pwd|secret|token|authorization|cookie|signature|api-?key).*)$/i;
/** The place where a secret is found is no secret itself. */
const secretSources = new Set(["fromFile", "fromEnv"]);
const contactFields = /^(contact|email|e-mail|phone|tel|clientContact)$/i;
/** All fields inside these objects describe a person. */
const personFields = /^(buyer|cashier|client|customer)$/i;
/** In `auth` of a config only these keys stay readable, because a misspelt key may hold a secret. */
const openInAuth = new Set(["kind", "name"]);
/** Keys of a receipt's QR code. In addresses they stay readable. */
const plainQueryKeys = new Set(["t", "s", "fn", "i", "fd", "fp", "n"]);

const email = /([\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]*@([\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+)/gu;
/** A taxpayer number (INN) looks like a phone number, so our messages write "taxpayer" in front of an INN. */
const phone =
  /(?<!\btaxpayer (?=(?:\d{10}|\d{12})\b))(?<![\p{L}\p{N}])(\+\d{1,4}|[78](?=[ (-]*\d{3}))[ (-]*\d{2,3}[\d )-]{3,12}\d{2}(?![\p{L}\p{N}])/gu;
const credentials = /\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=-]{4,}/gi;
/** The token in the addresses of a Telegram bot. */
const botToken = /\b(bot)?\d{6,}:[A-Za-z0-9_-]{30,}/g;
const signingSecret = /whsec_[A-Za-z0-9+/=]+/g;
const userInfo = /((?:https?|smtps?):\/\/)[^/\s]+@/gi;
const queryValue = /([?&])([^=&\s"']+)=([^&\s"'#]*)/g;
/** Frames are written as "02 05 FF". Anybody with a code table can read the letters and digits in a frame. */
const frame = /(?<![0-9A-Fa-f])(?:[0-9A-F]{2} ){5,}[0-9A-F]{2}(?![0-9A-Fa-f])/g;
const textInFrame = [
  /[\wа-я.%+-]+@[\wа-я-]+(?:\.[\wа-я-]+)+/g,
  /\+\d{10,15}/g,
  /(?<=authorization: )[^\0]+/gi,
  /(?<="(?:password|emailOrPhone)" ?: ?")[^"\0]*/g,
];

export function maskText(text: string): string {
  return text
    .replace(frame, maskFrame)
    .replace(userInfo, "$1***@")
    .replace(queryValue, (whole, mark: string, key: string) => (plainQueryKeys.has(key) ? whole : `${mark}${key}=***`))
    .replace(signingSecret, "whsec_***")
    .replace(botToken, "$1***")
    .replace(credentials, "$1 ***")
    .replace(email, "$1***@$2")
    .replace(phone, maskPhone);
}

export function maskValue(value: unknown, key = ""): unknown {
  if (value === null || value === undefined) return value;
  if (secretFields.test(key)) return maskSecret(value);
  if (typeof value === "string") return maskField(key, value);
  if (typeof value === "number" || typeof value === "boolean") return value;
  if (Array.isArray(value)) return value.map((entry) => maskValue(entry, key));
  if (typeof value !== "object") return String(value);
  if (personFields.test(key)) return mapFields(value, (inner, name) => maskPerson(inner, name));
  if (key === "auth") return mapFields(value, (inner, name) => (openInAuth.has(name) ? inner : maskSecret(inner)));
  return mapFields(value, (inner, name) =>
    maskValue(inner, isContactLine(value) && /^data$/i.test(name) ? "contact" : fieldName(key, name)),
  );
}

export function maskBody(text: string): string {
  try {
    return JSON.stringify(maskValue(JSON.parse(text)));
  } catch {
    return maskText(text);
  }
}

export type KnownSecret = string | number;

export function secretsIn(value: unknown, key = ""): readonly KnownSecret[] {
  if (typeof value === "string" || typeof value === "number") return secretFields.test(key) ? spellings(value) : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    secretsIn(inner, Array.isArray(value) ? key : fieldName(key, name)),
  );
}

/** The address for alerts is a secret, because it may hold the token of a bot. */
function fieldName(parent: string, name: string): string {
  return parent === "alerts" && name === "url" ? "secretUrl" : name;
}

/** A register's number is a text in a file and a number in frames. An address may hold a password. */
function spellings(secret: KnownSecret): readonly KnownSecret[] {
  if (typeof secret !== "string") return [secret];
  if (/^\d{1,10}$/.test(secret)) return [secret, Number(secret)];
  const password = URL.canParse(secret) ? percentDecoded(new URL(secret).password) : "";
  const plain = password === "" ? [secret] : [secret, password];
  return [...new Set(plain.flatMap((each) => [each, JSON.stringify(each).slice(1, -1)]))];
}

/** Shorter secrets may be ordinary words or numbers in a text, so they are masked only in frames. */
const shortestInText = 6;
const shortestInFrame = 4;

export function maskSecrets(text: string, secrets: readonly KnownSecret[]): string {
  return secrets.reduce((masked: string, secret) => {
    if (typeof secret === "number") {
      return secret === 0 ? masked : masked.replaceAll(hexOf(littleEndian(secret)), "** ** ** **");
    }
    const bytes = Buffer.from(secret, "utf8");
    const inText = secret.length < shortestInText ? masked : masked.replaceAll(secret, "***");
    const stars = Array(bytes.length).fill("**").join(" ");
    return bytes.length < shortestInFrame ? inText : inText.replaceAll(hexOf(bytes), stars);
  }, text);
}

function mapFields(value: object, mask: (inner: unknown, name: string) => unknown): object {
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, mask(inner, name)]));
}

function maskSecret(value: unknown): unknown {
  if (Array.isArray(value) || typeof value !== "object" || value === null) return "***";
  return mapFields(value, (inner, name) => (secretSources.has(name) ? inner : "***"));
}

function maskPerson(value: unknown, key: string): unknown {
  if (typeof value === "object" && value !== null) return maskValue(value, "buyer");
  if (value === null || value === "") return value;
  return typeof value === "string" && !contactFields.test(key) ? firstLetter(value) : maskValue(value, "contact");
}

/** A line of the print-server format whose contact is in the field `data`: `{type: "ClientContact", data}`. */
function isContactLine(value: object): boolean {
  return Object.entries(value).some(
    ([name, type]) => /^type$/i.test(name) && typeof type === "string" && /^ClientContact$/i.test(type),
  );
}

function maskField(key: string, text: string): string {
  if (plainFields.test(key)) return text;
  const masked = maskText(text);
  return masked === text && contactFields.test(key) && text !== "" ? firstLetter(text) : masked;
}

function firstLetter(text: string): string {
  return `${text.slice(0, 1)}***`;
}

/** Keeps the first four and the last two digits, which are enough to distinguish two buyers. */
function maskPhone(text: string): string {
  const digits = text.replace(/\D/g, "");
  if (digits.length < 10 || digits.length > 15) return text;
  return `${text.startsWith("+") ? "+" : ""}${digits.slice(0, 4)}***${digits.slice(-2)}`;
}

/** Masks contacts and credentials in the bytes of a frame. All other bytes stay for support. */
function maskFrame(hex: string): string {
  const bytes = hex.split(" ");
  const readable = bytes.map((byte) => letterOf(Number.parseInt(byte, 16))).join("");
  for (const pattern of textInFrame) {
    for (const { index, 0: found } of readable.matchAll(pattern)) bytes.fill("**", index, index + found.length);
  }
  return bytes.join(" ");
}

/** Code pages differ above 7F, so each byte there counts as a letter. */
function letterOf(byte: number): string {
  if (byte >= 0x80) return "я";
  return byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : "\0";
}

function littleEndian(value: number): Uint8Array {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value >>> 0);
  return bytes;
}

function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).toUpperCase().padStart(2, "0")).join(" ");
}
