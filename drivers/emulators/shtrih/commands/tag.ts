import type { FiscalTag } from "../../memory/fiscal-tag.js";
import { decodeTags } from "../../memory/fn-tlv.js";
import { type CommandContext, type CommandRow, fail, type Outcome, ok } from "../command-table.js";
import { FFD_105, type ShtrihDevice } from "../device.js";
import { withOwnReceipt } from "./receipt.js";

/** Most bytes in one FF33h (block of a long tag). */
const LONG_BLOCK = 64;

/** Tags that the register makes itself: it refuses them from a host. */
const ownTags = new Set([
  1012, 1013, 1018, 1020, 1031, 1037, 1038, 1040, 1041, 1042, 1043, 1054, 1059, 1077, 1081, 1209,
]);

/** Greatest length in characters, by tag (54-fz 1). */
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

export const tagCommands: readonly CommandRow[] = [
  { code: 0xff4d, name: "item-tag", password: "op", modes: [8], ms: 10, min: 4, run: itemTag },
  {
    code: 0xff0c,
    name: "receipt-tag",
    password: "op",
    min: 4,
    max: 250,
    ms: 8,
    run: ({ device, fields }) => documentTag(device, fields.rest()),
  },
  { code: 0xff32, name: "long-tag-begin", password: "op", min: 2, run: beginLongTag },
  { code: 0xff33, name: "long-tag-block", password: "op", min: 4, run: longTagBlock },
  {
    code: 0xff64,
    name: "long-tag",
    password: "op",
    ms: 8,
    run: ({ device }) => documentTag(device, device.data.slice(0, device.longDataSize)),
  },
];

/** The answer says how many bytes one FF33h (block of a long tag) may have. */
function beginLongTag({ device, fields }: CommandContext): Outcome {
  const size = fields.integer(2);
  if (size > device.data.length) return fail(0x33);
  device.longDataSize = size;
  return ok([LONG_BLOCK]);
}

function longTagBlock({ device, fields }: CommandContext): Outcome {
  const offset = fields.integer(2);
  const length = fields.integer(1);
  const block = fields.rest();
  if (block.length !== length || length > LONG_BLOCK || offset + length > device.longDataSize) return fail(0x33);
  device.data.set(block, offset);
  return ok();
}

function documentTag(device: ShtrihDevice, bytes: Uint8Array): Outcome {
  const checked = checkTags(decodeTags(bytes));
  if ("error" in checked) return fail(checked.error);
  if (checked.tags.some(({ tag }) => device.model.refusedTags.includes(tag))) return fail(0x33);
  if (device.core.receipt === null && device.shiftDocument === "none") return fail(0x02);
  if (checked.tags.some((tag) => isMisplaced(device, tag))) return fail(0x33);
  for (const tag of checked.tags) {
    if (device.core.receipt === null) device.core.addShiftTag(tag);
    else device.core.addReceiptTag(tag);
  }
  return ok();
}

const DAY_SECONDS = 86_400;
/** Tags of corrections alone: 1173 (why), 1174 (basis), 1178 (day of the settlement), 1179 (number of the order). */
const ofCorrections: readonly number[] = [1173, 1174, 1178, 1179];

/** True: a correction's tag does not belong into the open document, or its day has a time. */
function isMisplaced({ core }: ShtrihDevice, tag: FiscalTag): boolean {
  if (!ofCorrections.includes(tag.tag)) return false;
  const document = core.receipt?.document ?? "receipt";
  if (document === "receipt" || (document === "sums" && core.registration.ffd !== FFD_105)) return true;
  return tag.tag === 1178 && "number" in tag && tag.number % DAY_SECONDS !== 0;
}

function itemTag(context: CommandContext): Outcome {
  const checked = checkTags(decodeTags(context.fields.rest()));
  if ("error" in checked) return fail(checked.error);
  const { device } = context;
  return withOwnReceipt(context, () => {
    if (device.model.cashCore) {
      device.pending = { ...device.pending, tags: [...device.pending.tags, ...checked.tags] };
      return ok();
    }
    for (const tag of checked.tags) {
      const added = device.core.addLineTag(tag);
      if (!added.ok) return fail(0x02);
    }
    return ok();
  });
}

function checkTags(
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
