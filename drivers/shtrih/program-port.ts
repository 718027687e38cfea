import { Fault, isFault } from "@fiscald/shared/fault.js";
import type { FaultCode } from "@fiscald/shared/fault-codes.js";
import { toFnSerial } from "@fiscald/shared/ids.js";
import { fiscalSignText } from "../codec/tlv.js";
import { type MarkVerdict, markVerdict, requireGoodMark, uncheckedWarning } from "../compile/marking.js";
import { makerErrorOf } from "../driver-parts.js";
import type { DeviceState, DocumentNumbers } from "../fiscal-driver.js";
import type { Program } from "../program.js";
import { type ProgramPort, requireWitness, type StepAnswer } from "../run-program.js";
import type { ShtrihCommand, ShtrihStep } from "./compile/steps.js";
import { commands } from "./protocol/commands.js";
import type { Conversation } from "./protocol/conversation.js";
import { readDrawer } from "./read/read-counters.js";
import type { ReceiptCounts } from "./read/receipt-counts.js";

export interface PortOptions {
  readonly talk: Conversation;
  readonly counts: ReceiptCounts;
  readonly fence: (options: { readonly cancelOpen: boolean }, signal: AbortSignal) => Promise<DeviceState>;
  readonly finishPrint: (signal: AbortSignal) => Promise<void>;
  readonly onPrintSwitch: (on: boolean) => void;
  readonly namesErrors: boolean;
}

export function createPort(options: PortOptions): ProgramPort<ShtrihCommand> {
  const { talk, counts, fence, finishPrint, namesErrors } = options;
  return {
    fence,
    finishPrint,
    async execute(step, signal) {
      try {
        return await execute(step, options, signal);
      } catch (error) {
        throw namesErrors ? await inItsWords(error, talk, signal) : error;
      }
    },
    readNumbers: (program, fd, signal) => readNumbers({ talk, counts }, program, fd, signal),
    readDrawer: (signal) => readDrawer(talk, signal),
  };
}

async function execute(
  { command }: ShtrihStep,
  { talk, onPrintSwitch }: PortOptions,
  signal: AbortSignal,
): Promise<StepAnswer> {
  switch (command.kind) {
    case "send":
      await talk.send(command.request, signal).catch((error: unknown) => {
        throw command.tag === undefined ? error : ofTag(error, command.tag);
      });
      return {};
    case "await-printer":
      // A register that still prints refuses the next step and executes nothing: the step is sent again. A fiscal step
      // is never repeated: its outcome is then unknown, and the register's memory settles it.
      if (!talk.isKnownIdle) await talk.awaitPrinter(signal);
      return {};
    case "print-switch":
      await talk.send(command.request, signal);
      onPrintSwitch(command.on);
      return {};
    case "subtotal":
      return { subtotal: await talk.ask(commands.subtotal, talk.operator, signal) };
    case "check-mark": {
      const warning = uncheckedWarning(await checkMark(talk, command, signal));
      return warning === null ? {} : { warning };
    }
    case "fiscal": {
      const payload = await talk.sendOnce(command.request, signal).catch((error: unknown) => {
        throw explained(error, command.badValue);
      });
      return command.namesDocument ? { fd: commands.closeReceipt.decode(payload).fd } : {};
    }
  }
}

/** Adds the register's own text for its error, for people, where the register has one. */
async function inItsWords(error: unknown, talk: Conversation, signal: AbortSignal): Promise<unknown> {
  const makerError = makerErrorOf(error);
  if (!isFault(error) || makerError === null) return error;
  const words = await talk.ask(commands.errorText, { error: makerError }, signal).catch(() => "");
  if (words.trim() === "") return error;
  const details = { ...error.details, registerText: words.trim() };
  return new Fault(error.code, { message: `${error.message} ("${words.trim()}")`, details, cause: error.cause });
}

const BAD_PARAMETERS = 0x33;
const UNKNOWN_TO_MODEL = 0x36;
const NO_DATA = 0x34;
/** Tag 1084 (user requisite), which carries the order mark. */
const ORDER_MARK = 1084;

function ofTag(error: unknown, tag: number): unknown {
  const makerError = makerErrorOf(error);
  if (!isFault(error) || makerError === null) return error;
  const refusesMark = tag === ORDER_MARK && (makerError === BAD_PARAMETERS || makerError === UNKNOWN_TO_MODEL);
  return new Fault(refusesMark ? "device.order-mark-refused" : error.code, {
    message: `tag ${tag}: ${error.message}`,
    details: { ...error.details, tag },
    cause: error,
  });
}

/** Replaces the fault of a refusal by its meaning for this document; the maker's number stays in the details. */
function explained(error: unknown, badValue: FaultCode | null): unknown {
  if (badValue === null || !isFault(error) || makerErrorOf(error) !== BAD_PARAMETERS) return error;
  return new Fault(badValue, { details: error.details, cause: error });
}

/** "No data" in answer to the check of a marking code means that marking is blocked until notifications are sent. */
function whileBlocked(error: unknown): unknown {
  if (!isFault(error) || makerErrorOf(error) !== NO_DATA) return error;
  return new Fault("device.marking-unavailable", { message: error.message, details: error.details, cause: error });
}

/** A code that could not be checked may be sold; a code that a check refuses may not. */
async function checkMark(
  talk: Conversation,
  { request, accept, reject }: Extract<ShtrihCommand, { kind: "check-mark" }>,
  signal: AbortSignal,
): Promise<MarkVerdict> {
  const answer = await talk.sendOnce(request, signal).catch((error: unknown) => {
    throw whileBlocked(error);
  });
  const { local, online, standsAlone } = commands.checkMark.decode(answer);
  // Tag 2004 (the drive's result) has the first two bits of tag 2106 (the whole result).
  const byDrive = markVerdict(local);
  const together = standsAlone ? "good" : markVerdict(online ?? 0);
  const verdict = byDrive === "refused by the drive" ? byDrive : together;
  await talk.send(verdict === "good" || verdict === "unasked" ? accept : reject, signal);
  requireGoodMark(verdict, { local, online });
  return verdict;
}

async function readNumbers(
  { talk, counts }: Pick<PortOptions, "talk" | "counts">,
  program: Program<ShtrihCommand>,
  named: number | null,
  signal: AbortSignal,
): Promise<DocumentNumbers> {
  const drive = await talk.ask(commands.fnStatus, talk.admin, signal);
  const fd = named ?? drive.lastFd;
  const header = await talk.ask(commands.findDocument, { ...talk.admin, fd }, signal);
  if (header.fd !== fd) throw new Fault("link.corrupt", { message: `asked for document ${fd}, got ${header.fd}` });
  requireWitness(header, program);
  const fn = toFnSerial(drive.serial);
  // Corrections and receipts are numbered together.
  const isReceipt = header.type === "receipt" || header.type === "correction";
  const next = isReceipt ? counts.nextAfter({ fn, fd }) : null;
  const shift = next ?? (await talk.ask(commands.shiftParameters, talk.admin, signal));
  if (header.time === null) throw new Fault("link.corrupt", { message: `document ${fd} has no time` });
  return {
    fn,
    fd,
    fiscalSign: fiscalSignText(header.fiscalSign),
    shift: header.shift ?? shift.shift,
    receiptNumber: isReceipt ? shift.receipt : null,
    time: header.time,
  };
}
