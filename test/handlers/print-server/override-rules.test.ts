/**
 * Random sequences of calls: `printed` overrides `unknown` and `failed`, never the reverse, and an unknown receipt
 * keeps a second sale of its order refused.
 */

import { isFault } from "@fiscald/shared/fault.js";
import { toOrderId } from "@fiscald/shared/ids.js";
import { silentLogger } from "@fiscald/shared/logger.js";
import fc from "fast-check";
import type { PrintResult } from "#handlers/print-server/host-callbacks.js";
import type { ReceiptState } from "#handlers/print-server/receipt-tables.js";
import { openReceiptStore, type ReceiptStore } from "#handlers/print-server/receipts/receipt-store.js";
import { createFakeClock } from "../../support/fake-clock.js";
import { pollBy, resultOf, sale } from "./receipt-world.js";

const orderId = toOrderId("A-1");

type Outcome = PrintResult["outcome"];
const which = fc.nat(9);
const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant("enqueue" as const), price: fc.constantFrom("10.00", "20.00") }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("poll" as const), daemonId: fc.constantFrom("d1", "d2") }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("report" as const),
      which,
      outcome: fc.constantFrom<Outcome>("printed", "failed", "unknown"),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("repeat" as const), which }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom("release", "withdraw"), which }) },
);

type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** Half of the cases begin where the rules are hardest: a receipt was reported as failed, and has a successor. */
const afterFailure: readonly Step[] = [
  { kind: "enqueue", price: "10.00" },
  { kind: "poll", daemonId: "d1" },
  { kind: "report", which: 0, outcome: "failed" },
  { kind: "enqueue", price: "20.00" },
];

/** What the rules say, by the results that came. */
interface Known {
  readonly outcomes: Map<string, Outcome>;
  readonly handed: string[];
  readonly messages: { readonly id: string; readonly receiptId: string; readonly outcome: Outcome }[];
}

async function play(store: ReceiptStore, steps: readonly Step[]): Promise<readonly ReceiptState[]> {
  const known: Known = { outcomes: new Map(), handed: [], messages: [] };
  for (const one of steps) {
    await take(store, known, one);
    for (const [receiptId, outcome] of known.outcomes) {
      expect((await store.findByReceiptId(receiptId))?.state).toBe(outcome);
    }
  }
  return (await store.findByOrder(orderId)).map(({ state }) => state);
}

async function take(store: ReceiptStore, known: Known, one: Step): Promise<void> {
  switch (one.kind) {
    case "enqueue":
      return enqueue(store, known, one.price);
    case "poll":
      return poll(store, known, one.daemonId);
    case "report": {
      const receiptId = pick(known.handed, one.which);
      if (receiptId === undefined) return;
      const message = { id: `m${known.messages.length}`, receiptId, outcome: one.outcome };
      known.messages.push(message);
      if (known.outcomes.get(receiptId) !== "printed") known.outcomes.set(receiptId, one.outcome);
      await store.recordResult(toldOf(message));
      return;
    }
    case "repeat": {
      const message = pick(known.messages, one.which);
      if (message === undefined) return;
      const { standing } = await store.recordResult(toldOf(message));
      if (standing === "applied") known.outcomes.set(message.receiptId, message.outcome);
      return;
    }
    default: {
      const receiptId = pick(known.handed, one.which);
      if (receiptId === undefined) return;
      if (one.kind === "release") await store.release(receiptId).catch(ignoreFault);
      // A withdrawn receipt has no outcome any more.
      else if (await store.withdraw(receiptId)) known.outcomes.delete(receiptId);
    }
  }
}

async function enqueue(store: ReceiptStore, { outcomes }: Known, price: string): Promise<void> {
  const before = await store.findByOrder(orderId);
  const stands = before.some(({ state }) => state === "handed" || state === "unknown" || state === "printed");
  const added = await store.enqueue(sale(orderId, price)).catch(ignoreFault);
  expect(stands && added?.isNew).not.toBe(true);
  // A receipt that is queued again has no outcome any more.
  if (added?.isNew === true) outcomes.delete(added.receiptId);
}

async function poll(store: ReceiptStore, known: Known, daemonId: string): Promise<void> {
  const answer = await store.nextReceipt(pollBy(daemonId));
  if (answer === null || answer.receiptId === null) return;
  const { receiptId } = answer;
  const others = [...known.outcomes].filter(([other]) => other !== receiptId).map(([, outcome]) => outcome);
  expect(others.filter((outcome) => outcome !== "failed")).toEqual([]);
  if (!known.handed.includes(receiptId)) known.handed.push(receiptId);
}

function pick<T>(list: readonly T[], index: number): T | undefined {
  return list.length === 0 ? undefined : list[index % list.length];
}

function ignoreFault(error: unknown): null {
  if (!isFault(error)) throw error;
  return null;
}

function toldOf({ id, receiptId, outcome }: Known["messages"][number]): PrintResult {
  return resultOf({ receiptId, orderId }, { messageId: id, outcome, fdNumber: null });
}

test("no sale is handed out beside a printed or unsure one of its order, and printed sales stay printed", async () => {
  const ends = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.boolean(), fc.array(step, { maxLength: 16 }), async (isAfterFailure, rest) => {
      const steps = isAfterFailure ? [...afterFailure, ...rest] : rest;
      const store = await openReceiptStore({ database: ":memory:", clock: createFakeClock(), logger: silentLogger });
      try {
        ends.add([...new Set(await play(store, steps))].sort().join());
      } finally {
        await store.close();
      }
    }),
    { numRuns: 150, seed: 13 },
  );
  // The random cases must have reached these states.
  for (const end of ["printed,replaced", "handed,printed", "failed,unknown"]) expect([...ends]).toContain(end);
});
