import { Fault, isFault } from "@fiscald/shared/fault.js";
import type { Receipt } from "@fiscald/shared/receipt/receipt.js";
import { z } from "zod";
import { readEach, unknownDocument } from "../codec/document-tags.js";
import { markVerdict, uncheckedWarning } from "../compile/marking.js";
import { withSentTags } from "../compile/sent-tags.js";
import { connectedFacts, type DriverParts, finishIfPossible } from "../driver-parts.js";
import { identitySchema } from "../fact-schemas.js";
import type { FiscalDocument } from "../fiscal-document.js";
import type {
  Baseline,
  Capabilities,
  CompileContext,
  DeviceState,
  DocumentNumbers,
  FiscalDriver,
  Identity,
} from "../fiscal-driver.js";
import { HeldLink } from "../link/held-link.js";
import type { Link } from "../link/link.js";
import { sessionOf } from "../link/session.js";
import type { Program } from "../program.js";
import { type ProgramPort, requireWitness, runProgram, type StepAnswer } from "../run-program.js";
import {
  type AnsweredState,
  documentNumbersSchema,
  documentSchema,
  stateSchema,
  subtotalSchema,
  tablesSchema,
  totalsSchema,
} from "./answers.js";
import { commandRows, type ReferenceCommand, type ReferenceTimeouts, referenceTimeouts } from "./commands.js";
import { compileForReference } from "./compile-receipt.js";
import { deviceFault } from "./device-errors.js";
import { createLineProtocol, decodeAnswer, encodeRequest } from "./line-protocol.js";

type Parts = Omit<DriverParts<unknown, ReferenceTimeouts>, "options">;

/** The driver of the reference register (README.md): the smallest driver that keeps the whole contract. */
export const createReferenceDriver = (parts: Parts): FiscalDriver<ReferenceCommand> => new ReferenceDriver(parts);

export const referenceCapabilities: Capabilities = {
  maker: "reference",
  paper: {
    columns: [48, 24, 32, 42],
    styles: ["bold", "italic", "doubleHeight", "underline", "overline", "negative", "rotation"],
    barcodes: ["ean13", "code39", "qr"],
    image: { maxWidth: 576, maxHeight: 1200 },
    cut: true,
    copies: "any",
    header: true,
    footer: true,
  },
  fiscal: {
    internet: true,
    orderMark: true,
    goodsCode: true,
    marking: true,
    roundedMarks: true,
    electronicOnly: true,
    maxItems: 500,
  },
  reports: ["z", "x", "sections", "cashiers", "hours"],
  documentBodies: "full",
};

class ReferenceDriver implements FiscalDriver<ReferenceCommand> {
  private readonly held = new HeldLink<{ readonly link: Link }>();
  private connection = "";
  private lastId = 0;
  private identity: Identity | null = null;
  private readonly timeouts: ReferenceTimeouts;

  constructor(private readonly options: Parts) {
    this.timeouts = { ...referenceTimeouts, ...options.timeouts };
  }

  readonly capabilities: Capabilities = referenceCapabilities;

  async connect(signal: AbortSignal): Promise<Identity> {
    const { openTransport, clock, logger, random } = this.options;
    // The answer to a command of an earlier connection must not look like an answer to this one.
    this.connection = Math.floor(random() * 0x1000000).toString(36);
    const protocols = [sessionOf(createLineProtocol)];
    const options = { transport: openTransport(), protocols, timeouts: this.timeouts, clock, logger };
    const identify = async (link: Link) => {
      this.identity = await this.ask({ name: "IDENT", body: {} }, identitySchema, signal, { link });
      return { link };
    };
    await this.held.open(options, identify, signal);
    return connectedFacts(this.identity);
  }

  async readState(signal: AbortSignal): Promise<DeviceState> {
    return toDeviceState(await this.ask({ name: "STATE", body: {} }, stateSchema, signal));
  }

  compile(receipt: Receipt, context: CompileContext): readonly Program<ReferenceCommand>[] {
    const identity = this.identity ?? { ffd: null, taxSystems: 0 };
    const programs = compileForReference(receipt, context, this.capabilities, identity);
    const to = { identity, spell: (text: string) => text, namesMeasures: false };
    return withSentTags(programs, receipt, context, to);
  }

  run(program: Program<ReferenceCommand>, baseline: Baseline, signal: AbortSignal) {
    return runProgram({ program, baseline, port: this.port, signal });
  }

  async fence({ cancelOpen }: { readonly cancelOpen: boolean }, signal: AbortSignal): Promise<DeviceState> {
    const before = await this.readState(signal);
    if (cancelOpen && before.openReceipt !== null) await this.ask({ name: "CANCEL", body: {} }, doneSchema, signal);
    if (before.print === "unfinished") await finishIfPossible(() => this.finishPrint(signal));
    // The state is read last: a state from before the cancelling proves nothing.
    const after = await this.readState(signal);
    if (cancelOpen && after.openReceipt !== null) throw new Fault("device.receipt-stuck");
    return after;
  }

