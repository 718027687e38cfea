import { Fault, isFault } from "@fiscald/shared/fault.js";
import type { Receipt } from "@fiscald/shared/receipt/receipt.js";
import type { RegisterTables } from "@fiscald/shared/receipt/vat.js";
import { withSentTags } from "../compile/sent-tags.js";
import { connectedFacts, type DriverParts, makerErrorOf, readTablesTwice, withMissingFacts } from "../driver-parts.js";
import type { FiscalDocument } from "../fiscal-document.js";
import type {
  Baseline,
  Capabilities,
  CompileContext,
  DeviceState,
  FenceOptions,
  FiscalDriver,
  Identity,
  KnownShift,
  ReadStateOptions,
  RunOutcome,
  ShiftTotals,
} from "../fiscal-driver.js";
import { KeptFacts } from "../kept-facts.js";
import { createEnquiryProtocol } from "../link/enquiry-machine.js";
import { HeldLink } from "../link/held-link.js";
import type { Link } from "../link/link.js";
import { createNumberedProtocol } from "../link/numbered-machine.js";
import { type OpenSession, sessionOf } from "../link/session.js";
import type { Program } from "../program.js";
import type { ReceiptSetting } from "../receipt-setting.js";
import { runProgram } from "../run-program.js";
import { compile } from "./compile/compile.js";
import { inItsPages } from "./compile/compile-receipt.js";
import type { ShtrihCommand } from "./compile/steps.js";
import type { ShtrihOptions } from "./options.js";
import { type ShtrihTimeouts, shtrihTimeouts } from "./options.js";
import { createPort } from "./program-port.js";
import { commands } from "./protocol/commands.js";
import { Conversation } from "./protocol/conversation.js";
import type { RegisterFacts } from "./protocol/models.js";
import { capabilitiesOf } from "./protocol/models.js";
import { type OptionalCounters, readCounters } from "./read/read-counters.js";
import { documentsSince } from "./read/read-documents.js";
import { readFacts } from "./read/read-facts.js";
import { readSettings, withSubstitutedRates } from "./read/read-settings.js";
import { confirmShownDate, hasOpenDocument, isDateUnconfirmed, readState } from "./read/read-state.js";
import { readTables } from "./read/read-tables.js";
import { ReceiptCounts } from "./read/receipt-counts.js";
import { readShiftTotals, ShiftScan } from "./read/scan-shift.js";

type Parts = Omit<DriverParts<ShtrihOptions, ShtrihTimeouts>, "random">;

export const createShtrihDriver = (parts: Parts): FiscalDriver<ShtrihCommand> => new ShtrihDriver(parts);

/** Documents of the drive that a cancelled receipt may leave half open. */
const receiptDocuments: readonly number[] = [0x04, 0x14];
const OPENED_BY_ANOTHER = 0x59;

interface Connection {
  readonly link: Link;
  readonly talk: Conversation;
  readonly counters: KeptFacts<OptionalCounters>;
  readonly counts: ReceiptCounts;
}

class ShtrihDriver implements FiscalDriver<ShtrihCommand> {
  private readonly held = new HeldLink<Connection>();
  private facts: RegisterFacts | null = null;
  private readonly shiftScan = new ShiftScan();
  private readonly timeouts: ShtrihTimeouts;
  private protocols: readonly OpenSession[];
  private printIsOff = false;
  /** The last reading, on the present connection or an earlier one. */
  private tables: RegisterTables | null = null;

  constructor(private readonly setup: Parts) {
    this.timeouts = { ...shtrihTimeouts, ...setup.timeouts };
    const v1 = sessionOf(() => createEnquiryProtocol(this.timeouts, setup.options));
    const v2 = sessionOf(() => createNumberedProtocol(this.timeouts));
    this.protocols = { v1: [v1], v2: [v2], auto: [v1, v2] }[setup.options.link];
  }

  get capabilities(): Capabilities {
    return capabilitiesOf(this.knownFacts());
  }

  async connect(signal: AbortSignal, known?: KnownShift): Promise<Identity> {
    if (known !== undefined) this.shiftScan.know(known);
    const { clock, logger, openTransport, options } = this.setup;
    const { protocols, timeouts } = this;
    const identify = async (link: Link, place: number) => {
      this.preferProtocol(place);
      const talk = new Conversation({ link, options, timeouts, clock });
      const { facts, printIsOff } = await readFacts(talk, signal);
      this.facts = facts;
      this.printIsOff = printIsOff;
      const counters = new KeptFacts(clock, (readSignal) => readCounters(talk, readSignal));
      return { link, talk, counters, counts: new ReceiptCounts() };
    };
    await this.held.open({ transport: openTransport(), protocols, timeouts, clock, logger }, identify, signal);
    return this.knownFacts().identity;
  }

  async readState(signal: AbortSignal, options: ReadStateOptions = {}): Promise<DeviceState> {
    const { parameters } = this.knownFacts();
    const connection = this.held.connection;
    return connection.link.together(() =>
      readState({ ...connection, parameters, shiftScan: this.shiftScan }, options, signal),
    );
  }

