import { Fault } from "@fiscald/shared/fault.js";
import { toFnSerial } from "@fiscald/shared/ids.js";
import { type LocalTime, localTimeOf, partsOf, secondsBetween } from "@fiscald/shared/local-time.js";
import type { DeviceState, DrawerTotals, OpenReceipt, ShiftState } from "../fiscal-driver.js";
import { commands } from "./commands.js";
import { type Conversation, type ShortStatus, submodes } from "./conversation.js";
import type { ModelParameters } from "./model-parameters.js";
import type { ShiftWalk } from "./shift-walk.js";

const modes = { shiftOpen: 2, shiftExpired: 3, shiftClosed: 4, dateUnconfirmed: 6, documentOpen: 8 } as const;
/** High nibble of mode 8. */
const openOperations = { 0: "sale", 2: "return" } as const;
const flagBits = { paperPresent: 7, coverOpen: 10 } as const;
/** Money registers (reference, section 6.5). */
const drawerRegisters = { cash: 241, cashIn: 242, cashOut: 243 } as const;
const DAY_SECONDS = 24 * 3600;

export async function readState(
  talk: Conversation,
  parameters: ModelParameters,
  shiftWalk: ShiftWalk,
  signal: AbortSignal,
): Promise<DeviceState> {
  const status = await talk.shortStatus(signal);
  const openReceipt = await readOpenReceipt(talk, status, signal);
  const drive = await talk.ask(commands.fnStatus, talk.admin, signal);
  const shift = await talk.ask(commands.shiftParameters, talk.admin, signal);
  const clock = await readClock(talk, signal);
  const shiftState = shiftStateOf(status, shift.open);
  const paper = paperOf(status, parameters);
  const coverOpen = parameters.has("coverSensor") && hasBit(status.flags, flagBits.coverOpen);
  const expiry = await talk.askOptional(commands.fnExpiry, talk.admin, signal);
  const ofd = await talk.askOptional(commands.ofdStatus, talk.admin, signal);
  const fn = toFnSerial(drive.serial);
  const walked = { fn, shift: shift.shift, lastFd: drive.lastFd };
  return {
    fn,
    lastFd: drive.lastFd,
    shift: { number: shift.shift, state: shiftState },
    paper,
    coverOpen,
    openReceipt,
    print: printOf(talk, status),
    drawer: await readDrawer(talk, signal),
    unsent: ofd === null ? null : { count: ofd.count, firstFd: ofd.firstFd || null, firstAt: ofd.firstAt },
    clock,
    shiftOpenedAt: shiftState === "closed" ? null : await shiftWalk.openedAt(talk, walked, signal),
    fnWarnings: drive.warnings,
    fnDaysLeft: expiry === null || clock === null ? null : Math.ceil(secondsBetween(clock, expiry) / DAY_SECONDS),
    fnDocumentsLeft: (await talk.askOptional(commands.freeMemory, talk.admin, signal))?.documentsLeft ?? null,
    blockedBy: blockedBy(status, paper, coverOpen),
  };
}

/** Mode 8 while something is printing says nothing: some models keep it while a closed receipt is printed. */
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
  return { operation, subtotal, itemCount: status.operations };
}

export async function readDrawer(talk: Conversation, signal: AbortSignal): Promise<DrawerTotals | null> {
  const register = (number: number) =>
    talk.askOptional(commands.moneyRegister, { ...talk.operator, register: number }, signal);
  const cash = await register(drawerRegisters.cash);
  const cashIn = await register(drawerRegisters.cashIn);
  const cashOut = await register(drawerRegisters.cashOut);
  return cash === null || cashIn === null || cashOut === null ? null : { cash, cashIn, cashOut };
}

/** Between 22h and 23h. */
export function isDateUnconfirmed({ mode }: Pick<ShortStatus, "mode">): boolean {
  return (mode & 0x0f) === modes.dateUnconfirmed;
}

/**
 * 23h with the date that the register's clock shows. It is taken only where 22h has set this very date, and so it changes
 * nothing; any other is refused with error 7Ch, and is a person's to confirm.
 */
export async function confirmShownDate(talk: Conversation, signal: AbortSignal): Promise<void> {
  const clock = await readClock(talk, signal);
  if (clock === null) return;
  const { year, month, day } = partsOf(clock);
  await talk.askOptional(commands.confirmDate, { ...talk.admin, year, month, day }, signal);
}

async function readClock(talk: Conversation, signal: AbortSignal): Promise<LocalTime | null> {
  const { clock } = await talk.ask(commands.longStatus, talk.operator, signal);
  return localTimeOf({ ...clock.date, ...clock.time });
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
