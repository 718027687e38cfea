/** Marking codes (format 1.2). Keywords in a code choose the result of its check (`markResult`). */
import { type FiscalTag, numberOf } from "../../memory/fiscal-tag.js";
import { decodeTags } from "../../memory/fn-tlv.js";
import { isMarkingCode, isUsedAsChecked, markResult } from "../../memory/marking-codes.js";
import { type CommandContext, type CommandRow, fail, type Outcome, ok, outcomeOf, refuse } from "../command-table.js";
import type { MarkCheck, ShtrihDevice } from "../device.js";

const FFD_12 = 4;
const MAX_CHECKS = 128;
const ONE_PIECE = 1_000_000;

/** Bits of tag 2106 (result of the check) that the drive sets. */
const DRIVE_BITS = 0x03;
const CHECKED_BY_DRIVE = 0x01;
const ASKED_SERVER = 0x04;
/** Why the drive did not check the code: it has no key. */
const NO_KEY = 2;
const UNPARSED = 0xd3;

export const markingCommands: readonly CommandRow[] = [
  { code: 0xff61, name: "check-mark", password: "op", min: 4, ms: 535, run: checkMark },
  { code: 0xff69, name: "accept-mark", password: "op", min: 1, ms: 20, run: acceptMark },
  { code: 0xff67, name: "bind-mark", password: "op", min: 2, modes: [8], ms: 20, run: bindMark },
];

function checkMark({ device, fields }: CommandContext): Outcome {
  if (device.core.registration.ffd !== FFD_12) return fail(0xa0);
  const status = fields.integer(1);
  const mode = fields.integer(1);
  const length = fields.integer(1);
  const tagLength = fields.integer(1);
  const mark = Buffer.from(fields.take(length)).toString("hex");
  const tags = decodeTags(fields.rest());
  if (mode !== 0 || length === 0 || mark.length !== length * 2 || tags === null) return fail(0x33);
  if ((tagLength === 0) !== (tags.length === 0)) return fail(0x33);
  if (!isMarkingCode(mark)) return fail(UNPARSED);
  if (device.marking.length >= MAX_CHECKS) return fail(0xa3);
  const result = markResult(mark);
  const measure = numberOf(tags, 2108) ?? 0;
  device.marking.push({ mark, result, status, measure, quantity: quantityIn(tags), accepted: false });
  return ok(checkAnswer(result));
}

/** Tag 1023 (quantity) in millionths; without the tag one piece. */
function quantityIn(tags: readonly FiscalTag[]): number {
  const tag = tags.find((candidate) => candidate.tag === 1023);
  return tag !== undefined && "decimals" in tag ? tag.value * 10 ** (6 - tag.decimals) : ONE_PIECE;
}

/** Answer to a check: local result, reason, kind of code, then the drive's answer and tag 2106 (result). */
function checkAnswer(result: number): readonly number[] {
  const online = (result & ASKED_SERVER) === 0 ? [0x20, 0x01] : [0x00, result];
  const reason = (result & CHECKED_BY_DRIVE) === 0 ? NO_KEY : 0;
  return [result & DRIVE_BITS, reason, 1, online.length, ...online];
}

/** Decides on the code that was checked last: 0 rejects the code, 1 accepts it, 2 forgets all codes. */
function acceptMark({ device, fields }: CommandContext): Outcome {
  const decision = fields.integer(1);
  if (decision === 2) {
    device.marking = [];
    return ok([0]);
  }
  const last = device.marking.at(-1);
  if (last === undefined || last.accepted || decision > 2) return fail(0xa1);
  if (decision === 1) last.accepted = true;
  else device.marking.pop();
  return ok([last.result]);
}

/** A code that FF61h did not check is checked here; a rejected code cannot be bound. */
function bindMark({ device, fields }: CommandContext): Outcome {
  if (device.core.registration.ffd !== FFD_12) return fail(0xa0);
  const length = fields.integer(1);
  const mark = Buffer.from(fields.take(length)).toString("hex");
  if (length === 0 || mark.length !== length * 2) return fail(0x33);
  if (!isMarkingCode(mark)) return fail(UNPARSED);
  const checked = checkOf(device, mark);
  if (checked !== null && !checked.accepted) return refuse("mark-unchecked");
  const result = checked?.result ?? markResult(mark);
  const answer = () => ok([0x44, 0x4d, 1, ...checkAnswer(result)]);
  if (device.model.cashCore) {
    if (device.pending.mark !== null) return fail(0x33);
    device.pending = { ...device.pending, mark };
    return answer();
  }
  const line = device.core.receipt?.lines.at(-1);
  if (line !== undefined && !isCheckedFor(device, mark, line)) return fail(0x33);
  return outcomeOf(device.core.bindMark(mark, result), answer);
}

/** Null: FF61h (check a code) was not called for this code. */
export function checkOf(device: ShtrihDevice, mark: string): MarkCheck | null {
  return device.marking.findLast((check) => check.mark === mark) ?? null;
}

interface MarkedItem {
  readonly quantity: number;
  readonly tags: readonly FiscalTag[];
}

/** False: the code was checked for another use. An unchecked code passes here, because FF67h (bind) checks it. */
export function isCheckedFor(device: ShtrihDevice, mark: string, { quantity, tags }: MarkedItem): boolean {
  const check = checkOf(device, mark);
  const { receipt } = device.core;
  if (check === null || receipt === null) return true;
  return isUsedAsChecked(check, { operation: receipt.operation, measure: numberOf(tags, 2108) ?? 0, quantity });
}