  compile(receipt: Receipt, context: CompileContext): readonly Program<ShtrihCommand>[] {
    const { capabilities, printIsOff } = this;
    const facts = this.knownFacts();
    const programs = compile(receipt, context, { facts, capabilities, options: this.setup.options, printIsOff });
    return withSentTags(programs, receipt, context, { identity: facts.identity, spell: inItsPages });
  }

  async run(program: Program<ShtrihCommand>, baseline: Baseline, signal: AbortSignal): Promise<RunOutcome> {
    const { link, talk, counts } = this.held.connection;
    const port = createPort({
      talk,
      counts,
      fence: (fenceOptions, fenceSignal) => this.fence(fenceOptions, fenceSignal),
      finishPrint: (printSignal) => this.finishPrint(printSignal),
      namesErrors: this.knownFacts().parameters.has("errorText"),
      onPrintSwitch: (on) => {
        this.printIsOff = !on;
      },
    });
    return link.together(() => runProgram({ program, baseline, port, signal }));
  }

  async fence({ cancelOpen, confirmDate = false }: FenceOptions, signal: AbortSignal): Promise<DeviceState> {
    const talk = this.talk();
    const status = await talk.settlePrint(signal);
    if (confirmDate && isDateUnconfirmed(status)) await confirmShownDate(talk, signal);
    if (cancelOpen && hasOpenDocument(talk, status)) await this.cancelReceipt(talk, signal);
    if (cancelOpen) await this.cancelDriveDocument(talk, signal);
    return this.readState(signal);
  }

  async finishPrint(signal: AbortSignal): Promise<void> {
    await this.talk().awaitPrinter(signal);
  }

  /** The command copies the last document; it takes no number. */
  async printCopy(_fd: number, signal: AbortSignal): Promise<void> {
    const { link, talk } = this.held.connection;
    await link.together(async () => {
      await talk.awaitPrinter(signal);
      await talk.send(commands.printCopy.encode(talk.operator), signal);
      await talk.awaitPrinter(signal);
    });
  }

  async documentsSince(fd: number, signal: AbortSignal, toFd?: number): Promise<readonly FiscalDocument[]> {
    return documentsSince(this.talk(), fd, signal, toFd);
  }

  async readTables(signal: AbortSignal): Promise<RegisterTables> {
    const tables = await readTablesTwice(() => readTables(this.talk(), signal));
    this.tables = await withSubstitutedRates(this.talk(), this.knownFacts(), tables, signal);
    return this.tables;
  }

  async readSettings(signal: AbortSignal): Promise<readonly ReceiptSetting[]> {
    const tables = this.tables ?? (await this.readTables(signal));
    return readSettings(this.talk(), this.knownFacts(), tables, signal);
  }

  async readIdentity(signal: AbortSignal): Promise<Identity> {
    const { facts, printIsOff } = await readFacts(this.talk(), signal);
    const known = this.knownFacts();
    this.facts = { ...known, identity: withMissingFacts(known.identity, facts.identity) };
    // After a refused query the earlier answer counts. A wrong `true` only switches paper on once more than needed.
    this.printIsOff ||= printIsOff;
    return facts.identity;
  }

  async readShiftTotals(signal: AbortSignal): Promise<ShiftTotals | null> {
    return readShiftTotals(this.talk(), signal);
  }

  readonly close = () => this.held.close();
  readonly lastFrames = this.held.lastFrames;
  readonly onLost = this.held.onLost;

  /** Cancels by 88h, and by FF08h only where 88h fails. Another operator's receipt must not be cancelled. */
  private async cancelReceipt(talk: Conversation, signal: AbortSignal): Promise<void> {
    try {
      await talk.ask(commands.cancelReceipt, talk.operator, signal);
    } catch (error) {
      if (!isFault(error) || error.area !== "device") throw error;
      if (makerErrorOf(error) === OPENED_BY_ANOTHER) throw error;
      await talk.ask(commands.cancelFnDocument, talk.admin, signal);
    }
    const after = await talk.settlePrint(signal);
    if (hasOpenDocument(talk, after))
      throw new Fault("device.receipt-stuck", { message: "the register answers the cancelling and keeps the receipt" });
  }

  private async cancelDriveDocument(talk: Conversation, signal: AbortSignal): Promise<void> {
    const { currentDocument } = await talk.ask(commands.fnStatus, talk.admin, signal);
    // FF08h is refused where the register itself has no open receipt: then there is nothing left to cancel.
    if (receiptDocuments.includes(currentDocument))
      await talk.askOptional(commands.cancelFnDocument, talk.admin, signal);
  }

  /** The link protocol that answered is tried first next time. */
  private preferProtocol(place: number): void {
    const found = this.protocols[place];
    if (found !== undefined) this.protocols = [found, ...this.protocols.filter((protocol) => protocol !== found)];
  }

  private talk(): Conversation {
    return this.held.connection.talk;
  }

  private knownFacts(): RegisterFacts {
    return connectedFacts(this.facts);
  }
}
