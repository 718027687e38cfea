import { z } from "zod";
import type { EmulatedDocument } from "../support/emulator-process.js";
import type { CasePlan } from "./case-plan.js";
import type { CaseWorld } from "./case-world.js";
import { type CampaignOrder, keyOf } from "./orders.js";
import { documentId, type OtherDocuments } from "./run-case.js";
import { losesDatabase, mayForgetContent, refuses, whyCashUndecidable, whyUndecidable } from "./undecidable.js";
import { type JudgedOrder, judge, type Verdict } from "./verdict.js";

export interface JudgeCaseOptions {
  readonly plan: CasePlan;
  readonly world: CaseWorld;
  readonly others: OtherDocuments;
}

/** Receipts, drawers and Z reports of a case, held against what its sites were told. */
export async function judgeCase({ plan, world, others }: JudgeCaseOptions): Promise<Verdict> {
  const documents = await Promise.all(world.registers.map((register) => register.documents()));
  const receipts = documents
    .flat()
    .filter((document) => document.type === "receipt" && !others.has(documentId(document)));
  const verdict = judge({
    orders: plan.orders.map(({ order, changed }) => ({
      order,
      ...excuseOf(plan, order, receipts),
      otherTotals: changed === null ? [] : [changed.totalKopecks],
      mayFail: refuses(plan),
      mayBeToldByRefusal: changed !== null && losesDatabase(plan),
      eachContent: changed !== null && mayForgetContent(plan),
    })),
    receipts,
    resultsOf: (order) => {
      const planned = plan.orders.find(({ order: { key } }) => key === order.key);
      return planned === undefined ? [] : (world.sites[planned.site]?.resultsOf(order) ?? []);
    },
  });
  const drawers = await Promise.all(
    world.registers.map((_, index) => judgeDrawer({ plan, world, others }, index, receipts)),
  );
  const z = judgeZReports({ plan, world, others }, documents.flat());
  return {
    ...verdict,
    wronglyReported: [...verdict.wronglyReported, ...drawers.filter((problem) => problem !== null), ...z.twice],
    unreported: [...verdict.unreported, ...z.missing],
  };
}

/** What its own documents, as they lie in the fiscal memories, leave for nobody to know. */
export function excuseOf(
  plan: CasePlan,
  order: CampaignOrder,
  receipts: readonly EmulatedDocument[],
): Pick<JudgedOrder, "undecidable" | "mayBeMistaken"> {
  const own = receipts.filter((document) => keyOf(document) === order.key);
  const reason = whyUndecidable(plan, order, own);
  return { undecidable: reason?.why ?? null, mayBeMistaken: reason?.mayBeMistaken === true };
}

const stateSchema = z.object({ kkm: z.string(), drawer: z.object({ cashKopecks: z.number() }) });
const CASH_AT_FIRST = 10_000_000;

/** The cash that is there must be what the receipts and the reported cash jobs make of it. */
async function judgeDrawer(
  { plan, world }: JudgeCaseOptions,
  register: number,
  receipts: readonly EmulatedDocument[],
): Promise<string | null> {
  const emulator = world.registers[register];
  if (emulator === undefined) return null;
  const { drawer } = stateSchema.parse(await emulator.get("/state"));
  const own = new Set((await emulator.documents()).map(documentId));
  const byReceipts = receipts
    .filter((document) => own.has(documentId(document)))
    .map(({ operation, totalKopecks }) => (operation === "sale" ? 1 : -1) * (totalKopecks ?? 0));
  const jobs = plan.cash.filter((cash) => cash.register === register);
  const found = drawer.cashKopecks - CASH_AT_FIRST - byReceipts.reduce((sum, part) => sum + part, 0);
  let possible = [0];
  for (const { job, site } of jobs) {
    const outcome = world.sites[site]?.resultsOfJob(job.orderId).at(-1)?.["outcome"];
    const moved = job.direction === "in" ? job.sumKopecks : -job.sumKopecks;
    const unknown = outcome === "unknown" && whyCashUndecidable(plan) !== null;
    if (outcome === "printed") possible = possible.map((sum) => sum + moved);
    else if (unknown) possible = [...possible, ...possible.map((sum) => sum + moved)];
  }
  return possible.includes(found) ? null : `drawer of till-${register + 1}: ${found} kopecks of cash jobs`;
}

interface ZFindings {
  readonly missing: readonly string[];
  readonly twice: readonly string[];
}

/** Each shift that the daemon closed is told to each site once. What a lost database knew of it is gone. */
function judgeZReports({ plan, world, others }: JudgeCaseOptions, documents: readonly EmulatedDocument[]): ZFindings {
  if (losesDatabase(plan)) return { missing: [], twice: [] };
  const closings = documents.filter((document) => document.type === "shift-close" && !others.has(documentId(document)));
  const missing: string[] = [];
  const twice: string[] = [];
  for (const { fn, shift } of closings) {
    for (const [index, { zReports }] of world.sites.entries()) {
      const own = zReports.filter(({ body }) => body["fn"] === fn && body["closedSession"] === String(shift));
      const events = new Set(own.map(({ id }) => id));
      if (events.size === 0) missing.push(`Z ${fn}/${shift} at site ${index}`);
      if (events.size > 1) twice.push(`Z ${fn}/${shift} at site ${index}`);
    }
  }
  return { missing, twice };
}
