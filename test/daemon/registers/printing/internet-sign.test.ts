/** The sign of internet receipts (tag 1125) on makers whose references do not confirm how it is sent. */

import { toOrderId } from "@fiscald/shared/ids.js";
import { TILL } from "../../../support/benches.js";
import { closeTills, type EmulatedTill, openTill, receiptsOf } from "../../../support/emulated-till.js";
import { makeReceipt } from "../../../support/make-job.js";
import type { Bench } from "../../../support/register-bench.js";
import { waitFor } from "../../../support/wait-for.js";

afterEach(closeTills);

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

test.each<[string, () => Promise<EmulatedTill>]>([
  ["PIRIT", () => openTill("pirit", { unconfirmed: { "internet-flag": "none" } })],
  ["ATOL", () => openTill("atol", { unconfirmed: { internet: "ignored" } })],
])(
  "a %s that leaves the internet sign out prints one such receipt, and the next waits for a person",
  async (_maker, openMade) => {
    const { bench, emulator } = await openMade();
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

test.each<[string, () => Promise<EmulatedTill>, string, number]>([
  ["PIRIT", () => openTill("pirit"), "31", 3],
  ["ATOL", () => openTill("atol"), "sell", 8],
])(
  "after a %s refused an internet receipt, further ones wait, uncounted, until a person accepts the refusal",
  async (_maker, openMade, command, code) => {
    const { bench, emulator } = await openMade();
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
