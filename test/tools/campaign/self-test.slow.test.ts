/**
 * Tests of the campaign: with one safety net switched off it must soon find lost or doubled orders; with all safety nets
 * the cases that failed must pass.
 */
import { join } from "node:path";
import type { FaultInput } from "@fiscald/emulators/faults/fault-spec.js";
import { seeded } from "../../support/seeded.js";
import { type CutCase, caseName, type DialogueLengths } from "./cases/cut-cases.js";
import { randomCaseName } from "./cases/run-case.js";
import type { PartReport } from "./judging/part-report.js";
import { runCutPart } from "./parts/cut-part.js";
import { runRandomPart } from "./parts/random-part.js";
import { planFeaturedCase } from "./plan/case-features.js";
import { type Action, type CasePlan, offerOf, planCase, type Step } from "./plan/case-plan.js";
import { makeCashJob, makeOrder, type OrderFacts, plainFacts } from "./plan/orders.js";
import { tellOf } from "./plan/story.js";
import { findMakers, kkmOf, makerRows } from "./processes/makers.js";
import type { Net } from "./processes/nets.js";
import { expectClean, useCampaign } from "./worlds/campaign-bench.js";

const CASES = 40;
const bench = useCampaign();
const quiet = { parallel: 2, stopAtFirst: true, say: () => {}, onFailure: () => {} };

/** A case without a safety net may never finish, so the wait is shorter. */
function benchFor(off: Net | undefined) {
  const { folder, ...processes } = bench();
  return { ...processes, folder: join(folder, off ?? "all"), patienceMs: off === undefined ? 60_000 : 6_000 };
}

/** These cases soon need a safety net. `failed`: only the cases that failed without it. */
type Search = (off: Net | undefined, failed?: readonly string[]) => Promise<PartReport>;

function cutsOf(maker: string, fits: (cut: CutCase, lengths: DialogueLengths) => boolean): Search {
  return (off, failed) => {
    const [row = makerRows[0]] = findMakers(maker);
    if (row === undefined) throw new Error(maker);
    const wanted = (cut: CutCase, lengths: DialogueLengths) =>
      failed === undefined ? fits(cut, lengths) : failed.includes(caseName(cut));
    const selection = { seed: 1, cases: failed === undefined ? CASES : null, shard: { number: 1, of: 1 } };
    return runCutPart({ ...benchFor(off), ...quiet, row, off, wanted, selection });
  };
}

type Planning = (seed: number, makers: ReturnType<typeof findMakers>) => CasePlan;

function randomCasesOf(maker: string, fits: (plan: CasePlan) => boolean, plan: Planning = planCase): Search {
  const rows = findMakers(maker);
  const plans: CasePlan[] = [];
  for (let seed = 1; plans.length < CASES; seed += 1) {
    const one = plan(seed, rows);
    if (fits(one)) plans.push(one);
  }
  return casesOf(plans);
}

function casesOf(plans: readonly CasePlan[]): Search {
  return (off, failed) => {
    const wanted = failed === undefined ? plans : plans.filter((plan) => failed.includes(randomCaseName(plan)));
    return runRandomPart({ ...benchFor(off), ...quiet, seed: 1, plans: wanted, off });
  };
}

/** Kills around the closing of the receipt. */
const isKilledLate = ({ effect, operation, direction, afterBytes }: CutCase, lengths: DialogueLengths) =>
  effect === "kill" && direction === "in" && afterBytes > lengths[operation].in * 0.6;
const isUnplugged = ({ effect }: CutCase) => effect === "unplug" || effect === "late-execution";
const rollsBack = ({ steps }: CasePlan) =>
  steps.some(({ action }) => action.do === "kill" && action.database === "rolled-back");
const isPlain = ({ kit }: CasePlan) => !kit;
/** Two daemons share a register, and both shops sell the same goods under the same number. */
const hasEqualOrders = ({ shared, orders }: CasePlan) =>
  shared !== null && new Set(orders.map(({ order }) => order.label)).size < orders.length;

const [reference] = findMakers("reference");
if (reference === undefined) throw new Error("no reference register");
const onOneRegister: CasePlan = {
  ...{ seed: 0, kit: false, shared: null, daemons: 1, sites: 1, orders: [], cash: [], stories: [], steps: [] },
  registers: [{ row: reference, number: 1, daemon: 0, group: null, orderMark: true, unconfirmed: {} }],
};

/** Cash leaves no document that could prevent a repeat. */
function cashWithItsAnswersLost(): CasePlan {
  const answersLost = { effect: "drop-answer", when: { command: "CASH", nth: 1 }, times: 2 } as const;
  return cashAfter({ do: "fault", register: 0, faults: [answersLost], forMs: 5_000 });
}

