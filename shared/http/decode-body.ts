import { answerTexts } from "../exchange/answer-texts.js";
import type { FaultText } from "../fault-codes/fault-row.js";
export interface DecodedBody {
  readonly text: string;
  /** Why the text may be wrong; null = it was decoded without loss. */
  readonly problem: FaultText | null;
}

/**
 * Decodes a body. Bytes that are valid UTF-8 are read as UTF-8, whatever the header declares: PHP declares windows-1251
 * and sends UTF-8. Otherwise the declared encoding is used. A byte order mark is left out.
 */
export function decodeBody(bytes: Uint8Array, headers: Readonly<Record<string, string>>): DecodedBody {
  const compressed = headers["content-encoding"]?.trim().toLowerCase() ?? "";
  if (compressed !== "" && compressed !== "identity") return { text: "", problem: answerTexts.compressed(compressed) };
  const utf8 = decodeAs(bytes, "utf-8");
  if (utf8 !== null) return { text: utf8, problem: null };
  const declared = /charset\s*=\s*"?([^\s";]+)/i.exec(headers["content-type"] ?? "")?.[1] ?? null;
  const text = declared === null ? null : decodeAs(bytes, declared);
  if (text !== null) return { text, problem: null };
  const problem = declared === null ? answerTexts.notUtf8 : answerTexts.notCharset(declared);
  return { text: new TextDecoder().decode(bytes), problem };
}

function decodeAs(bytes: Uint8Array, label: string): string | null {
  try {
    return new TextDecoder(label, { fatal: true }).decode(bytes);
  } catch {
    // The encoding is unknown, or the bytes are not valid in it.
    return null;
  }
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
