import { z } from "zod";
import { findDiffering, paidBy } from "../judging/differing.js";
import { judgeStories } from "../judging/judge-stories.js";
import { issuerOf, judge, type Verdict } from "../judging/verdict.js";
import { alters, hasFault } from "../plan/alterations.js";
import { alwaysWritesMarks, type CasePlan, type PlannedOrder } from "../plan/case-plan.js";
import { type CampaignOrder, isReadable, itemName, labelOf, makeOrder, WARM_PRICES } from "../plan/orders.js";
import {
  losesDatabase,
  mayForgetContent,
  mayTakeTwin,
  refuses,
  whyCashUndecidable,
  whyUndecidable,
} from "../plan/undecidable.js";
import { kkmOf } from "../processes/makers.js";
import { type RegisteredDocument, readDocuments } from "../processes/registered-document.js";
import { type CaseDaemon, type CaseWorld, sitesOf } from "../worlds/case-world.js";
import { documentId, type OtherDocuments } from "./run-case.js";

export interface JudgeCaseOptions {
  readonly plan: CasePlan;
  readonly world: CaseWorld;
  readonly others: OtherDocuments;
}

/** Compares receipts, drawers and Z reports of a case with what its sites were told. */
export async function judgeCase({ plan, world, others }: JudgeCaseOptions): Promise<Verdict> {
  const documents = await Promise.all(world.registers.map((register) => readDocuments(register)));
  const all = documents.flat().filter(({ type }) => type === "receipt");
  const isForeign = (document: RegisteredDocument) => others.has(documentId(document));
  const receipts = all.filter((document) => !isForeign(document));
  const open = plan.orders.filter((planned) => !isRefusedUnread(planned, world, receipts));
  const verdict = judge({
    orders: open.map(({ order, changed, site }) => ({
      order,
      issuer: issuerOfSite(plan, site, receipts),
      otherTotals: changed === null ? [] : [changed.totalKopecks],
      undecidable: whyUndecidable(plan, order, documents),
      waits: unsureBeside(plan, { order, site }, world).some((one) => whyUndecidable(plan, one, documents) !== null),
      twins: mayTakeTwin(plan, order)
        ? all.filter((document) => isForeign(document) && labelOf(document) === order.label)
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
  const stories = judgeStories({
    tellings: [...world.tellings.values()],
    receipts,
    whyUndecidable: (order) => whyUndecidable(plan, order, documents),
    mayFail: refuses(plan),
  });
  // A document that a person is asked about belongs to no order until the answer, and is compared then.
  const meant = meantBy(plan, receipts);
  const askedKeys = new Set([...verdict.undecidable, ...stories.undecidable]);
  const asked = new Set(meant.flatMap(({ key, label }) => (askedKeys.has(key) ? [label] : [])));
  return {
    documents: verdict.documents,
    doubled: [...verdict.doubled, ...stories.doubled],
    wronglyReported: [
      ...verdict.wronglyReported,
      ...stories.wronglyReported,
      ...strangeNames(plan, receipts),
      ...drawers.filter((problem) => problem !== null),
      ...z.twice,
    ],
    lost: [...verdict.lost, ...stories.lost, ...cash.lost],
    unreported: [...verdict.unreported, ...stories.unreported, ...cash.unreported, ...z.missing],
    unsure: [...verdict.unsure, ...stories.unsure, ...cash.unsure],
    differing: findDiffering({
      documents: receipts,
      orders: meant.filter(({ label }) => !asked.has(label)),
      isMarked: ({ kkm }) => isMarkedBy(plan, kkm),
      isNoticed: noticesOf({ plan, world }),
    }),
    undecidable: [...verdict.undecidable, ...stories.undecidable, ...cash.undecidable],
  };
}

/** The orders of the case with all their contents, and those of the warm-up. */
function meantBy({ orders, stories }: CasePlan, receipts: readonly RegisteredDocument[]): readonly CampaignOrder[] {
  const warm = receipts.map((document) => labelOf(document) ?? "").filter((label) => label.startsWith("warm"));
  return [
    ...orders.flatMap(({ order, changed }) => (changed === null ? [order] : [order, changed])),
    ...stories.flatMap(({ requests }) => requests.map(({ order }) => order)),
    ...warm.map((orderId) => makeOrder({ orderId, operation: "sale", prices: WARM_PRICES })),
  ];
}

function isMarkedBy(plan: CasePlan, kkm: string): boolean | null {
  const register = plan.registers.find(({ number }) => kkmOf(number) === kkm);
  if (register === undefined || !register.orderMark) return false;
  return alwaysWritesMarks(plan, register) ? true : null;
}

export interface NoticeOptions {
  readonly plan: Pick<CasePlan, "steps">;
  readonly world: { readonly daemons: readonly Pick<CaseDaemon, "checkedDocuments">[] };
}

/**
 * Where a register alters receipts, a difference is noticed when a person was told of it, or was told that the document
 * could not be compared where documents cannot be read.
 */
export function noticesOf({ plan, world }: NoticeOptions) {
  if (!alters(plan)) return () => false;
  const isUnreadable = hasFault(plan, "documents-unreadable");
  const checked = world.daemons.flatMap((daemon) => daemon.checkedDocuments());
  return (document: Pick<RegisteredDocument, "fn" | "fd">, tags: readonly number[]): boolean => {
    const own = checked.filter((one) => documentId(one) === documentId(document));
    return own.some(({ told }) => (told === "all" ? isUnreadable : tags.every((tag) => told.includes(tag))));
  };
}

/** True: nothing of the order was printed, and the site was told that its letters cannot be known. */
export function isRefusedUnread(
  { order, site, spelling = "utf-8" }: PlannedOrder,
  { sites }: Pick<CaseWorld, "sites">,
  receipts: readonly RegisteredDocument[] = [],
): boolean {
  const isPrinted = receipts.some((document) => labelOf(document) === order.label);
  return !isReadable(spelling) && !isPrinted && sites[site]?.isUnreadable(order.orderId) === true;
}

/** Receipts of the same order that the site was told to be unsure: later ones wait for them until a person decides. */
export function unsureBeside(
  { orders }: Pick<CasePlan, "orders">,
  { order, site }: Pick<PlannedOrder, "order" | "site">,
  { sites }: Pick<CaseWorld, "sites">,
): readonly CampaignOrder[] {
  const lastWord = (one: CampaignOrder) =>
    sites[site]?.resultsOf(one).findLast(({ outcome }) => outcome === "unknown" || outcome === "printed")?.["outcome"];
  return orders
    .filter((planned) => planned.site === site && planned.order.orderId === order.orderId)
    .map((planned) => planned.order)
    .filter((one) => one.key !== order.key && lastWord(one) === "unknown");
}

/** The issuer by those documents of the site's orders whose goods no other site has. Null: none of them has a mark. */
function issuerOfSite({ orders }: CasePlan, site: number, receipts: readonly RegisteredDocument[]): string | null {
  const labels = orders.filter((planned) => planned.site === site).map(({ order }) => order.label);
  const others = orders.filter((planned) => planned.site !== site).map(({ order }) => order.label);
  const own = receipts.filter((document) => {
    const label = labelOf(document) ?? "";
    return label.startsWith(`warm-site${site}-`) || (labels.includes(label) && !others.includes(label));
  });
  return own.map(issuerOf).find((issuer) => issuer !== null) ?? null;
}

/** A receipt may have no letters but the orders'. If a register cuts them, the tags of the document show it. */
export function strangeNames(
  { orders, stories }: Pick<CasePlan, "orders" | "stories">,
  receipts: readonly RegisteredDocument[],
): readonly string[] {
  const labels = new Set([...orders, ...stories.flatMap(({ requests }) => requests)].map(({ order }) => order.label));
  return receipts.flatMap(({ fd, items }) => {
    const label = labelOf({ items });
    const isKnown = label !== null && (labels.has(label) || label.startsWith("warm"));
    const isRight = isKnown && items.every(({ name }, line) => itemName(label, line).startsWith(name));
    return isRight ? [] : [`document ${fd} with the names ${JSON.stringify(items.map(({ name }) => name))}`];
  });
}

/** For the log of a failed case: what the sites were told of each order, and its documents. */
export async function describeTold({ plan, world }: Pick<JudgeCaseOptions, "plan" | "world">): Promise<string> {
  const documents = (await Promise.all(world.registers.map((register) => register.documents()))).flat();
  const lines = plan.orders.flatMap(({ order, site }) => [
    ...(world.sites[site]?.resultsOf(order) ?? []).map((result) => `told ${order.key} ${JSON.stringify(result)}`),
    ...documents
      .filter((document) => labelOf(document) === order.label)
      .map(({ items: _, payments: __, ...document }) => `drive ${order.key} ${JSON.stringify(document)}`),
  ]);
  const told = [...world.tellings.values()].flatMap(({ made }) =>
    made.map(({ request, due, enqueued, results }) =>
      JSON.stringify({ asked: request.order.key, due, enqueued, results }),
    ),
  );
  const ofStories = documents
    .filter((document) => labelOf(document)?.startsWith("s") === true)
    .map(({ items: _, payments: __, ...document }) => `drive ${labelOf({ items: _ })} ${JSON.stringify(document)}`);
  return [...lines, ...told, ...ofStories].join("\n");
}

/** Judges the last result of each cash job; the drawer shows whether the cash was moved accordingly. */
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

/** The cash in the drawer must be the sum of the receipts and the reported cash jobs. */
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
    .map(({ operation, payments }) => (operation === "sale" ? 1 : -1) * paidBy(payments, 0));
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

/** Each site is told once of each shift that a daemon closed. A lost database has forgotten its shifts. */
function judgeZReports({ plan, world, others }: JudgeCaseOptions, documents: readonly RegisteredDocument[]): ZFindings {
  if (losesDatabase(plan)) return { missing: [], twice: [] };
  const closings = documents.filter((document) => document.type === "shift-close" && !others.has(documentId(document)));
  const missing: string[] = [];
  const twice: string[] = [];
  for (const { fn, shift } of closings) {
    const events = world.sites.map(({ zReports }) => {
      const own = zReports.filter(({ body }) => body["fn"] === fn && body["closedSession"] === String(shift));
      return new Set(own.map(({ id }) => id)).size;
    });
    const unaware = world.daemons.map((_, daemon) => sitesOf(plan, daemon).filter((site) => events[site] === 0));
    if (unaware.every((sites) => sites.length > 0)) missing.push(`Z ${fn}/${shift} at site ${unaware.join(", ")}`);
    for (const [site, count] of events.entries()) if (count > 1) twice.push(`Z ${fn}/${shift} at site ${site}`);
  }
  return { missing, twice };
}
