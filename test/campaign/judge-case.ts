import { z } from "zod";
import type { CasePlan } from "./case-plan.js";
import type { CaseWorld } from "./case-world.js";
import { keyOf } from "./orders.js";
import { type RegisteredDocument, readDocuments } from "./registered-document.js";
import { documentId, type OtherDocuments } from "./run-case.js";
import {
  losesDatabase,
  mayForgetContent,
  mayTakeTwin,
  refuses,
  whyCashUndecidable,
  whyUndecidable,
} from "./undecidable.js";
import { judge, type Verdict } from "./verdict.js";

export interface JudgeCaseOptions {
  readonly plan: CasePlan;
  readonly world: CaseWorld;
  readonly others: OtherDocuments;
}

/** Receipts, drawers and Z reports of a case, held against what its sites were told. */
export async function judgeCase({ plan, world, others }: JudgeCaseOptions): Promise<Verdict> {
  const documents = await Promise.all(world.registers.map((register) => readDocuments(register)));
  const all = documents.flat().filter(({ type }) => type === "receipt");
  const isForeign = (document: RegisteredDocument) => others.has(documentId(document));
  const receipts = all.filter((document) => !isForeign(document));
  const verdict = judge({
    orders: plan.orders.map(({ order, changed }) => ({
      order,
      otherTotals: changed === null ? [] : [changed.totalKopecks],
      undecidable: whyUndecidable(plan, order, documents),
      twins: mayTakeTwin(plan, order)
        ? all.filter((document) => isForeign(document) && keyOf(document) === order.key)
        : [],
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
  const cash = judgeCash({ plan, world, others });
  const z = judgeZReports({ plan, world, others }, documents.flat());
  return {
    ...verdict,
    wronglyReported: [...verdict.wronglyReported, ...drawers.filter((problem) => problem !== null), ...z.twice],
    lost: [...verdict.lost, ...cash.lost],
    unreported: [...verdict.unreported, ...cash.unreported, ...z.missing],
    unsure: [...verdict.unsure, ...cash.unsure],
    undecidable: [...verdict.undecidable, ...cash.undecidable],
  };
}

/** What the sites were told of each order, and the documents of it: for the log of a case that failed. */
export async function describeTold({ plan, world }: Pick<JudgeCaseOptions, "plan" | "world">): Promise<string> {
  const documents = (await Promise.all(world.registers.map((register) => register.documents()))).flat();
  const lines = plan.orders.flatMap(({ order, site }) => [
    ...(world.sites[site]?.resultsOf(order) ?? []).map((result) => `told ${order.key} ${JSON.stringify(result)}`),
    ...documents
      .filter((document) => keyOf(document) === order.key)
      .map(({ items: _, payments: __, ...document }) => `drive ${order.key} ${JSON.stringify(document)}`),
  ]);
  return lines.join("\n");
}

/** The last word on each cash job; whether the cash was moved so, its drawer tells. */
function judgeCash({ plan, world }: JudgeCaseOptions) {
  const found = {
    lost: [] as string[],
    unreported: [] as string[],
    unsure: [] as string[],
    undecidable: [] as string[],
  };
  for (const { job, site } of plan.cash) {
    const { orderId } = job;
    const last = world.sites[site]?.resultsOfJob(orderId).at(-1)?.["outcome"];
    if (last === undefined) found.unreported.push(orderId);
    if (last === "unknown") (whyCashUndecidable(plan) === null ? found.unsure : found.undecidable).push(orderId);
    if (last === "failed" && !refuses(plan)) found.lost.push(orderId);
  }
  return found;
}

const stateSchema = z.object({ kkm: z.string(), drawer: z.object({ cashKopecks: z.number() }) });
const CASH_AT_FIRST = 10_000_000;

/** The cash that is there must be what the receipts and the reported cash jobs make of it. */
async function judgeDrawer(
  { plan, world }: JudgeCaseOptions,
  register: number,
  receipts: readonly RegisteredDocument[],
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
function judgeZReports({ plan, world, others }: JudgeCaseOptions, documents: readonly RegisteredDocument[]): ZFindings {
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
