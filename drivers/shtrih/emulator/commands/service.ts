/**
 * Commands of the maker's own programs beside receipts: protocols/shtrih-m.md 8.2, 8.7, 8.8, 8.10 and 9. None of them
 * changes what later commands do. Corrections are not emulated: FF35h, FF36h and FF4Ah are answered as not supported.
 */
import { encodeTag } from "../../../emulator/memory/fn-tlv.js";
import { centredRow } from "../../../emulator/paper/tape.js";
import { driveDateTime, integer } from "../bytes.js";
import { type CommandContext, type CommandRow, fail, type Outcome, ok } from "../command-table.js";
import { readInPieces } from "./drive.js";
import { withOwnReceipt } from "./receipt.js";

const FFD_12 = 4;
const NO_DATA = 0x08;
const NOT_SUPPORTED = 0x37;
/** The discount mode of table 17 leaves no discount of a receipt. */
const NOT_WITH_THESE_SETTINGS = 0x35;
const ALL_TAGS = 0xffff;
/** Section 9: after damage of the memory, which never happens here. */
const TECHNOLOGICAL_RESET = 9;

const discount = { password: "op", operatorByte: true, modes: [8], min: 5, ms: 20, run: changeSum } as const;
const correction = { password: "sys", ms: 8, run: () => fail(NOT_SUPPORTED) } as const;

export const serviceCommands: readonly CommandRow[] = [
  { code: 0x16, name: "technological-reset", password: "none", modes: [TECHNOLOGICAL_RESET], run: () => ok() },
  {
    code: 0x19,
    name: "test-run",
    password: "op",
    operatorByte: true,
    min: 1,
    modes: [2, 3, 4],
    paper: "print",
    run: test,
  },
  { code: 0x2b, name: "end-test-run", password: "op", operatorByte: true, run: () => ok() },
  { ...discount, code: 0x86, name: "discount" },
  { ...discount, code: 0x87, name: "surcharge" },
  { ...correction, code: 0xff35, name: "begin-correction" },
  { ...correction, code: 0xff36, name: "correction" },
  { code: 0xff0e, name: "registration-tag", password: "sys", min: 3, ms: 6, run: registrationTag },
  { code: 0xff68, name: "mark-notices", password: "sys", ms: 6, run: markNotices },
];

/** One row instead of a print that goes on until 2Bh. */
function test({ device }: CommandContext): Outcome {
  device.printRows([centredRow("ТЕСТОВЫЙ ПРОГОН", device.core.tape.columns)]);
  return ok();
}

/** Since format 1.05 a receipt has no discount of its own; nothing off or on is nothing. */
function changeSum(context: CommandContext): Outcome {
  return withOwnReceipt(context, () => (context.fields.integer(5) === 0 ? ok() : fail(NOT_WITH_THESE_SETTINGS)));
}

/** FFFFh: all of them, by FF3Bh. */
function registrationTag({ device, fields }: CommandContext): Outcome {
  const report = fields.integer(1);
  const wanted = fields.integer(2);
  const document = report === 1 ? device.core.find(1) : null;
  if (document === null) return fail(NO_DATA);
  const tags = device.core.bodyOf(document);
  if (wanted === ALL_TAGS) {
    readInPieces(device, tags);
    return ok();
  }
  const tag = tags.find((candidate) => candidate.tag === wanted);
  return tag === undefined ? fail(NO_DATA) : ok(encodeTag(tag));
}

/** Connected to the marking system, nothing waits: state, count, first number, its time, percent of the memory. */
function markNotices({ device }: CommandContext): Outcome {
  if (device.core.registration.ffd !== FFD_12) return fail(0xa0);
  return ok([0], integer(0, 2), integer(0, 4), driveDateTime(null), [0]);
}