/** A lost database cannot show whether cash was moved: a power cut must not count as a lost database. */
function cashAfterPowerCut(): CasePlan {
  return cashAfter({ do: "power-cut", daemon: 0, number: "empty" });
}

function cashAfter(trouble: Action): CasePlan {
  const cash = [1, 2].map((index) => {
    const job = makeCashJob({ orderId: `cash${index}`, kkm: kkmOf(1), direction: "in", sumKopecks: 4 ** index });
    return { job, site: 0, register: 0 };
  });
  const sale = makeOrder({ orderId: "o1", operation: "sale", prices: [10] });
  return {
    ...onOneRegister,
    orders: [{ order: sale, site: 0, changed: null }],
    cash,
    steps: [
      { afterResults: 0, action: { do: "offer", order: 0, content: "own" } },
      { afterResults: 1, action: trouble },
      ...cash.map((_, index) => ({ afterResults: 1, action: { do: "cash", cash: index } }) as const),
    ],
  };
}

/** 22 % becomes 20 % in a receipt without a mark whose close is not answered. */
function alteredAndCut(maker: string): CasePlan {
  const [row] = findMakers(maker);
  if (row === undefined) throw new Error(maker);
  const facts: OrderFacts = { ...plainFacts, rates: [11], contact: "b@shop.example" };
  const orders = ["o1", "o2"].map((orderId, index) => {
    return {
      order: makeOrder({ orderId, operation: "sale", prices: [10, 20 + index], facts }),
      site: 0,
      changed: null,
    };
  });
  const faults: readonly FaultInput[] = [
    { effect: "alter", change: [{ tag: 1199, from: 11, to: 1 }] },
    { effect: "drop-answer", when: { command: "close-receipt", nth: 1 } },
  ];
  return {
    ...onOneRegister,
    registers: [{ row, number: 1, daemon: 0, group: null, orderMark: false, unconfirmed: {} }],
    orders,
    steps: [
      { afterResults: 0, action: { do: "fault", register: 0, faults, forMs: 1_500 } },
      ...orders.map((_, index): Step => offerOf(index, "own", index)),
    ],
  };
}

test.each(["shtrih-v1", "shtrih-v2", "pirit", "atol-v2", "reference"])(
  "an altered receipt of %s without an order mark whose answer is lost is printed once, and its differences are reported",
  async (maker) => {
    expectClean(await runRandomPart({ ...benchFor(undefined), ...quiet, seed: 1, plans: [alteredAndCut(maker)] }));
  },
);

/** The requests of the story are made, and nothing else happens. */
function tells(name: string): Search {
  const story = tellOf(name, seeded(1), { number: 1, site: 0, isKit: false, kkm: undefined });
  return casesOf([
    { ...onOneRegister, stories: [story], steps: [{ afterResults: 0, action: { do: "story", story: 0 } }] },
  ]);
}

const searches: readonly (readonly [Net, Search])[] = [
  ["journal", cutsOf("reference", isKilledLate)],
  ["fence", cutsOf("shtrih-v2", isUnplugged)],
  ["gapCheck", randomCasesOf("reference", rollsBack)],
  ["repeats", randomCasesOf("reference", isPlain)],
  ["content", randomCasesOf("reference", isPlain)],
  ["told", tells("two equal refunds")],
  ["returned-whole", tells("sold again")],
  ["sold", tells("two equal refunds with ids")],
  ["receipt-id", tells("one id for all")],
  ["unseen", tells("unseen characters")],
  ["issuer", randomCasesOf("atol", hasEqualOrders, planFeaturedCase)],
  ["close-once", casesOf([cashWithItsAnswersLost()])],
  ["comparison", casesOf([alteredAndCut("reference")])],
  ["run", casesOf([cashAfterPowerCut()])],
];

test.each(searches)(
  "cases that show lost, doubled, altered or unsure orders without the safety net %s pass with the safety net",
  async (net, search) => {
    const without = await search(net);
    const { lost, doubled, wronglyReported, unsure, differing } = without;
    expect(lost + doubled + wronglyReported + differing + (net === "run" ? unsure : 0)).toBeGreaterThan(0);
    // Two of the cases are enough: each takes a minute of kills and restarts.
    const failed = without.failures.map(({ name }) => name).slice(0, 2);
    const withAll = await search(undefined, failed);
    expect(withAll.cases).toBe(failed.length);
    expect(withAll.failures.map(({ name, log }) => `${name}\n${log}`)).toEqual([]);
  },
);
