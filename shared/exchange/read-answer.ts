/** Reads a site's answer to a poll for orders: nothing, a refusal, or an order in one of the two formats. */
import { Fault } from "../fault.js";
import type { FaultText } from "../fault-codes/fault-row.js";
import type { OrderFormat } from "../receipt/receipt.js";
import { answerTexts } from "./answer-texts.js";
import { foreignBody } from "./foreign-bodies.js";
import { asText, isNotGiven, isObject, pickFields, shownAsSent, showValue, spellingsOf } from "./lenient-fields.js";

export const MAX_ORDER_BYTES = 5_000_000;
const MAX_DEPTH = 64;

/** `auto`: the format is recognised by the fields of each order. */
export type ReceiptFormat = "auto" | OrderFormat;

export type OrderAnswer =
  | { readonly kind: "empty" }
  /** Neither an order nor a known empty answer. `form`: its keys, which are the same for answers of one kind. */
  | { readonly kind: "unknown"; readonly form: string; readonly fault: Fault }
  /** The site reports a failure of its own. A receipt in the same answer is not printed. */
  | {
      readonly kind: "refusal";
      readonly resultCode: number;
      readonly resultInfo: string;
      readonly receiptWithheld: boolean;
    }
  | { readonly kind: "order"; readonly format: OrderFormat; readonly body: Readonly<Record<string, unknown>> };

const rootFields = spellingsOf(["response", "resultCode", "resultInfo"]);
const orderFields = spellingsOf(["taskTable", "orderId", "external_id", "receipt"]);
const noOrder: OrderAnswer = { kind: "empty" };

/** JSON inside a string is read too. Faults: `order.too-large` (refused before parsing), `order.unreadable`. */
export function readAnswer(raw: string, options: { readonly format: ReceiptFormat }): OrderAnswer {
  if (Buffer.byteLength(raw) > MAX_ORDER_BYTES) {
    throw new Fault("order.too-large", { message: answerTexts.tooLarge(MAX_ORDER_BYTES) });
  }
  const text = raw.replace(/^\uFEFF/, "").trim();
  if (text === "") return noOrder;
  const root = unwrap(parseJson(text));
  if (root === null || (Array.isArray(root) && root.length === 0)) return noOrder;
  if (!isObject(root)) return unknownAnswer(root);

  const { fields, doubled } = pickFields(root, rootFields);
  if (doubled.length > 0) throw unreadable(answerTexts.givenTwice(doubled.join(", ")));
  const response = unwrap(fields.response);
  if (!isNotGiven(response) && !isObject(response) && !isEmptyList(response)) return unknownAnswer(root);
  const body = isNotGiven(response) ? root : isObject(response) ? response : {};
  const present = pickFields(body, orderFields).fields;
  const found = !isBlank(present);
  const refusal = refusalOf({ ...pickFields(body, rootFields).fields, ...fields }, found);
  if (refusal !== null) return refusal;
  if (found) {
    const format = formatOf(present, body, options.format);
    return { kind: "order", format, body: body === root ? body : { ...besidesOf(root), ...body } };
  }
  return isNothing(root, response) ? noOrder : unknownAnswer(root);
}

const besideKeys = spellingsOf(["operation", "service"]);

/** Direction and taxpayer of the receipt beside `response`. Any other `operation` is the site's own key. */
function besidesOf(root: object): { readonly operation?: unknown; readonly service?: unknown } {
  const { operation, service } = pickFields(root, besideKeys).fields;
  return {
    ...(/^\s*(?:sell|buy)(?:_refund)?\s*$/i.test(asText(operation) ?? "") ? { operation } : {}),
    ...(isObject(service) ? { service } : {}),
  };
}