  async finishPrint(signal: AbortSignal): Promise<void> {
    await this.ask({ name: "FINISH-PRINT", body: {} }, doneSchema, signal);
  }

  async printCopy(fd: number, signal: AbortSignal): Promise<void> {
    await this.ask({ name: "COPY", body: { fd } }, doneSchema, signal);
  }

  async documentsSince(fd: number, signal: AbortSignal, toFd?: number): Promise<readonly FiscalDocument[]> {
    const { lastFd } = await this.readState(signal);
    return readEach(fd, Math.min(lastFd, toFd ?? lastFd), (number) => this.readDocument(number, signal));
  }

  readTables(signal: AbortSignal) {
    return this.ask({ name: "TABLES", body: {} }, tablesSchema, signal);
  }

  readShiftTotals(signal: AbortSignal) {
    return this.ask({ name: "TOTALS", body: {} }, totalsSchema, signal);
  }

  readonly close = () => this.held.close();
  readonly lastFrames = this.held.lastFrames;
  readonly onLost = this.held.onLost;

  private readonly port: ProgramPort<ReferenceCommand> = {
    execute: async ({ command, expectSubtotal }, signal): Promise<StepAnswer> => {
      if (expectSubtotal !== undefined) return { subtotal: (await this.ask(command, subtotalSchema, signal)).sum };
      if (!makesDocument(command)) return this.ask(command, doneSchema, signal);
      return { fd: (await this.ask(command, documentNumbersSchema, signal)).fd };
    },
    fence: (options, signal) => this.fence(options, signal),
    readNumbers: (program, fd, signal) => this.readNumbers(program, fd, signal),
    readDrawer: async (signal) => (await this.readState(signal)).drawer,
    finishPrint: (signal) => this.finishPrint(signal),
  };

  /** Reads the numbers from the drive: the answer to a fiscal step has only the document number. */
  private async readNumbers(
    program: Program<ReferenceCommand>,
    named: number | null,
    signal: AbortSignal,
  ): Promise<DocumentNumbers> {
    const { fn, lastFd } = await this.readState(signal);
    const fd = named ?? lastFd;
    const document = await this.readDocument(fd, signal);
    requireWitness(document, program);
    const { fiscalSign, shift, receiptNumber, time } = document;
    if (shift === null || time === null)
      throw new Fault("link.corrupt", { message: `document ${fd} has no shift or time` });
    return { fn, fd, fiscalSign, shift, receiptNumber, time };
  }

  private async readDocument(fd: number, signal: AbortSignal): Promise<FiscalDocument> {
    try {
      return { ...(await this.ask({ name: "DOC", body: { fd } }, documentSchema, signal)), body: "full" };
    } catch (error) {
      if (isFault(error) && error.details.deviceError === "document-unreadable") return unknownDocument(fd);
      throw error;
    }
  }

  /** A refusal is a `device.*` fault, an answer of another shape `link.foreign`. */
  private async ask<Schema extends z.ZodType>(
    { name, body }: ReferenceCommand,
    schema: Schema,
    signal: AbortSignal,
    { link } = this.held.connection,
  ): Promise<z.output<Schema>> {
    this.lastId += 1;
    const id = `${this.connection}.${this.lastId}`;
    const payload = await link.request(
      {
        name,
        payload: encodeRequest(id, name, body),
        answerMs: this.timeouts[commandRows[name].wait],
        repeatable: commandRows[name].repeatable,
        isAnswer: (line) => decodeAnswer(line)?.id === id,
      },
      signal,
    );
    const answer = decodeAnswer(payload);
    if (answer?.status === "ERROR") throw deviceFault(refusalSchema.parse(answer.body).error, name);
    const checked = schema.safeParse(answer?.body);
    if (!checked.success) {
      throw new Fault("link.foreign", { message: `${name} was answered in another shape`, cause: checked.error });
    }
    return checked.data;
  }
}

/** `markCheck`: tag 2106 (result of the check) of an item with a marking code. */
const doneSchema = z.object({ markCheck: z.int().nullish() }).transform(({ markCheck }): StepAnswer => {
  const warning = markCheck == null ? null : uncheckedWarning(markVerdict(markCheck));
  return warning === null ? {} : { warning };
});
const refusalSchema = z.object({ error: z.string().catch("unknown") }).catch({ error: "unknown" });

function makesDocument({ name, body }: ReferenceCommand): boolean {
  return name === "OPEN-SHIFT" || name === "CLOSE" || (name === "REPORT" && body["report"] === "z");
}

function toDeviceState({ receipt, shift, ...state }: AnsweredState): DeviceState {
  return {
    ...state,
    shift: { number: shift.number, state: shift.state },
    shiftOpenedAt: shift.openedAt,
    openReceipt: receipt === null ? null : { operation: receipt.operation, subtotal: receipt.subtotal },
    blockedBy: blockedBy(state),
  };
}

function blockedBy({ paper, coverOpen }: Pick<AnsweredState, "paper" | "coverOpen">): Fault | null {
  if (coverOpen) return new Fault("device.cover-open");
  return paper === "out" ? new Fault("device.paper-out") : null;
}
