import { Fault } from "@fiscald/shared/fault.js";
import { toFnSerial } from "@fiscald/shared/ids.js";
import { type LocalTime, partsOf, secondsBetween } from "@fiscald/shared/local-time.js";
import { closedArchive } from "../../driver-parts.js";
import type { DeviceState, OpenReceipt, ReadStateOptions, ShiftState } from "../../fiscal-driver.js";
import type { KeptFacts } from "../../kept-facts.js";
import { commands } from "../protocol/commands.js";
import { type Conversation, type ShortStatus, submodes } from "../protocol/conversation.js";
import type { ModelParameters } from "../protocol/model-parameters.js";
import type { OptionalCounters } from "./read-counters.js";
import type { ReceiptCounts } from "./receipt-counts.js";
import type { ShiftScan } from "./scan-shift.js";

const modes = { shiftOpen: 2, shiftExpired: 3, shiftClosed: 4, dateUnconfirmed: 6, documentOpen: 8 } as const;
/** Operations of an open receipt by the high nibble of mode 8 (open document). */
const openOperations = { 0: "sale", 2: "return" } as const;
const flagBits = { paperPresent: 7, coverOpen: 10 } as const;
/** Bit in the life phase of the drive. */
const CLOSED_ARCHIVE = 2;
const DAY_SECONDS = 24 * 3600;

export interface StateParts {
  readonly talk: Conversation;
  readonly parameters: ModelParameters;
  readonly counters: KeptFacts<OptionalCounters>;
  readonly shiftScan: ShiftScan;
  readonly counts: ReceiptCounts;
}

export async function readState(
  { talk, parameters, counters, shiftScan, counts }: StateParts,
  { forReceipt = false }: ReadStateOptions,
  signal: AbortSignal,
): Promise<DeviceState> {
  const { status, clock } = await readStatus(talk, parameters, signal);
  const openReceipt = await readOpenReceipt(talk, status, signal);
  const drive = await talk.ask(commands.fnStatus, talk.admin, signal);
  const shift = await talk.ask(commands.shiftParameters, talk.admin, signal);
  const shiftState = shiftStateOf(status, shift.open);
  const paper = paperOf(status, parameters);
  const coverOpen = parameters.has("coverSensor") && hasBit(status.flags, flagBits.coverOpen);
  const fn = toFnSerial(drive.serial);
  const ofShift = `${fn} ${shift.shift} ${shift.open}`;
  const { drawer, unsent, driveExpiry, documentsLeft } = await counters.read(
    { mayBeKept: forReceipt, shift: ofShift },
    signal,
  );
  const seen = { fn, shift: shift.shift, lastFd: drive.lastFd };
  counts.note({ ...seen, isOpen: shift.open, receipts: shift.receipt });
  return {
    fn,
    lastFd: drive.lastFd,
    shift: { number: shift.shift, state: shiftState },
    paper,
    coverOpen,
    openReceipt,
    print: printOf(talk, status),
    drawer,
    unsent,
    clock,
    shiftOpenedAt: shiftState === "closed" ? null : await shiftScan.openedAt(talk, seen, signal),
    fnWarnings: drive.warnings,
    fnDaysLeft:
      driveExpiry === null || clock === null ? null : Math.ceil(secondsBetween(clock, driveExpiry) / DAY_SECONDS),
    fnDocumentsLeft: documentsLeft,
    blockedBy: blockedBy(status, paper, coverOpen) ?? (hasBit(drive.phase, CLOSED_ARCHIVE) ? closedArchive() : null),
  };
}

/**
 * The long status (11h) has the register's state and clock. The short status (10h) is read only for what the long one
 * lacks: whether the last document still prints, where the model reports it, and the lines of an open receipt.
 */
async function readStatus(
  talk: Conversation,
  parameters: ModelParameters,
  signal: AbortSignal,
): Promise<{ readonly status: ShortStatus; readonly clock: LocalTime | null }> {
  const { clock, operator, flags, mode, submode } = await talk.ask(commands.longStatus, talk.operator, signal);
  if (parameters.has("printResult") || (mode & 0x0f) === modes.documentOpen) {
    return { status: await talk.shortStatus(signal), clock };
  }
  const status = { operator, flags, mode, submode, operations: 0, printResult: null };
  talk.noteStatus(status);
  return { status, clock };
}

/** Mode 8 during a print means nothing: a closed receipt may have it. */
export function hasOpenDocument(talk: Conversation, status: ShortStatus): boolean {
  const settled = status.submode === submodes.idle || status.submode === submodes.noPaper;
  return (status.mode & 0x0f) === modes.documentOpen && settled && !talk.isPrinting(status);
}

async function readOpenReceipt(
  talk: Conversation,
  status: ShortStatus,
  signal: AbortSignal,
): Promise<OpenReceipt | null> {
  if (!hasOpenDocument(talk, status)) return null;
  const kind = status.mode >> 4;
  const operation = kind === 0 || kind === 2 ? openOperations[kind] : null;
  const subtotal = await talk.askOptional(commands.subtotal, talk.operator, signal);
  return { operation, subtotal };
}

/** True: the register waits between 22h (set date) and 23h (confirm date). */
export function isDateUnconfirmed({ mode }: Pick<ShortStatus, "mode">): boolean {
  return (mode & 0x0f) === modes.dateUnconfirmed;
}

/**
 * Sends 23h (confirm date) with the date that the register's clock shows. The register takes it only where 22h (set
 * date) has set this very date, so the date does not change. Any other date is refused with error 7Ch, and a person has
 * to confirm it.
 */
export async function confirmShownDate(talk: Conversation, signal: AbortSignal): Promise<void> {
  const { clock } = await talk.ask(commands.longStatus, talk.operator, signal);
  if (clock === null) return;
  const { year, month, day } = partsOf(clock);
  await talk.askOptional(commands.confirmDate, { ...talk.admin, year, month, day }, signal);
}

function shiftStateOf({ mode }: ShortStatus, open: boolean): ShiftState["state"] {
  switch (mode & 0x0f) {
    case modes.shiftExpired:
      return "expired";
    case modes.shiftClosed:
    case modes.dateUnconfirmed:
      return "closed";
    default:
      return open ? "open" : "closed";
  }
}

function paperOf({ submode, flags }: ShortStatus, parameters: ModelParameters): DeviceState["paper"] {
  if (submode === submodes.noPaper || submode === submodes.paperRanOut) return "out";
  if (!parameters.has("paperSensor")) return "unknown";
  return hasBit(flags, flagBits.paperPresent) ? "present" : "out";
}

function printOf(talk: Conversation, status: ShortStatus): DeviceState["print"] {
  if (status.submode === submodes.paperRanOut || status.submode === submodes.awaitsContinue) return "unfinished";
  return talk.isPrinting(status) ? "printing" : "idle";
}

function blockedBy({ mode }: ShortStatus, paper: DeviceState["paper"], coverOpen: boolean): Fault | null {
  if (coverOpen) return new Fault("device.cover-open");
  if (paper === "out") return new Fault("device.paper-out");
  if (isDateUnconfirmed({ mode })) return new Fault("device.clock");
  return null;
}

function hasBit(flags: number, bit: number): boolean {
  return ((flags >> bit) & 1) === 1;
}