/** Some sites encode JSON twice, so that it stands in a string. */
function unwrap(value: unknown): unknown {
  return typeof value === "string" && /^\s*[{[]/.test(value) ? parseJson(value) : value;
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

/** Whether the answer has no keys but `resultCode` and `resultInfo`, and an empty `response`. */
function isNothing(root: Readonly<Record<string, unknown>>, response: unknown): boolean {
  const isEmpty =
    isNotGiven(response) || isEmptyList(response) || (isObject(response) && Object.keys(response).length === 0);
  return isEmpty && Object.keys(root).every((key) => rootFields.has(key.toLowerCase()));
}

function unknownAnswer(root: unknown): OrderAnswer {
  const form = formOf(root, 3);
  const response = isObject(root) ? unwrap(pickFields(root, rootFields).fields.response) : undefined;
  const foreign = foreignBody(isObject(response) ? response : root);
  const fault = unreadable(foreign ?? answerTexts.unknown(form));
  return { kind: "unknown", form, fault };
}

const MAX_FORM = 200;

/** The keys of an answer, such as `{order:{orderId,taskTable}}`, without the values, which may be personal data. */
function formOf(value: unknown, depth: number): string {
  if (Array.isArray(value)) return value.length === 0 || depth === 0 ? "[]" : `[${formOf(value[0], depth - 1)}]`;
  if (!isObject(value)) return typeof value;
  if (depth === 0) return "{}";
  const keys = Object.entries(value).map(([key, inner]) =>
    isObject(inner) || Array.isArray(inner) ? `${key}:${formOf(inner, depth - 1)}` : key,
  );
  return `{${keys.join(",")}}`.slice(0, MAX_FORM);
}

function parseJson(text: string): unknown {
  if (isTooDeep(text)) throw unreadable(answerTexts.tooDeep(MAX_DEPTH));
  try {
    return JSON.parse(text);
  } catch (error) {
    if (/^\s*</.test(text)) {
      const message = answerTexts.html;
      throw new Fault("order.unreadable", { message, details: { isHtml: true }, cause: error });
    }
    throw unreadable(answerTexts.noJson(error instanceof SyntaxError ? error.message : String(error)), error);
  }
}

/** Counted in the text of the JSON, so that no recursion over the value can overflow the stack. */
export function isTooDeep(text: string): boolean {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (inString) {
      if (char === "\\") at += 1;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === "[" || char === "{") {
      depth += 1;
      if (depth > MAX_DEPTH) return true;
    } else if (char === "]" || char === "}") depth -= 1;
  }
  return false;
}

/** Whether the answer has the keys of an order and no values: `{"kkm": "...", "orderId": "", "taskTable": []}`. */
function isBlank(present: Readonly<Record<string, unknown>>): boolean {
  return Object.values(present).every((value) =>
    typeof value === "object" && value !== null ? Object.keys(value).length === 0 : false,
  );
}

function refusalOf(fields: Readonly<Record<string, unknown>>, receiptWithheld: boolean): OrderAnswer | null {
  const { resultCode, resultInfo } = fields;
  if (isNotGiven(resultCode) || resultCode === false) return null;
  const code = typeof resultCode === "string" ? Number(resultCode) : resultCode;
  if (typeof code !== "number" || Number.isNaN(code)) {
    throw unreadable(answerTexts.resultCodeNoNumber(shownAsSent(resultCode)));
  }
  if (code === 0) return null;
  const words = typeof resultInfo === "string" ? resultInfo : isNotGiven(resultInfo) ? "" : showValue(resultInfo);
  return { kind: "refusal", resultCode: code, resultInfo: words, receiptWithheld };
}

function formatOf(
  present: Readonly<Record<string, unknown>>,
  body: Readonly<Record<string, unknown>>,
  expected: ReceiptFormat,
): OrderFormat {
  const isTable = Object.hasOwn(present, "taskTable") || Object.hasOwn(present, "orderId");
  const isOnline = Object.hasOwn(present, "receipt") || Object.hasOwn(present, "external_id");
  if (expected === "auto") {
    if (isTable && isOnline) throw unreadable(foreignBody(body) ?? answerTexts.mixed);
    return isTable ? "task-table" : "online";
  }
  if (expected === "task-table" ? isTable : isOnline) return expected;
  throw unreadable(answerTexts.otherFormat(expected));
}

function unreadable(message: FaultText, cause?: unknown): Fault {
  return new Fault("order.unreadable", { message, cause });
}
