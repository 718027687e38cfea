/**
 * Runs one case of an exhaustive part: a sale of three lines, a return or a correction with one disturbance. The
 * register always comes back and can be read, so only what a maker's service may still carry out may stay unsure.
 */
import { z } from "zod";
import { findDiffering } from "../judging/differing.js";
import type { FailedCase } from "../judging/part-report.js";
import { isClean, judge, type Verdict } from "../judging/verdict.js";
import { type CampaignOrder, labelOf, labelOfTotal, makeOrder, type OrderFacts } from "../plan/orders.js";
import { PATIENCE_MS } from "../processes/daemon-pool.js";
import type { RegisteredDocument } from "../processes/registered-document.js";
import type { CutTill, CutWorld } from "../worlds/cut-world.js";
import type { DialogueLength, Story } from "./cut-cases.js";
import type { WorldCase } from "./world-case.js";

const prices = [10, 20.5, 30.25];
const facts: OrderFacts = {
  ...{ rates: [11, 2, 6], subjects: [1, 4, 3], method: 4, contact: "b@shop.example", place: null, cash: 5 },
};
/** All orders of a part have ids of one length, so that the bytes are the same in every case. */
const caseOrderId = (number: number) => `c${`${number}`.padStart(6, "0")}`;
const measuredOrderIds = { sale: "m-sale", return: "m-back", correction: "m-corr" } as const;
/** The rates of that day, and nothing that a correction from sums has no place for. */
const corrected = { facts: { ...facts, rates: [1, 2, 6], contact: null }, corrects: "30.12.2025" } as const;

/** Length of one receipt's dialogue in bytes, by direction. `number`: one digit, new each time. */
export async function measureDialogue(till: CutTill, operation: Story, number = 0): Promise<DialogueLength> {
  const before = await countBytes(till);
  await printClean(till, `${measuredOrderIds[operation]}${number}`, operation, number);
  const after = await countBytes(till);
  return { in: after.in - before.in, out: after.out - before.out };
}

/** Without a fault: proves that documents are read correctly, opens the shift and provides cash for returns. */
export async function warmUp({ tills }: CutWorld): Promise<void> {
  for (const orderId of ["warm-up-1", "warm-up-2"]) {
    await Promise.all(tills.map((till) => printClean(till, orderId, "sale")));
  }
}

export async function printClean(till: CutTill, orderId: string, operation: Story, number = 0): Promise<void> {
  await offer(till, storyOrder(orderId, operation, MEASURED + number), operation);
  // Nothing is disturbed here: the result comes, however slow the machine is.
  const result = await waitForFinal({ ...till, patienceMs: PATIENCE_MS }, orderId);
  if (result["outcome"] !== "printed") throw new Error(`${orderId} was not printed: ${JSON.stringify(result)}`);
}

/** Above the numbers of all cases of a world. */
const MEASURED = 5_000;

/** The document of a correction may have no items: its total is its label, so each correction has another total. */
function storyOrder(orderId: string, story: Story, number: number): CampaignOrder {
  if (story !== "correction") return makeOrder({ orderId, operation: story, prices, facts });
  const [first = 0, ...others] = prices;
  const ofItsOwn = [Math.round((first + number / 100) * 100) / 100, ...others];
  const total = ofItsOwn.reduce((sum, price) => sum + Math.round(price * 100), 0);
  return makeOrder({ orderId, label: labelOfTotal(total), operation: "sale", prices: ofItsOwn, ...corrected });
}

/** Offers the order to the daemon; a correction is approved as soon as it waits for that. */
async function offer(till: CutTill, order: CampaignOrder, story: Story): Promise<void> {
  till.site.offer(order.orderId, order.answer);
  if (story === "correction") await till.approve(order.orderId);
}

/** A case, and the till for it. */
export interface PlacedCase {
  readonly till: CutTill;
  readonly one: WorldCase;
  /** Unique on its till. */
  readonly number: number;
}

/** Runs a case in which the daemon is not killed. */
export async function runPlainCase(placed: PlacedCase): Promise<FailedCase | null> {
  try {
    await begin(placed);
    await waitForEnd(placed);
    return await end(placed);
  } catch (error) {
    return end(placed, error);
  }
}

/** No answer may time out until all wires of a round stand still: that would be another case. */
const HURRY_BEFORE_KILL = 2;

/**
 * One `kill -9` for many cases, each at its own byte on its own till. Each wire stops where its case says, until all
 * wires have stopped. Results come in the order of the cases.
 */
