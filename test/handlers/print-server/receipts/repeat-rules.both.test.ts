/**
 * Random sequences of calls: an answer names the offered receipt, each id belongs to one identity, and only a return
 * with `beyondSold` exceeds what was sold.
 */
import { isFault } from "@fiscald/shared/fault.js";
import { silentLogger } from "@fiscald/shared/logger.js";
import fc from "fast-check";
import { openReceiptStore, type ReceiptStore } from "#handlers/print-server/receipts/receipt-store.js";
import type { StoredReceipt } from "#handlers/print-server/receipts/stored-receipt.js";
import { createFakeClock } from "../../../support/fake-clock.js";
import { ownIds, pollBy, refund, resultOf, sale } from "../receipt-world.js";

const ids = [ownIds.own, ownIds.other] as const;

type ValueOf<Values> = Values extends fc.Arbitrary<infer Value> ? Value : never;
type Offer = ValueOf<typeof offer>;
type Step = ValueOf<typeof step>;

const seldom = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null, freq: 2 });
const offer = fc
  .record({
    kind: fc.constant("enqueue" as const),
    order: fc.constantFrom("A-1", "A-1", "A-1", "A-2"),
    operation: fc.constantFrom("sale", "return"),
    price: fc.constantFrom(100, 50),
    receiptId: seldom(fc.constantFrom(...ids)),
    key: seldom(fc.constantFrom("k1", "k2")),
    lift: seldom(fc.constantFrom("printAnyway", "beyondSold")),
  })
  .map((given) => ({ ...given, key: given.receiptId === null ? given.key : null }));
const step = fc.oneof(
  { weight: 5, arbitrary: offer },
  { weight: 3, arbitrary: fc.constant({ kind: "poll" as const }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("report" as const),
      which: fc.nat(9),
      outcome: fc.constantFrom("printed", "printed", "failed", "unknown"),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("withdraw" as const), which: fc.nat(9) }) },
);

/** Half of the cases begin where the rules are hardest: a receipt was reported as failed, and may get a successor. */
const firstSale: Offer = {
  kind: "enqueue",
  order: "A-1",
  operation: "sale",
  price: 100,
  receiptId: ids[0],
  key: null,
  lift: null,
};
const afterFailure: readonly Step[] = [
  firstSale,
  { kind: "poll" },
  { kind: "report", which: 0, outcome: "failed" },
  { ...firstSale, receiptId: ids[1] },
];

interface World {
  readonly store: ReceiptStore;
  readonly handed: string[];
  /** The identity for which each id was given. */
  readonly identities: Map<string, string>;
  readonly seen: Set<string>;
  reports: number;
}

async function take(world: World, one: Step): Promise<void> {
  const { store, handed } = world;
  switch (one.kind) {
    case "enqueue":
      return enqueue(world, one);
    case "poll": {
      const answer = await store.nextReceipt(pollBy("d1"));
      if (answer !== null && answer.receiptId !== null) handed.push(answer.receiptId);
      return;
    }
    case "report": {
      const receiptId = handed[one.which % Math.max(1, handed.length)];
      if (receiptId === undefined) return;
      world.reports += 1;
      const told = { messageId: `m${world.reports}`, outcome: one.outcome, fdNumber: null };
      await store.recordResult(resultOf({ receiptId, orderId: null }, told));
      return;
    }
    case "withdraw": {
      const rows = await store.list();
      const row = rows[one.which % Math.max(1, rows.length)];
      if (row !== undefined) await store.withdraw(row.receiptId);
    }
  }
}

