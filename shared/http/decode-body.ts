export interface DecodedBody {
  readonly text: string;
  /** Why the text cannot be trusted; null = it was decoded without loss. */
  readonly problem: string | null;
}

/**
 * Bytes that are valid UTF-8 are UTF-8, whatever the header declares: PHP declares windows-1251 and sends UTF-8.
 * Otherwise the declared encoding is used. A byte order mark is left out.
 */
export function decodeBody(bytes: Uint8Array, headers: Readonly<Record<string, string>>): DecodedBody {
  const compressed = headers["content-encoding"]?.trim().toLowerCase() ?? "";
  if (compressed !== "" && compressed !== "identity") {
    return { text: "", problem: `the answer is compressed (Content-Encoding: ${compressed}), which was not asked for` };
  }
  const utf8 = decodeAs(bytes, "utf-8");
  if (utf8 !== null) return { text: utf8, problem: null };
  const declared = /charset\s*=\s*"?([^\s";]+)/i.exec(headers["content-type"] ?? "")?.[1] ?? null;
  const text = declared === null ? null : decodeAs(bytes, declared);
  if (text !== null) return { text, problem: null };
  const said = declared === null ? "no charset is declared" : `and cannot be read as ${declared}, which is declared`;
  const problem = `the answer is not UTF-8, ${said}: send UTF-8, or declare the charset in Content-Type`;
  return { text: new TextDecoder().decode(bytes), problem };
}

function decodeAs(bytes: Uint8Array, label: string): string | null {
  try {
    return new TextDecoder(label, { fatal: true }).decode(bytes);
  } catch {
    // No such encoding, or no text of it.
    return null;
  }
}
