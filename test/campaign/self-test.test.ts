/**
 * The campaign is tested itself: with one net taken away it must find orders that are lost or doubled, soon; with all of
 * them the very cases that it failed must end well.
 */
import { join } from "node:path";
import { useCampaign } from "./campaign-bench.js";
import { type CasePlan, planCase } from "./case-plan.js";
import { type CutCase, caseName, type DialogueLengths } from "./cut-cases.js";
import { runCutPart } from "./cut-part.js";
import { findMakers, makerRows } from "./makers.js";
import type { Net } from "./nets.js";
import type { PartReport } from "./part-report.js";
import { runRandomPart } from "./random-part.js";

const CASES = 40;
const ONE_TEST_MS = 240_000;
const bench = useCampaign();
const quiet = { parallel: 2, stopAtFirst: true, say: () => {}, onFailure: () => {} };

/** Without a net a case may never end: it is not waited for as long. */
function benchFor(off: Net | undefined) {
  const { folder, ...processes } = bench();
  return { ...processes, folder: join(folder, off ?? "all"), patienceMs: off === undefined ? 60_000 : 6_000 };
}

/** Where a net is missed soon. `failed`: only the cases that failed without it. */
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

function randomCasesOf(maker: string, fits: (plan: CasePlan) => boolean): Search {
  const rows = findMakers(maker);
  return (off, failed) => {
    const seeds: number[] = failed === undefined ? [] : failed.map((name) => Number(name.split(" ").at(-1)));
    for (let seed = 1; failed === undefined && seeds.length < CASES; seed += 1) {
      if (fits(planCase(seed, rows))) seeds.push(seed);
    }
    return runRandomPart({ ...benchFor(off), ...quiet, rows, seed: 1, seeds, off });
  };
}

/** Around the closing of the receipt. */
const isKilledLate = ({ effect, operation, direction, afterBytes }: CutCase, lengths: DialogueLengths) =>
  effect === "kill" && direction === "in" && afterBytes > lengths[operation].in * 0.6;
const isUnplugged = ({ effect }: CutCase) => effect === "unplug" || effect === "late-execution";
const rollsBack = ({ steps }: CasePlan) =>
  steps.some(({ action }) => action.do === "kill" && action.database === "rolled-back");
/** On a register that also moves cash: of cash alone no document is kept, by which a repeat would be refused. */
const losesCashAnswers = ({ cash, steps }: CasePlan) =>
  steps.some(
    ({ action }) =>
      action.do === "fault" &&
      cash.some(({ register }) => register === action.register) &&
      action.faults.some(({ effect }) => effect === "drop-answer" || effect === "silent" || effect === "late"),
  );
const isPlain = ({ kit }: CasePlan) => !kit;

const searches: readonly (readonly [Net, Search])[] = [
  ["journal", cutsOf("reference", isKilledLate)],
  ["fence", cutsOf("shtrih-v2", isUnplugged)],
  ["gapCheck", randomCasesOf("reference", rollsBack)],
  ["order-key", randomCasesOf("reference", isPlain)],
  ["close-once", randomCasesOf("reference", losesCashAnswers)],
];

test.each(searches)(
  "without the net %s orders are lost or doubled, and with it the same cases end well",
  async (net, search) => {
    const without = await search(net);
    const { lost, doubled, wronglyReported } = without;
    expect(lost + doubled + wronglyReported).toBeGreaterThan(0);
    const failed = without.failures.map(({ name }) => name);
    const withAll = await search(undefined, failed);
    expect(withAll.cases).toBe(failed.length);
    expect(withAll.failures.map(({ name, log }) => `${name}\n${log}`)).toEqual([]);
  },
  ONE_TEST_MS,
);
