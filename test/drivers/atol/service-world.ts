import { createAtolDriver } from "@fiscald/drivers/atol/driver.js";
import { atolOptionsSchema } from "@fiscald/drivers/atol/options.js";
import type { Baseline, FiscalDriver, RunOutcome } from "@fiscald/drivers/fiscal-driver.js";
import type { Program } from "@fiscald/drivers/program.js";
import { writeAnswer } from "@fiscald/emulators/atol/http.js";
import type { Behaviour, Exchange } from "@fiscald/emulators/wire/behaviour.js";
import { createLoopbackFactory } from "@fiscald/emulators/wire/loopback.js";
import { silentLogger } from "@fiscald/shared/logger.js";
import type { SaleReceipt } from "@fiscald/shared/receipt/receipt.js";
import { type AtolSubject, atol } from "../contract/maker-subjects.js";
import { sale } from "../contract/receipts.js";
import { ContractWorld } from "../contract/world.js";

export type ServiceOptions = AtolSubject;

export async function inService(options: ServiceOptions, test: (world: ServiceWorld) => Promise<void>): Promise<void> {
  const world = new ServiceWorld(options);
  try {
    await world.connect();
    await test(world);
  } finally {
    await world.close();
  }
}

export class ServiceWorld extends ContractWorld {
  private drivers = 0;

  constructor(private readonly service: ServiceOptions = {}) {
    super(atol(service));
  }

  /** A driver of a newly started daemon, which remembers nothing. */
  async newDriver(): Promise<FiscalDriver> {
    this.drivers += 1;
    const driver = createAtolDriver({
      openTransport: createLoopbackFactory((end) => this.register.device.attach(end)),
      clock: this.clock,
      logger: silentLogger,
      random: () => this.drivers / 1000,
      options: atolOptionsSchema.parse(this.service.options ?? {}),
    });
    await this.live(driver.connect(this.signal));
    return driver;
  }

  /** The program of a receipt in an open shift, and the baseline that is stored before its run. */
  async prepare(receipt: SaleReceipt = sale()): Promise<{ program: Program; baseline: Baseline }> {
    if (this.register.core.shift === "closed") await this.openShift();
    const program = (await this.compile(receipt)).at(-1);
    if (program === undefined) throw new Error("no program");
    return { program, baseline: { ...(await this.baseline()), requestId: "shop|0badcafe|till-1|0" } };
  }

  runOn(driver: FiscalDriver, { program, baseline }: { program: Program; baseline: Baseline }): Promise<RunOutcome> {
    return this.live(driver.run(program, baseline, this.signal));
  }

  fenceOn(driver: FiscalDriver, { baseline }: { baseline: Baseline }) {
    const requests = baseline.requestId == null ? [] : [baseline.requestId];
    return this.live(driver.fence({ cancelOpen: true, requests }, this.signal));
  }

  /** Calls `act` at commands of this name: at the `nth`, or at all (null). */
  onCommand(name: string, act: (exchange: Exchange) => "handled" | "pass", nth: number | null = 1): Behaviour {
    let seen = 0;
    const behaviour: Behaviour = {
      onCommand: (exchange) => {
        if (!exchange.names.includes(name)) return "pass";
        seen += 1;
        return nth === null || seen === nth ? act(exchange) : "pass";
      },
    };
    this.register.device.addBehaviour(behaviour);
    return behaviour;
  }

  alter(name: string, change: (text: string) => string, nth: number | null = 1): void {
    this.onCommand(
      name,
      ({ act, answer }) => {
        answer(Uint8Array.from(Buffer.from(change(Buffer.from(act() ?? []).toString("utf8")), "utf8")));
        return "handled";
      },
      nth,
    );
  }

  answerWith(name: string, status: number, body: string | object, nth: number | null = 1): Behaviour {
    return this.onCommand(
      name,
      ({ answer }) => {
        answer(writeAnswer({ status, body }));
        return "handled";
      },
      nth,
    );
  }
}
