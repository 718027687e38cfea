import { Fault, toFault } from "@fiscald/shared/fault.js";
import type { Receipt } from "@fiscald/shared/receipt/receipt.js";
import type { RegisterTables } from "@fiscald/shared/receipt/vat.js";
import { isOfSums } from "../compile/corrections.js";
import { withSentTags } from "../compile/sent-tags.js";
import {
  connectedFacts,
  type DriverParts,
  finishIfPossible,
  readTablesTwice,
  withMissingFacts,
} from "../driver-parts.js";
import type { FiscalDocument } from "../fiscal-document.js";
import type {
  Baseline,
  Capabilities,
  CompileContext,
  DeviceState,
  FiscalDriver,
  Identity,
  ReadStateOptions,
  RunOutcome,
  ShiftTotals,
} from "../fiscal-driver.js";
import { KeptFacts } from "../kept-facts.js";
import { HeldLink } from "../link/held-link.js";
import type { Link } from "../link/link.js";
import { sessionOf } from "../link/session.js";
import type { Program } from "../program.js";
import type { ReceiptSetting } from "../receipt-setting.js";
import { runProgram } from "../run-program.js";
import { compile } from "./compile/compile.js";
import type { PiritCommand } from "./compile/steps.js";
import type { PiritOptions } from "./options.js";
import { createPort, finishPrint } from "./program-port.js";
import { type PiritTimeouts, piritTimeouts } from "./protocol/command-rows.js";
import { commands } from "./protocol/commands.js";
import { Conversation } from "./protocol/conversation.js";
import { spell } from "./protocol/fields.js";
import type { RegisterFacts } from "./protocol/models.js";
import { capabilitiesOf } from "./protocol/models.js";
import { createPacketProtocol, PacketIds } from "./protocol/packet-protocol.js";
import { documentsSince } from "./read/read-documents.js";
import { readFacts } from "./read/read-facts.js";
import { readSettings } from "./read/read-settings.js";
import {
  type Gauges,
  isDocumentOpen,
  isPrintUnfinished,
  readGauges,
  readShiftTotals,
  readState,
} from "./read/read-state.js";
import { readTables } from "./read/read-tables.js";

type Parts = DriverParts<PiritOptions, PiritTimeouts>;

export const createPiritDriver = (parts: Parts): FiscalDriver<PiritCommand> => new PiritDriver(parts);

interface Connection {
  readonly link: Link;
  readonly talk: Conversation;
  readonly gauges: KeptFacts<Gauges>;
}

class PiritDriver implements FiscalDriver<PiritCommand> {
  private readonly held = new HeldLink<Connection>();
  private facts: RegisterFacts | null = null;
  private readonly timeouts: PiritTimeouts;
  private readonly ids: PacketIds;

  constructor(private readonly setup: Parts) {
    this.timeouts = { ...piritTimeouts, ...setup.timeouts };
    this.ids = new PacketIds(setup.random());
  }

  get capabilities(): Capabilities {
    return capabilitiesOf(this.knownFacts(), this.setup.options);
  }

  async connect(signal: AbortSignal): Promise<Identity> {
    const { clock, logger, openTransport, options } = this.setup;
    const { timeouts, ids } = this;
    const protocols = [sessionOf(() => createPacketProtocol({ password: options.password, ids, timeouts }))];
    const identify = async (link: Link) => {
      const talk = new Conversation(link, timeouts);
      this.facts = await readFacts(talk, signal);
      return { link, talk, gauges: new KeptFacts(clock, (readSignal) => readGauges(talk, readSignal)) };
    };
    await this.held.open({ transport: openTransport(), protocols, timeouts, clock, logger }, identify, signal);
    return this.knownFacts().identity;
  }

  async readState(signal: AbortSignal, options: ReadStateOptions = {}): Promise<DeviceState> {
    return readState(this.held.connection, options, signal);
  }

  compile(receipt: Receipt, context: CompileContext): readonly Program<PiritCommand>[] {
    const { capabilities } = this;
    const facts = this.knownFacts();
    const programs = compile(receipt, context, { facts, capabilities, options: this.setup.options });
    const { identity } = facts;
    const hasNoContact = receipt.kind === "receipt" && isOfSums(receipt, identity);
    return withSentTags(programs, hasNoContact ? { ...receipt, contact: null } : receipt, context, { identity, spell });
  }

  async run(program: Program<PiritCommand>, baseline: Baseline, signal: AbortSignal): Promise<RunOutcome> {
    const port = createPort({
      talk: this.talk(),
      fence: (fenceOptions, fenceSignal) => this.fence(fenceOptions, fenceSignal),
    });
    return runProgram({ program, baseline, port, signal });
  }

  async fence({ cancelOpen }: { readonly cancelOpen: boolean }, signal: AbortSignal): Promise<DeviceState> {
    const talk = this.talk();
    const status = await talk.status(signal);
    if (isPrintUnfinished(status)) await finishIfPossible(() => finishPrint(talk, signal));
    else if (cancelOpen && isDocumentOpen(status)) await this.cancelDocument(talk, status.started, signal);
    return this.readState(signal);
  }

  async finishPrint(signal: AbortSignal): Promise<void> {
    await finishPrint(this.talk(), signal);
  }

  async documentsSince(fd: number, signal: AbortSignal, toFd?: number): Promise<readonly FiscalDocument[]> {
    return documentsSince(this.talk(), fd, signal, toFd);
  }

  async readTables(signal: AbortSignal): Promise<RegisterTables> {
    return readTablesTwice(() => readTables(this.talk(), this.setup.options, signal));
  }

  async readSettings(signal: AbortSignal): Promise<readonly ReceiptSetting[]> {
    return readSettings(this.talk(), signal);
  }

  async readIdentity(signal: AbortSignal): Promise<Identity> {
    const { identity } = await readFacts(this.talk(), signal);
    const known = this.knownFacts();
    this.facts = { ...known, identity: withMissingFacts(known.identity, identity) };
    return identity;
  }

  async readShiftTotals(signal: AbortSignal): Promise<ShiftTotals | null> {
    return readShiftTotals(this.talk(), signal);
  }

  readonly close = () => this.held.close();
  readonly lastFrames = this.held.lastFrames;
  readonly onLost = this.held.onLost;

  private async cancelDocument(talk: Conversation, started: boolean, signal: AbortSignal): Promise<void> {
    if (!started) await talk.startWork(null, signal);
    let refusal: Fault | null = null;
    try {
      await talk.ask(commands.cancelDocument, null, signal);
    } catch (error) {
      // Some firmware does not cancel a paid receipt (PIRIT protocol, 14): a person has to finish such a receipt.
      refusal = toFault(error, "internal");
      if (refusal.code !== "device.wrong-mode") throw refusal;
    }
    const after = await talk.status(signal);
    if (!isDocumentOpen(after)) return;
    const { document } = after;
    const message = `the register keeps document type ${document.type} in state ${document.state} and does not cancel it`;
    throw new Fault("device.receipt-stuck", refusal === null ? { message } : { message, cause: refusal });
  }

  private talk(): Conversation {
    return this.held.connection.talk;
  }

  private knownFacts(): RegisterFacts {
    return connectedFacts(this.facts);
  }
}
