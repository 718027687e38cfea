import { Fault, isFault, toFault } from "@fiscald/shared/fault.js";
import type { Receipt } from "@fiscald/shared/receipt/receipt.js";
import type { RegisterTables } from "@fiscald/shared/receipt/vat.js";
import { withSentTags } from "../compile/sent-tags.js";
import { connectedFacts, type DriverParts, finishIfPossible, withMissingFacts } from "../driver-parts.js";
import type { FiscalDocument } from "../fiscal-document.js";
import type {
  Baseline,
  Capabilities,
  CompileContext,
  DeviceState,
  FencedState,
  FenceOptions,
  FiscalDriver,
  Identity,
  RunOutcome,
  ShiftTotals,
  WireFrame,
} from "../fiscal-driver.js";
import { createWireTrace, type WireTrace } from "../link/wire-trace.js";
import type { Program } from "../program.js";
import type { ReceiptSetting } from "../receipt-setting.js";
import { runProgram } from "../run-program.js";
import { compile } from "./compile/compile.js";
import { inTags } from "./compile/compile-receipt.js";
import type { AtolOptions } from "./options.js";
import { type AtolTimeouts, atolTimeouts } from "./options.js";
import { createPort } from "./program-port.js";
import { PrintServiceClient, uuidOf } from "./protocol/client.js";
import { atolTables } from "./protocol/enums.js";
import type { FenceFacts } from "./protocol/fence-query.js";
import { JobClient } from "./protocol/job-client.js";
import { capabilitiesOf, type RegisterFacts } from "./protocol/models.js";
import type { AtolCommand } from "./protocol/tasks.js";
import { documentsSince } from "./read/read-documents.js";
import { settingsOf, withNeededService } from "./read/read-settings.js";
import { readFacts, readShiftTotals, readState, requireReady } from "./read/read-state.js";

type Parts = DriverParts<AtolOptions, AtolTimeouts>;

export const createAtolDriver = (parts: Parts): FiscalDriver<AtolCommand> => new AtolDriver(parts);

/** Fault `link.foreign` for a state that is older than what the fence saw: such an answer was made before the run. */
function requireNoOlder({ lastFd, drawer }: DeviceState, seen: FenceFacts): void {
  const isSameDrawer = drawer?.cashIn === seen.drawer.cashIn && drawer.cashOut === seen.drawer.cashOut;
  if (lastFd >= seen.lastFd && isSameDrawer) return;
  throw new Fault("link.foreign", {
    message: "the print service gave two answers about the register's state",
    details: { lastFd, drawer, seen },
  });
}

/** Faults that leave an unfinished print waiting. After any other refusal no print waits. */
const waitsForHelp = ["device.paper-out", "device.cover-open", "device.printer-fault", "device.printing"];

class AtolDriver implements FiscalDriver<AtolCommand> {
  private readonly client: PrintServiceClient;
  private readonly desk: JobClient;
  private readonly timeouts: AtolTimeouts;
  private readonly trace: WireTrace;
  private readonly newUuid: () => string;
  private facts: RegisterFacts | null = null;
  private connected = false;
  private unfinished = false;

  constructor(private readonly setup: Parts) {
    const { clock, logger, openTransport, options, random } = setup;
    this.timeouts = { ...atolTimeouts, ...setup.timeouts };
    this.trace = createWireTrace({ clock, logger });
    const { trace, timeouts } = this;
    this.client = new PrintServiceClient({ openTransport, clock, trace, options, timeouts });
    const session = `${clock.now()} ${random()} ${random()}`;
    let last = 0;
    this.newUuid = () => {
      last += 1;
      return uuidOf(`question ${session} ${last}`);
    };
    this.desk = new JobClient({ client: this.client, clock, timeouts, newUuid: this.newUuid });
  }

  get capabilities(): Capabilities {
    return capabilitiesOf(this.knownFacts(), this.setup.options);
  }

  async connect(signal: AbortSignal): Promise<Identity> {
    this.connected = false;
    await this.client.detect(signal);
    await this.client.nameDevice(signal);
    this.facts = await this.readBehindService(signal);
    this.connected = true;
    return this.facts.identity;
  }

  async readState(signal: AbortSignal): Promise<DeviceState> {
    this.requireConnection();
    return readState({ client: this.client, desk: this.desk, unfinished: this.unfinished }, signal);
  }

