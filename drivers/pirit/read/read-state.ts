import { sumKopecks } from "@fiscald/shared/amounts.js";
import { Fault } from "@fiscald/shared/fault.js";
import { toFnSerial } from "@fiscald/shared/ids.js";
import { type LocalTime, secondsBetween } from "@fiscald/shared/local-time.js";
import type { Operation } from "@fiscald/shared/receipt/receipt.js";
import type {
  DeviceState,
  DrawerTotals,
  OpenReceipt,
  ReadStateOptions,
  ShiftState,
  ShiftTotals,
  UnsentDocuments,
} from "../../fiscal-driver.js";
import type { KeptFacts } from "../../kept-facts.js";
import { CLOSED_IN_DRIVE, commands, documentTypes, type Status } from "../protocol/commands.js";
import type { Conversation } from "../protocol/conversation.js";
import { hasBit, printerBits, printerFault } from "../protocol/device-errors.js";

const DAY_SECONDS = 24 * 3600;
/** Bits in the mask of fatal states of command 00. */
const fatalBits = { noDrive: 2, driveFailure: 6 } as const;

export interface StateParts {
  readonly talk: Conversation;
  readonly gauges: KeptFacts<Gauges>;
}

export interface Gauges {
  readonly drive: { readonly warnings: number };
  readonly expiry: LocalTime | null;
  readonly unsent: UnsentDocuments | null;
  readonly openedAt: LocalTime | null;
  readonly drawer: DrawerTotals | null;
  readonly documentsLeft: number | null;
}

export async function readState(
  { talk, gauges }: StateParts,
  { forReceipt = false }: ReadStateOptions,
  signal: AbortSignal,
): Promise<DeviceState> {
  const status = await talk.status(signal);
  const printer = await talk.printerMask(signal);
  const openReceipt = await readOpenReceipt(talk, status, signal);
  const clock = await talk.ask(commands.clock, null, signal);
  const { number } = await talk.ask(commands.shift, null, signal);
  const state = shiftStateOf(status);
  const fn = toFnSerial(await talk.ask(commands.driveSerial, null, signal));
  const ofShift = `${fn} ${number} ${state}`;
  const { drive, expiry, unsent, openedAt, drawer, documentsLeft } = await gauges.read(
    { mayBeKept: forReceipt, shift: ofShift },
    signal,
  );
  return {
    fn,
    lastFd: await talk.ask(commands.lastFd, null, signal),
    shift: { number, state },
    paper: hasBit(printer, printerBits.paperOut) ? "out" : "present",
    coverOpen: hasBit(printer, printerBits.coverOpen),
    openReceipt,
    print: isPrintUnfinished(status) ? "unfinished" : "idle",
    drawer,
    unsent,
    clock,
    shiftOpenedAt: state === "closed" ? null : openedAt,
    fnWarnings: drive.warnings,
    fnDaysLeft: expiry === null || clock === null ? null : Math.ceil(secondsBetween(clock, expiry) / DAY_SECONDS),
    fnDocumentsLeft: documentsLeft,
    blockedBy: blockedBy(status, printer),
  };
}

export async function readGauges(talk: Conversation, signal: AbortSignal): Promise<Gauges> {
  const drive = await talk.ask(commands.driveState, null, signal);
  const expiry = await talk.askOptional(commands.driveExpiry, null, signal);
  const unsent = await talk.askOptional(commands.unsent, null, signal);
  return {
    drive,
    expiry,
    unsent: unsent === null ? null : { count: unsent.count, firstAt: unsent.firstAt },
    openedAt: await talk.askOptional(commands.shiftOpenedAt, null, signal),
    drawer: await readDrawer(talk, signal),
    documentsLeft: await talk.askOptional(commands.freeMemory, null, signal),
  };
}

/** True: the drive has a document whose print is unfinished, a receipt (state 8) or a Z report (flag 8). */
export function isPrintUnfinished({ document, closingUnfinished }: Status): boolean {
  return document.state === CLOSED_IN_DRIVE || closingUnfinished;
}

export function isDocumentOpen({ document }: Status): boolean {
  return document.type !== documentTypes.none && document.state !== CLOSED_IN_DRIVE;
}

export async function readDrawer(talk: Conversation, signal: AbortSignal): Promise<DrawerTotals | null> {
  const cash = await talk.askOptional(commands.cash, null, signal);
  const sums = await talk.askOptional(commands.cashSums, null, signal);
  return cash === null || sums === null ? null : { cash, ...sums };
}

const operations: ReadonlyMap<number, Operation> = new Map([
  [documentTypes.sale, "sale"],
  [documentTypes.saleReturn, "return"],
  [documentTypes.saleCorrection, "sale"],
  [documentTypes.returnCorrection, "return"],
]);

/** A service document is no receipt: its content does not count, and the next program cancels it. */
async function readOpenReceipt(talk: Conversation, status: Status, signal: AbortSignal): Promise<OpenReceipt | null> {
  const { type } = status.document;
  if (!isDocumentOpen(status) || type === documentTypes.service) return null;
  // The answer of query 03/1 (current sum) in a cash document is unconfirmed (PIRIT protocol, 12).
  if (type === documentTypes.cashIn || type === documentTypes.cashOut) {
    return { document: "cash", operation: null, subtotal: null };
  }
  return {
    operation: operations.get(type) ?? null,
    subtotal: await talk.askOptional(commands.currentSum, null, signal),
  };
}

function shiftStateOf({ shiftOpen, shiftExpired }: Status): ShiftState["state"] {
  if (!shiftOpen) return "closed";
  return shiftExpired ? "expired" : "open";
}

function blockedBy({ fatal, archiveClosed }: Status, printer: number): Fault | null {
  if (hasBit(fatal, fatalBits.noDrive) || hasBit(fatal, fatalBits.driveFailure)) return new Fault("device.fn-failure");
  if (fatal !== 0) return new Fault("device.hardware", { details: { fatal } });
  if (archiveClosed) return new Fault("device.fn-state", { message: "the archive of the drive is closed" });
  return printerFault(printer);
}

/** Totals from the counters of an open shift, else from its Z report (PIRIT protocol, 7), else null. */
export async function readShiftTotals(talk: Conversation, signal: AbortSignal): Promise<ShiftTotals | null> {
  const shift = await talk.ask(commands.shift, null, signal);
  return shift.open ? readOpenShift(talk, shift.number, signal) : readLastReport(talk, shift.number, signal);
}

async function readOpenShift(talk: Conversation, shift: number, signal: AbortSignal): Promise<ShiftTotals | null> {
  const sales = await talk.askOptional(commands.saleSums, null, signal);
  const returns = await talk.askOptional(commands.returnSums, null, signal);
  const counts = await talk.askOptional(commands.receiptCounts, null, signal);
  if (sales === null || returns === null) return null;
  return {
    shift,
    sales: sumKopecks(sales),
    returns: sumKopecks(returns),
    saleCount: counts?.sales ?? null,
    returnCount: counts?.returns ?? null,
  };
}

async function readLastReport(talk: Conversation, shift: number, signal: AbortSignal): Promise<ShiftTotals | null> {
  const report = await talk.askOptional(commands.lastReport, null, signal);
  return report === null ? null : { shift, ...report };
}