async function enqueue(world: World, one: Offer): Promise<void> {
  const { store, seen } = world;
  const before = await store.list();
  const answer = await call(store, one);
  if ("code" in answer) {
    seen.add(answer.code);
    // A refusal changes nothing.
    expect(await store.list()).toEqual(before);
    return;
  }
  const { receiptId, isNew, state } = answer;
  seen.add(`${isNew ? "new" : "known"} ${one.operation} ${state}`);
  if (isNew && before.some((row) => row.receiptId === receiptId)) seen.add("put back");
  const row = await store.findByReceiptId(receiptId);
  expect(row).toMatchObject({ orderId: one.order, operation: one.operation, totalKopecks: one.price * 100, state });
  if (one.receiptId !== null) expect(receiptId).toBe(one.receiptId);
  const identity = JSON.stringify([
    one.receiptId,
    one.key,
    one.order,
    one.operation,
    one.receiptId ?? one.key ?? one.price,
  ]);
  const known = world.identities.get(receiptId);
  // An id belongs to one identity: an id of the sender, a key, or a content.
  expect(known ?? identity).toBe(identity);
  world.identities.set(receiptId, identity);
  if (!isNew && one.receiptId === null && one.key === null) checkRepeat(before, one, state);
  if (isNew && !(one.operation === "return" && one.lift === "beyondSold")) await checkMoney(world, before, one);
  expect(await call(store, one)).toMatchObject({ receiptId, isNew: false, state });
}

/**
 * Without an id an equal return is a second one once the first is printed, and so is a sale once the first was
 * returned.
 */
function checkRepeat(before: readonly StoredReceipt[], one: Offer, state: string): void {
  if (one.operation === "return") expect(state).not.toBe("printed");
  else if (state === "printed") expect(returned(before, one.order)).toBeLessThan(sold(before, one.order));
}

async function checkMoney({ store }: World, before: readonly StoredReceipt[], { order }: Offer): Promise<void> {
  const isSaleKnown = before.some(
    (row) => row.orderId === order && row.operation === "sale" && row.state !== "replaced",
  );
  if (!isSaleKnown || returned(before, order) > sold(before, order)) return;
  const after = await store.list();
  // The tolerance is one kopeck for each line of a return.
  const tolerance = after.length;
  expect(returned(after, order)).toBeLessThanOrEqual(sold(after, order) + tolerance);
}

async function call(store: ReceiptStore, { order, operation, price, receiptId, key, lift }: Offer) {
  const head = receiptId === null ? {} : { receiptId };
  const body = (operation === "sale" ? sale : refund)(order, `${price}.00`, head);
  const options = { ...(key === null ? {} : { key }), ...(lift === null ? {} : { [lift]: true }) };
  try {
    return await store.enqueue(body, options);
  } catch (error) {
    if (!isFault(error)) throw error;
    return error;
  }
}

const sold = (rows: readonly StoredReceipt[], order: string) => sumOf(rows, order, "sale");
const returned = (rows: readonly StoredReceipt[], order: string) => sumOf(rows, order, "return");

function sumOf(rows: readonly StoredReceipt[], order: string, operation: Offer["operation"]): number {
  const counted = rows.filter((row) => row.orderId === order && row.operation === operation);
  return counted
    .filter(({ state }) => state !== "failed" && state !== "replaced")
    .reduce((sum, { totalKopecks }) => sum + (totalKopecks ?? 0), 0);
}

test("each answer names the offered receipt, an id has one receipt, and only beyondSold exceeds the sale", async () => {
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.boolean(), fc.array(step, { maxLength: 24, size: "max" }), async (isAfterFailure, rest) => {
      const steps = isAfterFailure ? [...afterFailure, ...rest] : rest;
      const store = await openReceiptStore({ database: ":memory:", clock: createFakeClock(), logger: silentLogger });
      try {
        const world = { store, handed: [], identities: new Map<string, string>(), seen, reports: 0 };
        for (const one of steps) await take(world, one);
      } finally {
        await store.close();
      }
    }),
    { numRuns: 100, seed: 39 },
  );
  // The random cases must have reached all of these answers.
  const codes = ["receipt.id-reused", "job.already-printed", "job.being-printed", "job.return-exceeds-sale"];
  const answers = ["known sale printed", "known return queued", "new return queued", "put back"];
  for (const one of [...codes, "order.missing-value", ...answers]) expect([...seen]).toContain(one);
});