  compile(receipt: Receipt, context: CompileContext): readonly Program<AtolCommand>[] {
    const facts = this.knownFacts();
    const programs = compile(receipt, context, { facts, capabilities: this.capabilities });
    return withSentTags(programs, receipt, context, { identity: facts.identity, spell: inTags });
  }

  async run(program: Program<AtolCommand>, baseline: Baseline, signal: AbortSignal): Promise<RunOutcome> {
    this.requireConnection();
    const { desk, timeouts, setup } = this;
    const port = createPort({
      desk,
      timeouts,
      clock: setup.clock,
      paramsAsList: setup.options.markingParamsAsList,
      uuid: baseline.requestId == null ? this.newUuid() : uuidOf(baseline.requestId),
      baseline,
      readState: (readSignal) => this.readState(readSignal),
      requireReady: (shift, readSignal) => requireReady({ client: this.client, desk }, shift, readSignal),
      fence: (options, fenceSignal) => this.fence(options, fenceSignal),
      finishPrint: (printSignal) => this.finishPrint(printSignal),
      onPrinted: (printed) => {
        this.unfinished = !printed;
      },
    });
    return runProgram({ program, baseline, port, signal });
  }

  async fence({ requests = [] }: FenceOptions, signal: AbortSignal): Promise<FencedState> {
    this.requireConnection();
    const { ends, seen } = await this.desk.settle(requests.map(uuidOf), signal);
    if (this.unfinished) await finishIfPossible(() => this.finishPrint(signal));
    const state = await this.readState(signal);
    if (seen !== null) requireNoOlder(state, seen);
    return { ...state, requests: new Map(requests.map((name) => [name, ends.get(uuidOf(name)) ?? { kind: "open" }])) };
  }

  async finishPrint(signal: AbortSignal): Promise<void> {
    this.requireConnection();
    try {
      await this.desk.runOne({ type: "continuePrint" }, this.timeouts.documentMs, signal);
    } catch (error) {
      if (isFault(error) && error.area === "device" && !waitsForHelp.includes(error.code)) this.unfinished = false;
      throw error;
    }
    this.unfinished = false;
  }

  async printCopy(fd: number, signal: AbortSignal): Promise<void> {
    this.requireConnection();
    await this.desk.runOne({ type: "printFnDocument", fiscalDocumentNumber: fd }, this.timeouts.documentMs, signal);
  }

  async documentsSince(fd: number, signal: AbortSignal, toFd?: number): Promise<readonly FiscalDocument[]> {
    this.requireConnection();
    return documentsSince(this.desk, fd, signal, toFd);
  }

  async readTables(_signal: AbortSignal): Promise<RegisterTables> {
    return atolTables;
  }

  async readSettings(signal: AbortSignal): Promise<readonly ReceiptSetting[]> {
    await this.client.detect(signal);
    return settingsOf(this.knownFacts(), this.client.driverVersion);
  }

  async readIdentity(signal: AbortSignal): Promise<Identity> {
    this.requireConnection();
    const { identity } = await readFacts(this.desk, signal);
    const known = this.knownFacts();
    this.facts = { ...known, identity: withMissingFacts(known.identity, identity) };
    return identity;
  }

  async readShiftTotals(signal: AbortSignal): Promise<ShiftTotals> {
    this.requireConnection();
    return readShiftTotals(this.desk, signal);
  }

  async close(): Promise<void> {
    this.connected = false;
  }

  lastFrames(): readonly WireFrame[] {
    return this.trace.frames();
  }

  /** Never calls the listener: each request has a connection of its own, so no idle connection can break. */
  onLost(_listener: (fault: Fault) => void): void {}

  /** Where a newer version of the maker's driver needs a second service of the maker, the fault names this service. */
  private async readBehindService(signal: AbortSignal): Promise<RegisterFacts> {
    try {
      return await readFacts(this.desk, signal);
    } catch (error) {
      throw withNeededService(toFault(error, "internal"), this.client.driverVersion);
    }
  }

  private requireConnection(): void {
    if (!this.connected) throw new Fault("link.lost", { message: "not connected" });
  }

  private knownFacts(): RegisterFacts {
    return connectedFacts(this.facts);
  }
}
