import type {
  Baseline,
  Bitmap,
  CompileContext,
  DeviceState,
  FiscalDriver,
  Identity,
  RunOutcome,
} from "@fiscald/drivers/fiscal-driver.js";
import type { Program } from "@fiscald/drivers/program.js";
import type { StoredDocument } from "@fiscald/emulators/memory/documents.js";
import { createLoopbackFactory, type LoopbackOptions } from "@fiscald/emulators/wire/loopback.js";
import { type Kopecks, kopecks, sumKopecks } from "@fiscald/shared/amounts.js";
import { isFault } from "@fiscald/shared/fault.js";
import type { FaultCode } from "@fiscald/shared/fault-codes.js";
import { silentLogger } from "@fiscald/shared/logger.js";
import { loadTextPainter } from "@fiscald/shared/paper/paint-text.js";
import { ownPropertyOf, type Receipt } from "@fiscald/shared/receipt/receipt.js";
import type { RegisterTables, VatCode } from "@fiscald/shared/receipt/vat.js";
import { createFakeClock, type FakeClock } from "../../support/fake-clock.js";
import type { ContractSubject, EmulatedRegister } from "./subject.js";

export const testBitmap: Bitmap = {
  width: 16,
  height: 4,
  rows: Uint8Array.from({ length: 8 }, (_, row) => 0xf0 >> (row % 5)),
};

/** A driver and its emulated register joined in memory, with a clock that moves only when something waits for it. */
export class ContractWorld {
  readonly clock: FakeClock = createFakeClock();
  readonly register: EmulatedRegister;
  readonly driver: FiscalDriver;
  readonly signal: AbortSignal = new AbortController().signal;
  /** A text in the register's characters. */
  readonly spell: (text: string) => string;
  private tables: RegisterTables | null = null;
  private sentToDevice = 0;

  constructor(subject: ContractSubject, options: LoopbackOptions = {}) {
    const { clock } = this;
    this.spell = subject.spell ?? ((text) => text);
    this.register = subject.openRegister({ clock });
    const openTransport = createLoopbackFactory((end) => {
      end.onBytes((bytes) => {
        this.sentToDevice += bytes.length;
      });
      return this.register.device.attach(end);
    }, options);
    this.driver = subject.createDriver({ openTransport, clock, logger: silentLogger });
  }

  get bytesSent(): number {
    return this.sentToDevice;
  }

  /** Waits for the promise and moves the clock to its next timer whenever nothing else can go on. */
  async live<T>(promise: Promise<T>): Promise<T> {
    let settled = false;
    const watched = promise.finally(() => {
      settled = true;
    });
    watched.catch(() => {});
    for (let idle = 0; !settled; idle += 1) {
      for (let turn = 0; turn < 4 && !settled; turn += 1) await nextTurn();
      if (settled) break;
      const due = this.clock.nextDueMs;
      if (due !== null) await this.clock.advance(due);
      if (idle > 20_000) throw new Error("nothing goes on and nothing is waited for");
    }
    return watched;
  }

  /** The code of the fault with which the promise rejects; throws when it resolves. */
  async faultOf(promise: Promise<unknown>): Promise<FaultCode> {
    try {
      await this.live(promise);
    } catch (error) {
      if (isFault(error)) return error.code;
      throw error;
    }
    throw new Error("it did not fail");
  }

  async connect(): Promise<Identity> {
    const identity = await this.live(this.driver.connect(this.signal));
    this.tables ??= await this.live(this.driver.readTables(this.signal));
    return identity;
  }

  readState(): Promise<DeviceState> {
    return this.live(this.driver.readState(this.signal));
  }

  fence(cancelOpen = true): Promise<DeviceState> {
    return this.live(this.driver.fence({ cancelOpen }, this.signal));
  }

  get registerTables(): RegisterTables {
    if (this.tables === null) throw new Error("not connected yet");
    return this.tables;
  }

  taxOf(vat: VatCode): number {
    const row = this.registerTables.taxes.find((candidate) => candidate.vat === vat);
    if (row === undefined) throw new Error(`the register has no row for rate ${vat}`);
    return row.id;
  }

  async context(over: Partial<CompileContext> = {}): Promise<CompileContext> {
    const state = await this.readState();
    return {
      shift: state.shift.state,
      mark: this.driver.capabilities.fiscal.orderMark ? "A-1 0badcafe" : null,
      cashier: { name: "Иванова А.А.", inn: null },
      taxSystem: null,
      defaultTax: this.taxOf(11),
      printPaper: true,
      tables: this.registerTables,
      images: new Map([["logo.png", testBitmap]]),
      paintText: await loadTextPainter(),
      localTime: state.clock ?? this.register.core.now(),
      ...over,
    };
  }

  async compile(receipt: Receipt, over: Partial<CompileContext> = {}): Promise<readonly Program[]> {
    const context = await this.context(over);
    return this.driver.compile(receipt, ownPropertyOf(receipt) === null ? context : { ...context, mark: null });
  }

  async baseline(): Promise<Baseline> {
    const { fn, lastFd, shift, drawer } = await this.readState();
    return { fn, lastFd, shift, drawer };
  }

  /** The program of a receipt, or of the opening of a shift before it. */
  async compileFirst(receipt: Receipt): Promise<Program> {
    const [program] = await this.compile(receipt);
    if (program === undefined) throw new Error("no program");
    return program;
  }

  /** Runs one program as the daemon does: the baseline is read first. */
  async run(program: Program): Promise<RunOutcome> {
    return this.live(this.driver.run(program, await this.baseline(), this.signal));
  }

  /** Runs all programs of a receipt, up to the first that is not printed, and returns the last outcome. */
  async print(receipt: Receipt, over: Partial<CompileContext> = {}): Promise<RunOutcome> {
    let outcome: RunOutcome | null = null;
    for (const program of await this.compile(receipt, over)) {
      outcome = await this.run(program);
      if (outcome.kind !== "printed") return outcome;
    }
    if (outcome === null) throw new Error("nothing to print");
    return outcome;
  }

  async openShift(): Promise<void> {
    const opened = this.register.core.openShift({ paper: false });
    if (!opened.ok) throw new Error(opened.refusal);
  }

  sum(lines: readonly { readonly type: string; readonly total?: Kopecks }[]): Kopecks {
    return sumKopecks(lines.map(({ total }) => total ?? kopecks(0)));
  }

  get receipts(): readonly StoredDocument[] {
    return this.register.core.documents.filter((document) => document.type === "receipt");
  }

  get lastReceipt(): StoredDocument {
    const last = this.receipts.at(-1);
    if (last === undefined) throw new Error("the fiscal memory holds no receipt");
    return last;
  }

  async close(): Promise<void> {
    await this.live(this.driver.close());
    this.register.close();
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/**
 * Tests of one subject, each in a connected world of its own. `able` false: the register lacks the feature (skips.ts),
 * and the test does not exist. Tests are shown as skipped only where a program or a server is missing.
 */
export function testsOn(subject: ContractSubject, able = true) {
  return (title: string, run: (world: ContractWorld) => Promise<void>): void => {
    if (able) test(title, () => inWorld(subject, run));
  };
}

export async function inWorld(
  subject: ContractSubject,
  test: (world: ContractWorld) => Promise<void>,
  options: LoopbackOptions = {},
): Promise<void> {
  const world = new ContractWorld(subject, options);
  try {
    await world.connect();
    await test(world);
  } finally {
    await world.close();
  }
}
