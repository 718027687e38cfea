import type { Kopecks } from "@fiscald/shared/amounts.js";
import { Fault } from "@fiscald/shared/fault.js";
import { toFnSerial } from "@fiscald/shared/ids.js";
import type { LocalTime } from "@fiscald/shared/local-time.js";
import { unfitTexts } from "@fiscald/shared/receipt/texts/unfit-texts.js";
import { typeOfForm } from "../codec/document-tags.js";
import { fiscalSignText } from "../codec/tlv.js";
import { markVerdict, requireGoodMark, uncheckedWarning } from "../compile/marking.js";
import { missingInternetTag } from "../compile/receipt-tags.js";
import { makerErrorOf } from "../driver-parts.js";
import type { DeviceState, DocumentNumbers } from "../fiscal-driver.js";
import type { Program } from "../program.js";
import { type ProgramPort, requireWitness, type StepAnswer } from "../run-program.js";
import { type PiritCommand, type PiritStep, UNNAMED_CASHIER } from "./compile/steps.js";
import { requireSuccess } from "./protocol/command-rows.js";
import {
  CLOSED_IN_DRIVE,
  type ClosedReceipt,
  commands,
  documentTypes,
  type Mark,
  plainClosing,
} from "./protocol/commands.js";
import type { Conversation } from "./protocol/conversation.js";
import { errors } from "./protocol/device-errors.js";
import { readDocument, readHeader, readPlace } from "./read/read-documents.js";
import { isPrintUnfinished, readDrawer } from "./read/read-state.js";

export interface PortOptions {
  readonly talk: Conversation;
  readonly fence: (options: { readonly cancelOpen: boolean }, signal: AbortSignal) => Promise<DeviceState>;
}

/** One port for each program: it remembers the results of the program's marking codes. */
export function createPort({ talk, fence }: PortOptions): ProgramPort<PiritCommand> {
  /** Tag 2106 (result of the check) of the accepted codes. */
  const marks = new Map<string, number>();
  let closed: ClosedReceipt | null = null;
  return {
    fence,
    finishPrint: (signal) => finishPrint(talk, signal),
    async execute({ command }: PiritStep, signal): Promise<StepAnswer> {
      switch (command.kind) {
        case "prepare":
          await prepare(talk, command.startAt, signal);
          return {};
        case "send":
          await talk.send(command.request, signal);
          return {};
        case "set-clock":
          await setClock(talk, command.time, signal);
          return {};
        case "compare-total":
          return { subtotal: await compareTotal(talk, command.sum, signal) };
        case "check-mark": {
          const result = await checkMark(talk, command, signal);
          marks.set(keyOf(command.mark), result);
          const warning = uncheckedWarning(markVerdict(result));
          return warning === null ? {} : { warning };
        }
        case "bind-mark": {
          const result = marks.get(keyOf(command.mark));
          if (result === undefined) throw new Fault("internal", { message: "a marking code was not checked" });
          await talk.ask(commands.bindMark, { ...command.mark, result }, signal);
          return {};
        }
        case "confirm-place":
          if (closed !== null) await confirmPlace(talk, closed.fd, command, signal);
          return {};
        case "fiscal": {
          const { request, namesDocument } = command;
          if (namesDocument) {
            closed = await talk.sendOnce(request, (payload) => commands.closeReceipt.decode(payload), signal);
            return { fd: closed.fd };
          }
          await talk.sendOnce(request, (payload) => requireSuccess(request, payload), signal);
          return {};
        }
      }
    },
    async readNumbers(program, fd, signal) {
      const numbers = closed !== null && closed.fd === fd ? await confirm(talk, program, closed, signal) : null;
      return numbers ?? readNumbers(talk, program, fd, signal);
    },
    readDrawer: (signal) => readDrawer(talk, signal),
  };
}

async function prepare(talk: Conversation, startAt: LocalTime | null, signal: AbortSignal): Promise<void> {
  const status = await talk.status(signal);
  if (!status.started) await talk.startWork(startAt, signal);
  if (isPrintUnfinished(status)) await finishPrint(talk, signal);
  if (status.document.type === documentTypes.service) await talk.ask(commands.cancelDocument, null, signal);
}

