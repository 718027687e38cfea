/** The sign of internet receipts (tag 1125) on makers whose references do not confirm how it is sent. */

import { createPiritDriver } from "@fiscald/drivers/pirit/driver.js";
import { piritOptionsSchema } from "@fiscald/drivers/pirit/options.js";
import type { Emulator } from "@fiscald/emulators/open-emulator.js";
import { openEmulator } from "@fiscald/emulators/open-emulator.js";
import { systemClock } from "@fiscald/shared/clock.js";
import { toOrderId } from "@fiscald/shared/ids.js";
import { silentLogger } from "@fiscald/shared/logger.js";
import { TILL } from "../../../support/benches.js";
import { makeReceipt } from "../../../support/make-job.js";
import { type Bench, openBench } from "../../../support/register-bench.js";
import { closeLater, closeServiceBenches, openIdle, receiptsOf } from "../../../support/service-bench.js";
import { waitFor } from "../../../support/wait-for.js";

afterEach(closeServiceBenches);

interface Till {
  readonly bench: Bench;
  readonly emulator: Emulator;
}

async function openPirit(unconfirmed: Readonly<Record<string, string>> = {}): Promise<Till> {
  const emulator = await openEmulator({ maker: "pirit", unconfirmed });
  const device = createPiritDriver({
    ...{ openTransport: emulator.transportFactory, clock: systemClock, logger: silentLogger, random: () => 0.5 },
    options: piritOptionsSchema.parse({}),
  });
  const cashier = { name: "Иванова А.А.", inn: null };
  const bench = openBench({ registers: [{ device, settings: { cashier } }] });
  closeLater(
    () => emulator.close(),
    () => bench.close(),
  );
  return { bench, emulator };
}

const online = (order: string) =>
  makeReceipt({
    ...{ orderId: toOrderId(order), cashier: { name: "Иванова А.А.", inn: null } },
    ...{ contact: "buyer@example.org", internet: { url: "https://shop.example" } },
  });
const atTill = (order: string) => ({ ...online(order), internet: null });

async function becomes(bench: Bench, job: number, expected: object): Promise<void> {
  await waitFor(
    "the job is as expected",
    async () => {
      await bench.clock.advance(1000);
      const found = bench.job(job);
      try {
        expect(found).toMatchObject(expected);
        return true;
      } catch {
        return false;
      }
    },
    { timeoutMs: 15_000 },
  );
}

test.each<[string, () => Promise<Till>]>([
  ["PIRIT", () => openPirit({ "internet-flag": "none" })],
  ["ATOL", () => openIdle({ unconfirmed: { internet: "ignored" } })],
])(
  "a %s that leaves the internet sign out prints one such receipt, and the next waits for a person",
  async (_maker, openTill) => {
    const { bench, emulator } = await openTill();
    // The first receipt's rate, method and payment are compared before the first internet receipt.
    const [first, refuted, waiting, free] = [atTill("A-1"), online("A-2"), online("A-3"), atTill("A-4")].map(
      (receipt) => bench.addJob(receipt),
    );
    bench.startQueue();
    await becomes(bench, free?.id ?? 0, { state: "printed" });
    await becomes(bench, waiting?.id ?? 0, {
      state: "queued",
      tries: 0,
      fault: { code: "register.alters-receipts", message: expect.stringMatching(/^tag 1125: the register was sent 1/) },
    });
    expect([first, refuted].map((job) => bench.job(job?.id ?? 0).state)).toEqual(["printed", "printed"]);
    expect(receiptsOf(emulator)).toHaveLength(3);
    bench.operator.acceptDifferences(TILL, { tag: 1125 }, "the OFD takes it so");
    await becomes(bench, waiting?.id ?? 0, { state: "printed" });
  },
);

test.each<[string, () => Promise<Till>, string, number]>([
  ["PIRIT", () => openPirit(), "31", 3],
  ["ATOL", () => openIdle(), "sell", 8],
])(
  "internet receipts on a %s that refuses the first one count no try and wait until a person accepts it",
  async (_maker, openTill, command, code) => {
    const { bench, emulator } = await openTill();
    emulator.faults.add({ effect: "error", code, when: { command, nth: 2 } });
    const [, refused, waiting, free] = [atTill("A-1"), online("A-2"), online("A-3"), atTill("A-4")].map((receipt) =>
      bench.addJob(receipt),
    );
    bench.startQueue();
    await becomes(bench, free?.id ?? 0, { state: "printed" });
    for (const job of [refused, waiting]) {
      await becomes(bench, job?.id ?? 0, {
        state: "queued",
        tries: 0,
        fault: { code: "register.alters-receipts", message: "tag 1125: the register refused a receipt with it" },
      });
    }
    expect(receiptsOf(emulator)).toHaveLength(2);
    bench.operator.acceptDifferences(TILL, { tag: 1125 }, "it was a slip");
    for (const job of [refused, waiting]) await becomes(bench, job?.id ?? 0, { state: "printed" });
  },
);
