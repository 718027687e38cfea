/** A bench over the bytes of an emulated PIRIT, on a clock that goes on whenever nothing else does. */
import type { FaultInput } from "@fiscald/emulators/faults/fault-spec.js";
import type { FiscalCore } from "@fiscald/emulators/memory/fiscal-core.js";
import { createLoopbackFactory } from "@fiscald/emulators/wire/loopback.js";
import { kopecks } from "@fiscald/shared/amounts.js";
import { toOrderId } from "@fiscald/shared/ids.js";
import { silentLogger } from "@fiscald/shared/logger.js";
import { pirit } from "../../../drivers/contract/maker-subjects.js";
import { createFakeClock } from "../../../support/fake-clock.js";
import { makeItem, makeReceipt } from "../../../support/make-job.js";
import { openBench, removeBenchFolders } from "../../../support/register-bench.js";

/** What may happen to a command that is carried out. */
export const mishaps: readonly ((when: FaultInput["when"]) => FaultInput)[] = [
  (when) => ({ effect: "drop-answer", when }),
  (when) => ({ effect: "power-cut", ms: 1_000, when }),
  (when) => ({ effect: "unplug", ms: 1_000, when }),
  (when) => ({ effect: "late-execution", ms: 20_000, when }),
  (when) => ({ effect: "stale-answer", when }),
];

/** `unconfirmed`: facts of the emulator. `help`: what a person does about a receipt that the register keeps open. */
function openPiritTill(
  unconfirmed: Readonly<Record<string, string>> = {},
  help: (core: FiscalCore) => void = (core) => core.cancelReceipt(),
) {
  const clock = createFakeClock();
  const { openRegister, createDriver } = pirit({ unconfirmed });
  const { core, device, addFault, clearFaults, close } = openRegister({ clock });
  const openTransport = createLoopbackFactory((end) => device.attach(end));
  const driver = createDriver({ openTransport, clock, logger: silentLogger });
  const bench = openBench({ clock, registers: [{ device: driver }] });
  const heard: string[] = [];
  device.addBehaviour({
    onCommand: ({ names: [code = ""] }) => {
      heard.push(code);
      return "pass";
    },
  });
  let orders = 0;
  let helped = 0;

  async function until(isSo: () => boolean): Promise<void> {
    for (let idle = 0; !isSo(); idle += 1) {
      for (let turn = 0; turn < 6; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      if (isSo()) return;
      const [snapshot] = bench.fleet.snapshots();
      if (snapshot?.phase === "blocked" && snapshot.fault?.code === "device.receipt-stuck") {
        help(core);
        helped += 1;
      }
      const due = clock.nextDueMs;
      if (due !== null) await clock.advance(due);
      if (idle > 5_000) throw new Error(`it does not end: ${bench.log.slice(-8).join("\n")}`);
    }
  }

  const receipts = () => core.documents.filter(({ type }) => type === "receipt");

  /** Queues one more order and returns its number. All sums are the same. */
  function order(): number {
    orders += 1;
    const lines = [makeItem({ name: "Чай" }), makeItem({ name: nameOf(orders), price: kopecks(2_050) })];
    bench.queue(makeReceipt({ orderId: toOrderId(`A-${orders}`), lines, contact: "a@b.example" }));
    return orders;
  }

  /** How the order's job ended, and the job's documents. */
  async function end(number: number) {
    const job = () => bench.job(number);
    await until(() => ["printed", "failed"].includes(job().state) && bench.fleet.snapshots()[0]?.phase === "ready");
    const { state, document, fault } = job();
    const made = receipts().filter(({ lines }) => lines.some(({ name }) => name === nameOf(number)));
    return { state, fault, told: document?.fd, fds: made.map(({ fd }) => fd) };
  }

  const printOne = () => end(order());

  return {
    bench,
    device,
    heard,
    order,
    end,
    printOne,
    until,
    addFault,
    clearFaults,
    get helped() {
      return helped;
    },
    receipts,
    cash: () => core.cash,
    async start() {
      bench.startQueue();
      await printOne();
    },
    async close() {
      let closed = false;
      void bench.close().then(() => {
        closed = true;
      });
      await until(() => closed);
      close();
    },
  };
}

/** A till that has printed one receipt, for one test; closed whatever happens. */
export async function inPiritTill(
  test: (till: ReturnType<typeof openPiritTill>) => Promise<void>,
  ...options: Parameters<typeof openPiritTill>
): Promise<void> {
  const till = openPiritTill(...options);
  try {
    await till.start();
    await test(till);
  } finally {
    await till.close();
    removeBenchFolders();
  }
}

function nameOf(order: number): string {
  return `Заказ ${order}`;
}
