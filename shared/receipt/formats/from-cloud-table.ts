/**
 * Reads keys of cloud receipt services in a task table (54-fz 16), as in the online format. Keys of the receipt stand
 * at the root of the table or on its opening and closing line, keys of a position in its `param`. Pure.
 */
import { asText, isObject, pickFields, spellingsOf } from "../../exchange/lenient-fields.js";
import { type Findings, fromCloudHead, fromCloudItem } from "./from-cloud-receipt.js";

type Fields = Readonly<Record<string, unknown>>;

const lineKeys = spellingsOf(["type"]);
const headLines: ReadonlySet<string> = new Set([
  ...["openchecksell", "opencheckreturn", "openchecksellcorrection", "opencheckreturncorrection", "closecheck"],
]);
const itemLines: ReadonlySet<string> = new Set(["registration", "return"]);

/** `body`: the object below `response`. */
export function fromCloudTable(body: unknown): Findings & { readonly fields: unknown } {
  const found: Findings = { problems: [], places: new Map() };
  if (!isObject(body)) return { fields: body, ...found };
  const fields = replaced(fromCloudHead("", body, found), "tasktable", (table) =>
    Array.isArray(table) ? table.map((line, position) => lineOf(line, `taskTable[${position}].param`, found)) : table,
  );
  return { fields, ...found };
}

function lineOf(line: unknown, at: string, found: Findings): unknown {
  if (!isObject(line)) return line;
  const type = lower(asText(pickFields(line, lineKeys).fields.type) ?? "").trim();
  return replaced(line, "param", (param) => {
    if (!isObject(param)) return param;
    if (headLines.has(type)) return fromCloudHead(`${at}.`, param, found);
    return itemLines.has(type) ? fromCloudItem(at, param, found) : param;
  });
}

/** The key may have any letter case. */
function replaced(object: Fields, name: string, replace: (value: unknown) => unknown): Fields {
  return Object.fromEntries(
    Object.entries(object).map(([key, value]) => [key, lower(key) === name ? replace(value) : value]),
  );
}

function lower(text: string): string {
  return text.toLowerCase();
}
