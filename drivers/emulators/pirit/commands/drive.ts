import { partsOf } from "@fiscald/shared/local-time.js";
import { documentForms, operations, type StoredDocument } from "../../memory/documents.js";
import { encodeTag, integerBytes } from "../../memory/fn-tlv.js";
import { type CommandRow, command } from "../command-table.js";
import type { PiritDevice } from "../device.js";
import { dateField, timeField } from "../fields.js";
import { badFormat, fail, type Outcome, ok } from "../outcomes.js";

const NO_DATA = 0x48;
const BLOCK_BYTES = 128;
const FISCAL_MODE = 3;
const SHIFT_OPEN = 1 << 5;
const drivePhases = { receipt: 0x04, none: 0x00 } as const;
/** Queries of command 78 with a name that all makers share, for faults and logs. */
const names: Readonly<Record<number, string>> = { 11: "find-document", 15: "document-body", 16: "read-tlv" };

export const driveCommands: readonly CommandRow[] = [
  command({
    code: "78",
    name: (_, fields) => names[fields.integer()] ?? "drive-status",
    ms: 6,
    read: (fields) => ({ query: fields.integer(), argument: fields.integer(), size: fields.integer() }),
    run: (device, { query, argument }) => {
      const answer = ask(device, query, argument);
      return Array.isArray(answer) ? ok(query, ...answer) : answer;
    },
  }),
];

/** Queries that read documents, for the fault that makes documents unreadable. */
export const readingQueries: readonly number[] = [11, 15, 16];

function ask(device: PiritDevice, query: number, argument: number): (string | number)[] | Outcome {
  const { core } = device;
  switch (query) {
    case 1:
      return [core.fn];
    case 2:
      return driveState(device);
    case 3:
      return [core.lastFd];
    case 6:
      return [core.shiftRecord.number, core.shift === "closed" ? 0 : 1, core.shiftRecord.receipts];
    case 7:
      return unsent(device);
    case 11:
      return archived(device, argument);
    case 14:
      return ["fn_v_1_1_emulator", 0, core.registration.ffd, "001", core.registration.ffd];
    case 15:
      return beginReading(device, argument);
    case 16:
      return nextBlock(device);
    case 17:
      return [shiftStart(device)];
    case 18:
      return [core.drive.documentsLeft, 30_000];
    case 22:
      return [core.registration.ffd, 4];
    default:
      return badFormat(66);
  }
}

function driveState({ core }: PiritDevice): number[] {
  const open = core.receipt === null ? drivePhases.none : drivePhases.receipt;
  return [FISCAL_MODE | (core.shift === "closed" ? 0 : SHIFT_OPEN), open, core.drive.warnings];
}

function unsent({ core }: PiritDevice): (string | number)[] {
  const { count, first } = core.unsent;
  const when = first === null ? ["", ""] : [dateField(first.time), timeField(first.time)];
  return [count > 0 ? 2 : 0, count, first?.fd ?? 0, ...when];
}

function shiftStart({ core }: PiritDevice): number {
  const opened = core.documents.findLast(({ type, fn }) => type === "shift-open" && fn === core.fn);
  return opened?.fd ?? 0;
}

/** The drive's record of a document: time, number, fiscal sign, and then the fields of its kind. */
function archived(device: PiritDevice, fd: number): (string | number)[] | Outcome {
  const document = device.core.find(fd);
  if (document === null) return fail(NO_DATA);
  const { year, month, day, hour, minute } = partsOf(document.time);
  const type = device.settings["archive-block"] === "with-type" ? [documentForms[document.type]] : [];
  const head = [...type, year - 2000, month, day, hour, minute];
  const block = [
    ...head,
    ...integerBytes(document.fd, 4),
    ...integerBytes(document.fiscalSign, 4),
    ...ownPart(document),
  ];
  return [device.core.isSent(document) ? 1 : 0, hex(Uint8Array.from(block))];
}

function ownPart({ type, operation, total, shift }: StoredDocument): Iterable<number> {
  switch (type) {
    case "receipt":
    case "correction":
      return [operation === null ? 0 : operations.indexOf(operation) + 1, ...integerBytes(total ?? 0, 5)];
    case "shift-open":
    case "shift-close":
      return integerBytes(shift, 2);
    default:
      return [];
  }
}

function beginReading(device: PiritDevice, fd: number): (string | number)[] | Outcome {
  const document = device.core.find(fd);
  device.reading = null;
  if (document === null) return fail(NO_DATA);
  const tags = device.core.bodyOf(document).map(encodeTag);
  const body = Buffer.concat(tags);
  const chunks = Array.from({ length: Math.ceil(body.length / BLOCK_BYTES) }, (_, index) =>
    body.subarray(index * BLOCK_BYTES, (index + 1) * BLOCK_BYTES),
  );
  device.reading = { blocks: device.settings["tlv-block"] === "tag" ? tags : chunks, next: 0 };
  return [documentForms[document.type], body.length];
}

function nextBlock(device: PiritDevice): string[] | Outcome {
  const { reading } = device;
  const block = reading?.blocks[reading.next];
  if (reading === null || block === undefined) {
    device.reading = null;
    return fail(NO_DATA);
  }
  reading.next += 1;
  return [hex(block)];
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex").toUpperCase();
}
