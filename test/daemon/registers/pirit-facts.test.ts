/**
 * PIRIT at the daemon: what its reference marks as unconfirmed and recovery leans on, each fact both ways. One after the
 * other the commands of a receipt lose their answer, their power or their cable, are carried out after they were given up, or
 * are answered with a wrong checksum, noise or an old answer. Each order is one document.
 */

import type { FaultInput } from "@fiscald/drivers/emulator/fault-spec.js";
import { unconfirmedSettings } from "@fiscald/drivers/pirit/emulator-settings.js";
import { createLoopbackFactory } from "@fiscald/drivers/transport/loopback.js";
import { kopecks } from "@fiscald/shared/amounts.js";
import { toOrderId } from "@fiscald/shared/ids.js";
import { silentLogger } from "@fiscald/shared/logger.js";
import { pirit } from "../../drivers/pirit/subject.js";
import { createFakeClock } from "../../support/fake-clock.js";
import { makeItem, makeReceipt } from "../../support/make-job.js";
import { openBench, removeBenchFolders } from "../../support/register-bench.js";

afterEach(removeBenchFolders);

/** Left out are those of rates, of batch mode and of the internet flag: no doubt is settled by them. */
const facts = [
  "cancel-when-paid",
  "enquiry-while-busy",
  "receipt-after-power-cut",
  "printer-status-error",
  "archive-block",
  "tlv-block",
  "close-date",
  "counters-after-close",
] as const satisfies readonly (keyof typeof unconfirmedSettings)[];

const variants: readonly Readonly<Record<string, string>>[] = [
  {},
  ...facts.flatMap((fact) => unconfirmedSettings[fact].slice(1).map((value) => ({ [fact]: value }))),
];

const effects: readonly ((when: FaultInput["when"]) => FaultInput)[] = [
  (when) => ({ effect: "drop-answer", when }),
  (when) => ({ effect: "power-cut", ms: 1_000, when }),
  (when) => ({ effect: "unplug", ms: 1_000, when }),
  (when) => ({ effect: "late-execution", ms: 20_000, when }),
  (when) => ({ effect: "stale-answer", when }),
  (when) => ({ effect: "corrupt", when }),
  (when) => ({ effect: "noise", when }),
];

/** A till on a clock of its own that goes on whenever nothing else does. */
function openTill(unconfirmed: Readonly<Record<string, string>>) {
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
        core.cancelReceipt();
        helped += 1;
      }
      const due = clock.nextDueMs;
      if (due !== null) await clock.advance(due);
      if (idle > 5_000) throw new Error(`it does not end: ${bench.log.slice(-8).join("\n")}`);
    }
  }

  const receipts = () => core.documents.filter(({ type }) => type === "receipt");

  /** The document of one more order; all sums are the same. */
  async function printOne() {
    orders += 1;
    const lines = [makeItem({ name: "Чай" }), makeItem({ name: `Заказ ${orders}`, price: kopecks(2_050) })];
    const job = bench.addJob(makeReceipt({ orderId: toOrderId(`A-${orders}`), lines, contact: "a@b.example" }));
    bench.wake.notify();
    await until(() => ["printed", "failed"].includes(bench.stores.jobs.get(job.id).state));
    await until(() => bench.fleet.snapshots()[0]?.phase === "ready");
    const { state, document, fault } = bench.stores.jobs.get(job.id);
    const made = receipts().filter(({ lines }) => lines.some(({ name }) => name === `Заказ ${orders}`));
    return { state, fault, told: document?.fd, fds: made.map(({ fd }) => fd) };
  }

  return {
    heard,
    printOne,
    addFault,
    clearFaults,
    get helped() {
      return helped;
    },
    receipts,
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

test.each(variants)(
  "with %j each order is one document, whatever befalls any command of its receipt",
  async (unconfirmed) => {
    const till = openTill(unconfirmed);
    try {
      await till.start();
      till.heard.length = 0;
      await till.printOne();
      const dialogue = [...till.heard];
      expect(dialogue).toContain("31");
      let cases = 0;
      for (const [at, command] of dialogue.entries()) {
        const nth = dialogue.slice(0, at + 1).filter((name) => name === command).length;
        // All effects where something is carried out, one in turn at the questions.
        const isQuestion = /^(0[0-6]|11|13|78)$/.test(command);
        for (const effect of isQuestion ? effects.slice(at % effects.length).slice(0, 1) : effects) {
          const fault = effect({ command, nth });
          till.addFault(fault);
          const { state, fault: why, told, fds } = await till.printOne();
          expect({ fault, state, why, fds }).toEqual({ fault, state: "printed", why: null, fds: [told] });
          till.clearFaults();
          cases += 1;
        }
      }
      expect(cases).toBeGreaterThan(dialogue.length + 5 * effects.length);
      expect(till.receipts()).toHaveLength(cases + 2);
      expect(till.helped > 0).toBe(unconfirmed["cancel-when-paid"] === "refused");
    } finally {
      await till.close();
    }
  },
  120_000,
);