export async function runKillRound(world: CutWorld, cases: readonly PlacedCase[]): Promise<(FailedCase | null)[]> {
  await world.hurryDaemon(HURRY_BEFORE_KILL);
  const halts = await Promise.allSettled(
    cases.map(async (placed) => {
      await begin(placed);
      return pausedOrThrough(placed);
    }),
  );
  await world.killDaemon();
  await Promise.all(cases.map(({ till }) => till.emulator.clearFaults()));
  await world.startDaemon();
  const neighbours = cases.map(({ one }) => one.name).join(", ");
  return Promise.all(
    cases.map(async (placed, index) => {
      const halt = halts[index];
      let failure: FailedCase | null;
      try {
        if (halt?.status === "rejected") throw halt.reason;
        await waitForEnd(placed);
        failure = await end(placed);
      } catch (error) {
        failure = await end(placed, error);
      }
      return failure === null ? null : { ...failure, log: `killed together: ${neighbours}\n${failure.log}` };
    }),
  );
}

async function begin({ till, one, number }: PlacedCase): Promise<void> {
  for (const fault of one.faults) await till.emulator.addFault(fault);
  await offer(till, orderOf({ one, number }), one.operation);
}

/** Resolves when the wire stands still, or when the receipt was complete before that. */
async function pausedOrThrough(placed: PlacedCase): Promise<void> {
  const { till } = placed;
  await Promise.race([till.emulator.paused(till.patienceMs), waitForEnd(placed)]);
}

function waitForEnd({ till, one, number }: PlacedCase): Promise<unknown> {
  return waitForFinal(till, caseOrderId(number), one.mayStayUnsure);
}

/** Null: the case passed. `error`: what broke the case off. */
async function end(placed: PlacedCase, error?: unknown): Promise<FailedCase | null> {
  const { till, one } = placed;
  await till.emulator.clearFaults();
  const verdict = judgeOne(placed, await till.receipts());
  if (error === undefined && isClean(verdict)) return null;
  const said = error instanceof Error ? `${error.stack}\n` : "";
  return { name: one.name, verdict, log: `${said}${await till.log()}` };
}

function orderOf({ one, number }: Omit<PlacedCase, "till">): CampaignOrder {
  return storyOrder(caseOrderId(number), one.operation, number);
}

/** Judges a passed case again when its world is closed: a second document may have come late. */
export async function judgeAgain(
  placed: PlacedCase,
  receipts: readonly RegisteredDocument[],
): Promise<{ readonly failure: FailedCase | null; readonly staysUnsure: boolean }> {
  const { till, one } = placed;
  const verdict = judgeOne(placed, receipts);
  if (isClean(verdict)) return { failure: null, staysUnsure: verdict.undecidable.length > 0 };
  const log = `it had ended well before\n${await till.log()}`;
  return { failure: { name: one.name, verdict, log }, staysUnsure: false };
}

const stateSchema = z.object({ paused: z.boolean() });

export async function isPaused({ emulator }: CutTill): Promise<boolean> {
  return stateSchema.parse(await emulator.get("/state")).paused;
}

/** `unknown` may still be corrected: it is final only when no other result comes, or where `mayStayUnsure`. */
export async function waitForFinal(
  { site, patienceMs }: CutTill,
  orderId: string,
  mayStayUnsure = false,
): Promise<Readonly<Record<string, unknown>>> {
  let late: NodeJS.Timeout | undefined;
  const timeUp = new Promise<never>((_, reject) => {
    const error = new Error(`waited ${patienceMs} ms in vain until ${orderId} is reported`);
    late = setTimeout(() => reject(error), patienceMs);
  });
  try {
    for (;;) {
      const final = site.results(orderId).find(({ outcome }) => outcome !== "unknown" || mayStayUnsure);
      if (final !== undefined) return final;
      await Promise.race([site.nextResult(), timeUp]);
    }
  } finally {
    clearTimeout(late);
  }
}

/** A receipt may be unsure only while the drive has no document of it: a document is recognised by its mark. */
function judgeOne({ till, one, number }: PlacedCase, receipts: readonly RegisteredDocument[]): Verdict {
  const order = orderOf({ one, number });
  const isThere = receipts.some((document) => labelOf(document) === order.label);
  const isUnknown = till.site.results(order.orderId).at(-1)?.["outcome"] === "unknown";
  const mayBeUnsure = one.mayStayUnsure === true && isUnknown && !isThere;
  const undecidable = mayBeUnsure ? "the service never says how it ended" : null;
  const verdict = judge({
    // A person may have to print a correction again that stopped without a document.
    orders: [{ order, undecidable, mayFail: one.operation === "correction" }],
    receipts,
    resultsOf: ({ orderId }) => till.site.results(orderId),
  });
  // The contract tests check the content of a correction from sums.
  if (one.operation === "correction") return verdict;
  return {
    ...verdict,
    differing: findDiffering({ documents: receipts, orders: [order], isMarked: () => true, isNoticed: () => false }),
  };
}

const bytesSchema = z.object({ bytes: z.object({ in: z.number(), out: z.number() }) });

export async function countBytes({ emulator }: CutTill): Promise<DialogueLength> {
  return bytesSchema.parse(await emulator.get("/state")).bytes;
}
