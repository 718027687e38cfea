/** TLV as the fiscal drive stores it (54-fz 1), written independently of the drivers' code. */
import iconv from "iconv-lite";
import type { FiscalTag } from "./fiscal-tag.js";

type Kind = "text" | { readonly fixed: number } | { readonly integer: number } | "vln" | "fvln" | "bytes" | "nested";

/** Types of the tags that a register uses; an unknown tag is stored as bytes. */
const kinds: ReadonlyMap<number, Kind> = new Map<number, Kind>([
  ...rows("text", [1000, 1005, 1008, 1009, 1013, 1021, 1026, 1030, 1036, 1044, 1046, 1048, 1060, 1073, 1074, 1075]),
  ...rows("text", [1085, 1086, 1117, 1171, 1177, 1179, 1187, 1188, 1191, 1192, 1197, 1225, 1227, 1231, 1244, 1246]),
  ...rows("text", [1243, 1245, 1254, 1262, 1263, 1264, 1265, 1272, 1292, 2000]),
  ...rows({ fixed: 12 }, [1016, 1017, 1018, 1203, 1226, 1228]),
  ...rows({ fixed: 20 }, [1037]),
  ...rows({ fixed: 16 }, [1041]),
  ...rows({ fixed: 3 }, [1230]),
  ...rows({ integer: 1 }, [1001, 1002, 1054, 1055, 1057, 1062, 1125, 1173, 1199, 1207, 1209, 1212, 1214, 1222, 2102]),
  ...rows({ integer: 1 }, [1271, 2106, 2108]),
  ...rows({ integer: 4 }, [1273, 1012, 1038, 1040, 1042, 1098, 1111, 1118, 1135, 1144, 1178]),
  ...rows({ integer: 4 }, [1097]),
  ...rows("vln", [1020, 1031, 1043, 1079, 1081, 1102, 1103, 1104, 1105, 1106, 1107, 1120, 1136, 1138, 1198, 1200]),
  ...rows("vln", [1201, 1215, 1216, 1217, 1218, 1219, 1220, 1229, 1293, 1294]),
  ...rows("fvln", [1023]),
  ...rows("bytes", [1077, 1162, 2115]),
  ...rows(
    "nested",
    [1059, 1084, 1115, 1119, 1129, 1130, 1131, 1132, 1133, 1157, 1163, 1174, 1194, 1223, 1224, 1256, 1260],
  ),
  ...rows("nested", [1270, 1291]),
]);

function rows(kind: Kind, tags: readonly number[]): readonly (readonly [number, Kind])[] {
  return tags.map((tag) => [tag, kind] as const);
}

/** Null when the bytes are no whole TLV or a value does not fit its tag. */
export function decodeTags(bytes: Uint8Array): readonly FiscalTag[] | null {
  const tags: FiscalTag[] = [];
  for (let at = 0; at < bytes.length; ) {
    const tag = (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8);
    const length = (bytes[at + 2] ?? 0) | ((bytes[at + 3] ?? 0) << 8);
    const end = at + 4 + length;
    if (at + 4 > bytes.length || end > bytes.length) return null;
    const value = decodeValue(tag, bytes.subarray(at + 4, end));
    if (value === null) return null;
    tags.push(value);
    at = end;
  }
  return tags;
}

function decodeValue(tag: number, value: Uint8Array): FiscalTag | null {
  const kind = kinds.get(tag) ?? "bytes";
  if (kind === "text") return { tag, text: fromCp866(value) };
  if (kind === "bytes") return { tag, hex: Buffer.from(value).toString("hex") };
  if (kind === "vln") return numberTag(tag, littleEndian(value));
  if (kind === "fvln") return decodeFvln(tag, value);
  if (kind === "nested") {
    const items = decodeTags(value);
    return items === null ? null : { tag, items };
  }
  if ("fixed" in kind) return value.length > kind.fixed ? null : { tag, text: fromCp866(value).trimEnd() };
  return value.length === kind.integer ? { tag, number: littleEndian(value) } : null;
}

function numberTag(tag: number, number: number): FiscalTag | null {
  return Number.isSafeInteger(number) ? { tag, number } : null;
}

function decodeFvln(tag: number, value: Uint8Array): FiscalTag | null {
  const decimals = value[0];
  const number = littleEndian(value.subarray(1));
  return decimals === undefined || decimals > 8 || !Number.isSafeInteger(number)
    ? null
    : { tag, decimals, value: number };
}

export function encodeTags(tags: readonly FiscalTag[]): Uint8Array {
  return Buffer.concat(tags.map(encodeTag));
}

export function encodeTag(tag: FiscalTag): Uint8Array {
  const value = encodeValue(tag);
  return Buffer.concat([integerBytes(tag.tag, 2), integerBytes(value.length, 2), value]);
}

function encodeValue(tag: FiscalTag): Uint8Array {
  const kind = kinds.get(tag.tag) ?? "bytes";
  if ("items" in tag) return encodeTags(tag.items);
  if ("hex" in tag) return Buffer.from(tag.hex, "hex");
  if ("decimals" in tag) return Buffer.concat([Buffer.from([tag.decimals]), shortest(tag.value)]);
  if ("number" in tag)
    return typeof kind === "object" && "integer" in kind
      ? integerBytes(tag.number, kind.integer)
      : shortest(tag.number);
  const text = iconv.encode(tag.text, "cp866");
  if (typeof kind !== "object" || !("fixed" in kind)) return text;
  return Buffer.concat([text, Buffer.alloc(Math.max(0, kind.fixed - text.length), 0x20)]);
}

/** VLN (integer of variable length): trailing zero bytes are cut, at least one byte stays. */
function shortest(value: number): Uint8Array {
  let size = 1;
  for (let rest = Math.floor(value / 256); rest > 0; rest = Math.floor(rest / 256)) size += 1;
  return integerBytes(value, size);
}

export function integerBytes(value: number, size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  for (let at = 0, rest = value; at < size; at++, rest = Math.floor(rest / 256)) bytes[at] = rest % 256;
  return bytes;
}

function littleEndian(bytes: Uint8Array): number {
  let value = 0;
  for (const byte of bytes.toReversed()) value = value * 256 + byte;
  return value;
}

function fromCp866(bytes: Uint8Array): string {
  return iconv.decode(Buffer.from(bytes), "cp866");
}
