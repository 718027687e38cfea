/**
 * Personal data and secrets never reach a log line, a support bundle or a story: this is the one place that sees to it.
 * Numbers of orders, registers, drives and taxpayers are no secrets; their fields pass as they are.
 */
const plainFields = new Set([
  "order",
  "kkm",
  "inn",
  "fn",
  "fp",
  "register",
  "site",
  "job",
  "event",
  "fd",
  "code",
  "pid",
]);
const secretFields =
  /^(password|secret|token|authorization|cookie|value|webhook-signature|.*(Password|Secret|Token))$/i;
const contactFields = /^(contact|email|e-mail|phone|buyer)$/i;
/** Keys of the QR code on a receipt stay readable in addresses. */
const plainQueryKeys = new Set(["t", "s", "fn", "i", "fd", "fp", "n"]);

const email = /([\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]*@([\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+)/gu;
const phone = /(?<![\p{L}\p{N}])(\+\d{1,4}|[78](?=[ (-]*\d{3}))[ (-]*\d{2,3}[\d )-]{3,12}\d{2}(?![\p{L}\p{N}])/gu;
const credentials = /\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=-]{4,}/gi;
const signingSecret = /whsec_[A-Za-z0-9+/=]+/g;
const userInfo = /(https?:\/\/)[^/\s@]+@/gi;
const queryValue = /([?&])([^=&\s"']+)=([^&\s"'#]*)/g;

export function maskText(text: string): string {
  return text
    .replace(userInfo, "$1***@")
    .replace(queryValue, (whole, mark: string, key: string) => (plainQueryKeys.has(key) ? whole : `${mark}${key}=***`))
    .replace(signingSecret, "whsec_***")
    .replace(credentials, "$1 ***")
    .replace(email, "$1***@$2")
    .replace(phone, maskPhone);
}

/** The same for anything that is going to be written as JSON. */
export function maskValue(value: unknown, key = ""): unknown {
  if (typeof value === "string") return maskField(key, value);
  if (typeof value === "number" || typeof value === "boolean" || value === null || value === undefined) {
    return secretFields.test(key) && value !== null && value !== undefined ? "***" : value;
  }
  if (Array.isArray(value)) return value.map((entry) => maskValue(entry, key));
  if (typeof value !== "object") return String(value);
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, maskValue(inner, name)]));
}

function maskField(key: string, text: string): string {
  if (plainFields.has(key)) return text;
  if (secretFields.test(key)) return "***";
  const masked = maskText(text);
  return masked === text && contactFields.test(key) && text !== "" ? `${text.slice(0, 1)}***` : masked;
}

/** The first four and the last two digits stay: enough to tell two buyers apart. */
function maskPhone(text: string): string {
  const digits = text.replace(/\D/g, "");
  if (digits.length < 10 || digits.length > 15) return text;
  return `${text.startsWith("+") ? "+" : ""}${digits.slice(0, 4)}***${digits.slice(-2)}`;
}
