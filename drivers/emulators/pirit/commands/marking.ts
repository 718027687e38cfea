/** Marking codes (format 1.2): command 79. Keywords in a code choose the result of its check (`markResult`). */
import { isMarkingCode, markResult } from "../../memory/marking-codes.js";
import type { CommandRow } from "../command-table.js";
import { operationOf, type PiritDevice } from "../device.js";
import type { Fields } from "../fields.js";
import { badFormat, fail, type Outcome, ok, wrongState } from "../outcomes.js";

const FFD_12 = 4;
const MAX_CHECKS = 128;
const MAX_CODE_BYTES = 128;
/** Bits of tag 2106 (result of the check): checked by the drive, checked by the marking system. */
const resultBits = { byDrive: 1, bySystem: 4 } as const;
/** Why the drive did not check the code: it has no key. */
const NO_KEY = 2;
/** Fields for tag 2105 (code of the request's processing) and those after it, when the marking system answered. */
const SYSTEM_ANSWER = ["21", "0", "1"] as const;
const errors = { forbidden: 0x72, wrongOrder: 0x73, tableFull: 0x75, unchecked: 0x7e } as const;

export const markingCommands: readonly CommandRow[] = [
  { code: "79", name: (_, fields) => names[fields.integer()] ?? "marking", ms: 500, run: mark },
];

const names: Readonly<Record<number, string>> = {
  0: "mark-status",
  1: "check-mark",
  2: "accept-mark",
  15: "bind-mark",
};

function mark(device: PiritDevice, fields: Fields): Outcome {
  const query = fields.integer();
  if (fields.malformed) return badFormat();
  if (device.core.registration.ffd !== FFD_12) return fail(errors.forbidden);
  switch (query) {
    case 0:
      return ok(0, 1, 0, 0x0f, device.marks.length, 0, 0);
    case 1:
      return check(device, fields);
    case 2:
      return decide(device, fields);
    case 3:
      if (device.document !== null) return wrongState(9);
      device.marks = [];
      return ok(3);
    case 15:
      return bind(device, fields);
    default:
      return badFormat(66);
  }
}

function check(device: PiritDevice, fields: Fields): Outcome {
  const code = fields.code(MAX_CODE_BYTES);
  const mode = fields.integer();
  const status = fields.integer();
  const quantity = fields.quantity();
  const measure = fields.integer();
  fields.skip(1);
  const known = [1, 2, 3, 4, 255].includes(status);
  if (fields.malformed || code === "" || mode !== 0 || !known || quantity <= 0) return badFormat(81);
  if (!isMarkingCode(code)) return badFormat(81);
  if (device.marks.length >= MAX_CHECKS) return fail(errors.tableFull);
  device.marks = device.marks.filter(({ accepted }) => accepted);
  const result = markResult(code);
  device.marks.push({ code, result, status, measure, quantity, accepted: false });
  const reason = (result & resultBits.byDrive) === 0 ? NO_KEY : 0;
  const wasAsked = (result & resultBits.bySystem) !== 0;
  return wasAsked ? ok(1, result, reason, ...SYSTEM_ANSWER) : ok(1, result, reason, "", "", "");
}

function decide(device: PiritDevice, fields: Fields): Outcome {
  const accept = fields.integer();
  const last = device.marks.at(-1);
  if (fields.malformed || accept > 1) return badFormat();
  if (last === undefined || last.accepted) return fail(errors.wrongOrder);
  if (accept === 1) last.accepted = true;
  else device.marks.pop();
  return ok(2, last.result);
}

function bind(device: PiritDevice, fields: Fields): Outcome {
  const code = fields.code(MAX_CODE_BYTES);
  const status = fields.integer();
  const mode = fields.integer();
  const result = fields.integer();
  const measure = fields.integer();
  const { document } = device;
  if (fields.malformed || code === "" || mode !== 0) return badFormat(81);
  if (document === null || operationOf(document.type) === null) return wrongState(8);
  if (document.state !== 1) return wrongState(11);
  const checked = device.marks.find((candidate) => candidate.code === code && candidate.accepted);
  if (checked === undefined) return fail(errors.unchecked);
  if (checked.result !== result || checked.status !== status || checked.measure !== measure) return badFormat(81);
  device.itemMark = checked;
  return ok(15);
}
