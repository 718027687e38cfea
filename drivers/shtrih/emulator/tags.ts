import type { FiscalTag } from "../../emulator/memory/fiscal-tag.js";

/** Requisites that the register makes itself: a host that sends one is refused. */
const ownTags = new Set([
  1012, 1013, 1018, 1020, 1031, 1037, 1038, 1040, 1041, 1042, 1043, 1054, 1059, 1077, 1081, 1209,
]);

/** Longest values in characters (domain 1.3). */
const maxLengths: ReadonlyMap<number, number> = new Map([
  [1005, 256],
  [1008, 64],
  [1009, 256],
  [1016, 12],
  [1021, 64],
  [1026, 64],
  [1044, 24],
  [1073, 19],
  [1074, 19],
  [1075, 19],
  [1085, 64],
  [1086, 256],
  [1117, 64],
  [1171, 19],
  [1187, 256],
  [1191, 64],
  [1192, 16],
  [1197, 16],
  [1203, 12],
  [1225, 256],
  [1226, 12],
  [1227, 256],
  [1228, 12],
  [1231, 32],
]);

const BAD_VALUE = 0x09;
const TOO_LONG = 0x10;

/** `tags` null = the bytes were no TLV. */
export function checkTags(
  tags: readonly FiscalTag[] | null,
): { readonly tags: readonly FiscalTag[] } | { readonly error: number } {
  if (tags === null) return { error: BAD_VALUE };
  for (const tag of tags) {
    if (ownTags.has(tag.tag)) return { error: BAD_VALUE };
    if ("text" in tag && tag.text.length > (maxLengths.get(tag.tag) ?? Number.POSITIVE_INFINITY))
      return { error: TOO_LONG };
    if ("items" in tag) {
      const inner = checkTags(tag.items);
      if ("error" in inner) return inner;
    }
  }
  return { tags };
}
