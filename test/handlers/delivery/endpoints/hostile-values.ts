/** Values that databases, clocks and number types cannot handle. */
import { createHash } from "node:crypto";

/** No database can compress this text, so it is as long in an index as it is here. */
export function noise(length: number): string {
  let text = "";
  for (let turn = 0; text.length < length; turn += 1)
    text += createHash("sha256").update(String(turn)).digest("base64url");
  return text.slice(0, length);
}

/** Written into the JSON text without quotes: a number that JSON allows and a double cannot hold. */
export const endless = "@1e999@";

export const hostileTexts: readonly string[] = [
  "",
  "\0",
  "a\0b",
  "\ud800",
  "x\udfffy",
  "\u0001\n\u009f\u2028",
  "🧾".repeat(64),
  "9".repeat(40),
  noise(3999),
  noise(1999),
  "x".repeat(100_000),
  "-1",
  "1e999",
  "0000-01-01 00:00:00",
  "1969-12-31 23:59:59",
  "9999-12-31 23:59:59",
  "2026-02-30 10:00:00",
  "10000-01-01 00:00:00",
];

export const hostileNumbers: readonly number[] = [
  -1,
  -0.5,
  0.5,
  0.000001,
  2 ** 31 - 1,
  2 ** 31,
  -(2 ** 31) - 1,
  2 ** 53 - 1,
  2 ** 53 + 2,
  9_999_999,
  99_999_999.99,
  1e21,
  -1e308,
  5e-324,
];

export function deep(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level += 1) value = level % 2 === 0 ? [value] : { inner: value };
  return value;
}

export const hostileValues: readonly unknown[] = [
  ...hostileTexts,
  ...hostileNumbers,
  endless,
  deep(1000),
  null,
  true,
  [],
  {},
  [[]],
  JSON.parse('{"__proto__":{"x":1},"constructor":1}'),
];

export function hostileJson(body: unknown): string {
  return (JSON.stringify(body) ?? "").replaceAll(`"${endless}"`, "1e999");
}