/** The register refuses a jump of more than a day at first; only a person may confirm it. */
async function setClock(talk: Conversation, time: LocalTime, signal: AbortSignal): Promise<void> {
  try {
    await talk.ask(commands.setClock, time, signal);
  } catch (error) {
    if (makerErrorOf(error) !== errors.longShiftOrLeap) throw error;
    throw new Fault("device.clock", { message: "the new time is more than a day ahead", cause: error });
  }
}

/** The register compares the totals; when they differ, its own total is read. */
async function compareTotal(talk: Conversation, sum: Kopecks, signal: AbortSignal): Promise<Kopecks> {
  try {
    await talk.ask(commands.compareTotal, sum, signal);
    return sum;
  } catch (error) {
    if (makerErrorOf(error) !== errors.badParameter) throw error;
    const theirs = await talk.ask(commands.currentSum, null, signal);
    if (theirs === sum) throw error;
    return theirs;
  }
}

async function confirmPlace(
  talk: Conversation,
  fd: number,
  sent: Extract<PiritCommand, { readonly kind: "confirm-place" }>,
  signal: AbortSignal,
): Promise<void> {
  const held = await readPlace(talk, fd, signal);
  if (sent.internet && !held.internet) throw missingInternetTag(fd, "internetFlag");
  if (held.place === sent.place) return;
  const message = unfitTexts.placeLost(fd);
  throw new Fault("receipt.unsupported", { message, details: { fd, ...held } });
}

/** Accepts the checked code and returns tag 2106. Fault `device.marking-refused` for a refused code. */
async function checkMark(
  talk: Conversation,
  { mark, quantity }: Extract<PiritCommand, { readonly kind: "check-mark" }>,
  signal: AbortSignal,
): Promise<number> {
  const result = await talk.ask(commands.checkMark, { ...mark, quantity }, signal);
  const verdict = markVerdict(result);
  await talk.ask(commands.acceptMark, verdict === "good" || verdict === "unasked", signal);
  requireGoodMark(verdict, { result, code: Buffer.from(mark.code).toString("latin1") });
  return result;
}

function keyOf({ code }: Mark): string {
  return Buffer.from(code).toString("hex");
}

/** The numbers in the answer. Null: the drive does not confirm that it has this receipt. */
async function confirm(
  talk: Conversation,
  { witness }: Program<PiritCommand>,
  { fd, fiscalSign, shift, receiptNumber, time }: ClosedReceipt,
  signal: AbortSignal,
): Promise<DocumentNumbers | null> {
  const fn = toFnSerial(await talk.ask(commands.driveSerial, null, signal));
  const header = await readHeader(talk, fd, signal);
  const ours =
    witness.kind === "receipt" &&
    header?.fiscalSign === fiscalSign &&
    (header.form === null || typeOfForm(header.form) === witness.document) &&
    header.receipt?.total === witness.total &&
    header.receipt.operation === (witness.operation === "sale" ? 1 : 2);
  if (!ours || time === null) return null;
  return { fn, fd, fiscalSign: fiscalSignText(fiscalSign), shift, receiptNumber, time };
}

async function readNumbers(
  talk: Conversation,
  program: Program<PiritCommand>,
  named: number | null,
  signal: AbortSignal,
): Promise<DocumentNumbers> {
  const fn = toFnSerial(await talk.ask(commands.driveSerial, null, signal));
  const fd = named ?? (await talk.ask(commands.lastFd, null, signal));
  const document = await readDocument(talk, fd, signal);
  requireWitness(document, program);
  const { fiscalSign, shift, receiptNumber, time } = document;
  if (shift === null || time === null) throw new Fault("link.corrupt", { message: `document ${fd} is not readable` });
  return { fn, fd, fiscalSign, shift, receiptNumber, time };
}

/**
 * Continues a print whose document is in the drive: by command 31 in state 8 (receipt), by command 21 with flag 8 (Z
 * report) (PIRIT protocol, 4 and 12). Does nothing when no print waits. Fault `device.paper-out` or similar while the
 * printer is not ready.
 */
export async function finishPrint(talk: Conversation, signal: AbortSignal): Promise<void> {
  const status = await talk.status(signal);
  if (!isPrintUnfinished(status)) return;
  if (!status.started) await talk.startWork(null, signal);
  if (status.document.state === CLOSED_IN_DRIVE) await talk.send(commands.closeDocument.encode(plainClosing), signal);
  if (status.closingUnfinished) await talk.send(commands.closeShift.encode({ operator: UNNAMED_CASHIER }), signal);
}
