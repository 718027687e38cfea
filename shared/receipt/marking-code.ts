/** Finds marking codes that a site has spoilt in one of the known ways, before a register gets them. Pure. */
import { type OrderProblem, problem } from "../exchange/order-problem.js";
import type { FaultText } from "../fault-codes/fault-row.js";
import { refusalTexts } from "./texts/refusal-texts.js";

const GS = 0x1d;
const BLANK = 0x20;
/** Bytes before a code, no part of it: FNC1 in scanners' spellings (`]d2`, `]C1`, E8h), GS (1Dh), blanks of a form. */
const prefixes: readonly (readonly number[])[] = [[0x5d, 0x64, 0x32], [0x5d, 0x43, 0x31], [0xe8], [GS], [BLANK]];

/** Texts that stand for GS, or for the ampersand, in other languages than that of the code. */
const escaped: readonly (readonly [pattern: RegExp, what: FaultText])[] = [
  [/\\u001d/i, refusalTexts.asText("\\u001d")],
  [/\\x1d/i, refusalTexts.asText("\\x1d")],
  [/&#(?:29|x1d);/i, refusalTexts.inPlaceOf("&#29;", "GS")],
  [/<GS>/i, refusalTexts.asText("<GS>")],
  // Only a code of goods is judged, because a code of another kind may contain these characters by chance.
  [/^01\d{14}21.*%1d/i, refusalTexts.inPlaceOf("%1D", "GS")],
  [/^01\d{14}21.*&amp;/i, refusalTexts.inPlaceOf("&amp;", "&")],
  [/^\(01\)|^\[01\]/, refusalTexts.brackets],
];

const gs1WithSerial = /^01\d{14}21/;
/** The length of the shortest code of a known group without its verification part. */
const SHORT_CODE = 31;
/** Parts of a fixed length, such as a day (17) or a weight (3103), need no GS behind them. */
const fixed = /(?:1[1-7]\d{6}|20\d\d|3[1-6]\d\d\d{6})*/.source;
/** Each list has the parts behind the serial number that together are one kind of verification code. */
const tails: readonly (readonly RegExp[])[] = [
  [new RegExp(`^${fixed}93[ -~]{4}$`)],
  [new RegExp(`^${fixed}91[ -~]{4}$`), /^92(?:[ -~]{44}){1,2}$/],
];

/** Returns base64 without prefixes (even repeated ones), and without GS and blanks at the end of the code. */
export function bareCode(code: string): string {
  const bytes = Buffer.from(code, "base64");
  const end = bytes.findLastIndex((byte) => byte !== GS && byte !== BLANK) + 1;
  let start = 0;
  for (let length = prefixAt(bytes, start); length > 0; length = prefixAt(bytes, start)) start += length;
  return start >= end ? code : bytes.subarray(start, end).toString("base64");
}

function prefixAt(bytes: Buffer, start: number): number {
  return prefixes.find((prefix) => prefix.every((byte, at) => bytes[start + at] === byte))?.length ?? 0;
}

/** Null = the code can be what was scanned. */
export function markFlaw(code: string): FaultText | null {
  const bytes = Buffer.from(code, "base64");
  const at = bytes.findIndex((byte) => byte !== GS && (byte < 0x20 || byte > 0x7e));
  if (at !== -1) {
    const hex = (bytes[at] ?? 0).toString(16).toUpperCase().padStart(2, "0");
    return refusalTexts.byteOfCode(`${hex}h`, at + 1);
  }
  if (bytes.every((byte) => byte === GS || byte === BLANK)) return refusalTexts.onlySeparators;
  if (bytes.includes(GS)) return null;
  const text = bytes.toString("latin1");
  const found = escaped.find(([pattern]) => pattern.test(text));
  if (found !== undefined) return refusalTexts.codeWith(found[1]);
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return null;
  return gs1WithSerial.test(Buffer.from(bareCode(text), "base64").toString("latin1")) ? refusalTexts.base64Twice : null;
}

/** Why a code looks wrong although it is printed as it is; null = it looks right. */
export function markWarning(code: string): FaultText | null {
  const text = Buffer.from(code, "base64").toString("latin1");
  if (/^(?:\d{8}|\d{12,14})$/.test(text)) return refusalTexts.barcodeOfGood;
  if (!gs1WithSerial.test(text)) return null;
  const [, ...parts] = text.split("\u001d");
  // A shorter code without GS may be only the goods' number and a serial number, which is no mistake.
  if (parts.length === 0) return text.length >= SHORT_CODE ? refusalTexts.withoutGs : null;
  const isWhole = tails.some((tail) => tail.every((pattern) => parts.some((part) => pattern.test(part))));
  return isWhole ? null : refusalTexts.withoutTail;
}

export interface GivenMark {
  readonly code: string | null;
  /** The answer of the marking system for the piece (tag 1260, industry property). */
  readonly permit: unknown;
  readonly at: (field: string) => string;
}

/** `requirePermit`: a marked piece is refused when it is sold without the marking system's answer. */
export function markProblems(marks: readonly GivenMark[], requirePermit: boolean): readonly OrderProblem[] {
  const unpermitted = marks.filter(({ code, permit }) => code !== null && permit === undefined);
  return [
    ...repeatedMarks(marks.map(({ code, at }) => ({ code, path: at("markingCode") }))),
    ...(requirePermit
      ? unpermitted.map(({ at }) => problem("order.missing-value", at("industryProps"), refusalTexts.permitMissing))
      : []),
  ];
}

/** One code is one piece: a line is refused when an earlier line has its code. */
function repeatedMarks(
  marks: readonly { readonly code: string | null; readonly path: string }[],
): readonly OrderProblem[] {
  return marks.flatMap(({ code, path }, index) => {
    const first = marks.find((mark) => mark.code === code);
    if (code === null || first === undefined || marks.indexOf(first) === index) return [];
    return [problem("order.wrong-value", path, refusalTexts.repeatedCode(first.path))];
  });
}
