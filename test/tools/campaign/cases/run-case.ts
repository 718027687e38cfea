/** Runs one case of the random part: the plan, the removal of every fault, and the check that all is settled. */
import { controlReply, type EmulatedDocument } from "../../../support/emulator-process.js";
import { seeded } from "../../../support/seeded.js";
import { waitFor } from "../../../support/wait-for.js";
import { isClean, type Verdict } from "../judging/verdict.js";
import { alters } from "../plan/alterations.js";
import type { Action, CasePlan, OperatorAction } from "../plan/case-plan.js";
import { isSpelling, labelOf, makeOrder, WARM_PRICES } from "../plan/orders.js";
import { makeUuid } from "../plan/story.js";
import { losesDatabase } from "../plan/undecidable.js";
import { kkmOf } from "../processes/makers.js";
import {
  type CaseWorld,
  type CaseWorldOptions,
  openCaseWorld,
  sitesOf,
  takesOneHost,
  type UnsureReceipt,
} from "../worlds/case-world.js";
import { describeTold, isRefusedUnread, judgeCase, unsureBeside } from "./judge-case.js";

export interface CaseEnd {
  readonly name: string;
  readonly verdict: Verdict;
  /** Null: the case passed. */
  readonly log: string | null;
}

/** Real ms: the next step begins after this, whatever the previous step has caused. */
const STEP_MS = 250;

export async function runCase(options: Omit<CaseWorldOptions, "plan"> & { readonly plan: CasePlan }): Promise<CaseEnd> {
  const { plan } = options;
  const name = randomCaseName(plan);
  const world = await openCaseWorld(options);
  const log = async (verdict: Verdict, unsettled: string | null) =>
    [describe(plan, verdict, unsettled), await describeTold({ plan, world }), await world.log()].join("\n");
  try {
    await warmUp(world, plan);
    for (const daemon of world.daemons) daemon.copyBesides();
    const others = await runSteps(world, plan);
    await makeWhole(world, plan);
    const unsettled = await settle(world, plan);
    const verdict = await judgeCase({ plan, world, others });
    const clean = isClean(verdict) && unsettled === null;
    return { name, verdict, log: clean ? null : await log(verdict, unsettled) };
  } catch (error) {
    const verdict = { ...(await judgeCase({ plan, world, others: new Set() })), unreported: ["the case broke off"] };
    return { name, verdict, log: await log(verdict, String(error)) };
  } finally {
    await world.close();
  }
}

export function randomCaseName({ seed }: CasePlan): string {
  return `random seed ${seed}`;
}

/** One receipt on each register opens the shift and proves that documents are read correctly. */
function warmUp(world: CaseWorld, plan: CasePlan): Promise<unknown> {
  if (plan.shared === null) return warmUpFor(world, plan, 0);
  return eachAlone(world, plan, (daemon) => warmUpFor(world, plan, daemon));
}

async function warmUpFor(world: CaseWorld, plan: CasePlan, place: number): Promise<void> {
  const site = world.sites[place];
  // A number with which no register has polled yet is nobody's.
  const allKnown = () => plan.registers.every(({ number }) => site?.polledKkms.has(kkmOf(number)));
  await waitFor("all registers are connected", allKnown, { timeoutMs: world.patienceMs });
  for (const { number } of plan.registers) {
    const orderId = `warm-site${place}-${number}`;
    const order = makeOrder({ orderId, operation: "sale", prices: WARM_PRICES, kkm: kkmOf(number) });
    await site?.offer(order);
    await waitFor(`register ${number} prints`, () => (site?.resultsOf(order).length ?? 0) > 0, {
      timeoutMs: world.patienceMs,
    });
  }
}

/** A register behind a line or TCP takes one host: each daemon that shares it does this while the others are away. */
async function eachAlone<T>(
  { daemons }: Pick<CaseWorld, "daemons">,
  plan: CasePlan,
  act: (daemon: number) => Promise<T>,
): Promise<T[]> {
  const takesTurns = plan.registers.some((_, index) => takesOneHost(plan, index));
  const results: T[] = [];
  for (const place of daemons.keys()) {
    const others = takesTurns ? daemons.filter((_, other) => other !== place) : [];
    let end: (() => void) | undefined;
    const isDone = new Promise<void>((resolve) => {
      end = resolve;
    });
    const away = others.map((daemon) => daemon.restart("SIGTERM", () => isDone));
    try {
      results.push(await act(place));
    } finally {
      end?.();
      await Promise.all(away);
    }
  }
  return results;
}

/** Documents that no daemon made. */
export type OtherDocuments = ReadonlySet<string>;

export function documentId({ fn, fd }: Pick<EmulatedDocument, "fn" | "fd">): string {
  return `${fn}/${fd}`;
}

async function runSteps(world: CaseWorld, plan: CasePlan): Promise<OtherDocuments> {
  const others = new Set<string>();
  const lasting: Promise<void>[] = [];
  const warm = plan.registers.length * (plan.shared === null ? 1 : plan.daemons);
  for (const { afterResults, action } of plan.steps) {
    const results = () => world.sites.reduce((sum, { resultCount }) => sum + resultCount, 0) - warm;
    await waitFor("results have come", () => results() >= afterResults, { timeoutMs: STEP_MS }).catch(() => {});
    const end = carryOut(world, plan, action, others);
    lasting.push(end);
    // Its failure is thrown below.
    end.catch(() => {});
    // The order of these steps decides what a copy knows.
    if (action.do === "swap-drive" || action.do === "copy-database") await end;
  }
  await Promise.all(lasting);
  return others;
}

async function carryOut(world: CaseWorld, plan: CasePlan, action: Action, others: Set<string>): Promise<void> {
  if (action.do === "operator") return settleUnsure(world, plan, action, others);
  if ("daemon" in action) return doToDaemon(world, action);
  if ("register" in action) return doToRegister(world, action, others);
  return doAtSites(world, plan, action);
}

type SiteAction = Exclude<Action, { readonly daemon: number } | { readonly register: number }>;

async function doAtSites(world: CaseWorld, plan: CasePlan, action: SiteAction): Promise<void> {
  switch (action.do) {
    case "offer": {
      const planned = plan.orders[action.order];
      const order = action.content === "own" ? planned?.order : planned?.changed;
      if (planned != null && order != null) {
        await world.sites[planned.site]?.offer({ ...order, spelling: planned.spelling });
      }
      return;
    }
    case "story": {
      const story = plan.stories[action.story];
      const site = world.sites[story?.site ?? 0];
      const random = seeded(plan.seed + action.story);
      if (story === undefined || site === undefined) return;
      const telling = site.begin(story, () => makeUuid(random));
      world.tellings.set(action.story, telling);
      return;
    }
    case "cash": {
      const planned = plan.cash[action.cash];
      if (planned === undefined) return;
      const { orderId, answer } = planned.job;
      await world.sites[planned.site]?.offer({ key: orderId, orderId, operation: null, answer });
      return;
    }
    case "site-out": {
      const site = world.sites[action.site];
      if (site === undefined) return;
      site.outage = action.how;
      await pause(action.forMs);
      site.outage = null;
      return;
    }
    case "lose-answers": {
      const site = world.sites[action.site];
      if (site !== undefined) site.losesAnswers += action.times;
    }
  }
}

type DaemonAction = Exclude<Extract<Action, { readonly daemon: number }>, OperatorAction>;

async function doToDaemon({ daemons }: CaseWorld, action: DaemonAction): Promise<void> {
  const daemon = daemons[action.daemon];
  if (daemon === undefined) return;
  switch (action.do) {
    case "kill":
      return daemon.restart("SIGKILL", () => {
        if (action.database === "rolled-back") daemon.rollDatabaseBack();
        if (action.database === "deleted") daemon.deleteDatabase();
      });
    case "power-cut":
      return daemon.restart("SIGKILL", () => daemon.cutPower(action.number));
    case "restart":
      return daemon.restart("SIGTERM");
    case "rest":
      return daemon.restart("SIGTERM", () => pause(action.forMs));
    case "switch-marks-on":
      return daemon.switchMarksOn();
    case "copy-database":
      return daemon.copyDatabase();
    case "freeze":
      daemon.signal("SIGSTOP");
      await pause(action.forMs);
      daemon.signal("SIGCONT");
      return;
    case "fill-disk":
      daemon.signal("SIGUSR2");
      await pause(action.forMs);
      daemon.signal("SIGWINCH");
  }
}

/** Real ms between two checks for unsure receipts. */
const OPERATOR_LOOKS_EVERY_MS = 50;

async function settleUnsure(
  world: CaseWorld,
  plan: CasePlan,
  { daemon: place, word, forMs }: OperatorAction,
  others: OtherDocuments,
) {
  const daemon = world.daemons[place];
  if (daemon === undefined) return;
  const wordOn = word === "hasty" ? async () => ({ notPrinted: true }) : honestWord;
  /** False: the daemon is away, or wants a minute between two answers about one receipt, so the operator waits. */
  const settle = async (receipt: UnsureReceipt) => {
    const body = await wordOn(world, plan, receipt, others);
    const answer = body === null ? undefined : await daemon.resolve(receipt.job, { reason: word, ...body });
    return answer !== null && answer?.text.includes("usage.repeated") !== true;
  };
  const patience = AbortSignal.timeout(world.patienceMs);
  for (let workedMs = 0; workedMs < forMs && !patience.aborted; ) {
    const settled = await Promise.all(daemon.unsureReceipts().map(settle));
    await pause(OPERATOR_LOOKS_EVERY_MS);
    if (settled.every((isAnswered) => isAnswered)) workedMs += OPERATOR_LOOKS_EVERY_MS;
  }
}

/** The answer that the documents give. Null: they leave it open, because several orders have the same lines. */
async function honestWord(
  { registers }: CaseWorld,
  { orders, stories }: CasePlan,
  { site, orderId, operation }: UnsureReceipt,
  others: OtherDocuments,
): Promise<object | null> {
  const all = [...orders, ...stories.flatMap(({ site, requests }) => requests.map(({ order }) => ({ site, order })))];
  const mayBeIt = all.filter(
    (planned) =>
      planned.site === site && isSpelling(orderId, planned.order.orderId) && planned.order.operation === operation,
  );
  const [label, other] = [...new Set(mayBeIt.map(({ order }) => order.label))];
  if (label === undefined || other !== undefined) return null;
  if (all.filter(({ order }) => order.label === label).length > 1) return null;
  const documents = (await Promise.all(registers.map((register) => register.documents()))).flat();
  const own = documents.filter((document) => labelOf(document) === label && !others.has(documentId(document)));
  if (own[0] !== undefined) {
    const { fd, fn, fiscalSign, time, shift, receiptNumber } = own[0];
    // Where two registers have a document of this number, the number alone may name the other one's.
    const isUnique = documents.filter((document) => document.fd === fd).length === 1;
    return isUnique ? { printed: fd } : { printed: fd, paper: { fn, fiscalSign, time, shift, receiptNumber } };
  }
  return { notPrinted: true, checked: documents.map(({ fd }) => fd) };
}

type RegisterAction = Extract<Action, { readonly register: number }>;

async function doToRegister({ registers }: CaseWorld, action: RegisterAction, others: Set<string>): Promise<void> {
  const register = registers[action.register];
  if (register === undefined) return;
  /** The register refuses while a daemon's receipt is open; then nothing has happened. */
  const made = async (path: string, body: object) => {
    const reply = controlReply.safeParse(await register.post(path, body).catch(() => null));
    if (reply.success) others.add(documentId(reply.data));
  };
  switch (action.do) {
    case "fault":
      for (const fault of action.faults) await register.addFault(fault);
      await pause(action.forMs);
      return register.clearFaults();
    case "a-day-passes":
      await register.post("/clock", { advanceSeconds: 86_400 });
      return;
    case "close-shift-by-hand":
      return made("/shift", { action: "close" });
    case "foreign-receipt":
      return made("/receipts", action.receipt);
    case "swap-drive":
      await register.post("/fn", { fn: action.fn });
  }
}

/** The duration of a fault is part of the case. */
function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

async function makeWhole({ registers, sites }: CaseWorld, plan: CasePlan): Promise<void> {
  const cancelsByHand = plan.registers.some(({ unconfirmed }) => unconfirmed["cancel-when-paid"] === "refused");
  for (const register of registers) {
    await register.clearFaults();
    await register.post("/paper", { present: true, coverOpen: false });
    // A person has to cancel three kinds of open receipts: one that a daemon left before it lost its database, a paid
    // one that the register cancels only by hand, and one that another daemon left on a shared register.
    if (losesDatabase(plan) || cancelsByHand || plan.shared !== null) await register.post("/cancel", {});
  }
  for (const site of sites) {
    site.losesAnswers = 0;
    site.withdrawAnswered();
  }
}

/** What is still unsettled after a time in which everything could be settled. Null: nothing. */
async function settle(world: CaseWorld, plan: CasePlan): Promise<string | null> {
  if (plan.shared === null) return settleFor(world, plan, { ...world, atSites: [...world.sites.keys()] });
  const open = await eachAlone(world, plan, (place) => {
    const daemons = world.daemons.filter((_, index) => index === place);
    return settleFor(world, plan, { daemons, atSites: sitesOf(plan, place) });
  });
  return open.find((unsettled) => unsettled !== null) ?? null;
}

async function settleFor(
  world: CaseWorld,
  plan: CasePlan,
  { daemons, atSites }: Pick<CaseWorld, "daemons"> & { readonly atSites: readonly number[] },
): Promise<string | null> {
  const here = <T extends { readonly site: number }>(all: readonly T[]) =>
    all.filter(({ site }) => atSites.includes(site));
  const open = () => [
    ...here(plan.orders)
      .filter((planned) => !isRefusedUnread(planned, world))
      .filter((planned) => world.sites[planned.site]?.resultsOf(planned.order).at(-1) === undefined)
      .filter((planned) => unsureBeside(plan, planned, world).length === 0)
      .map(({ order }) => order.key),
    ...here(plan.cash)
      .filter(({ job, site }) => world.sites[site]?.resultsOfJob(job.orderId).length === 0)
      .map(({ job }) => job.orderId),
    ...[...world.tellings.values()]
      .filter(({ story, isAtRest }) => atSites.includes(story.site) && !isAtRest)
      .map(({ open }) => open?.order.key),
  ];
  const isAltered = alters(plan);
  const unfinished = () =>
    daemons.reduce((sum, daemon) => sum + daemon.unfinished() + (isAltered ? daemon.uncompared() : 0), 0);
  const end = new AbortController();
  // A person accepts the alterations, which are found one document after the other.
  if (isAltered) void acceptAll(daemons, plan, end.signal);
  try {
    await waitFor("all is settled", () => open().length === 0 && unfinished() === 0, { timeoutMs: world.patienceMs });
    // A result is final only when nothing more is on its way.
    await pause(100);
    return null;
  } catch {
    return `still open: ${open().join(", ")}; ${unfinished()} jobs, shifts or comparisons`;
  } finally {
    end.abort();
  }
}

async function acceptAll(daemons: CaseWorld["daemons"], plan: CasePlan, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    for (const daemon of daemons) {
      for (const { number } of plan.registers) await daemon.acceptDifferences(`till-${number}`);
    }
    await pause(STEP_MS);
  }
}

function describe(plan: CasePlan, verdict: Verdict, unsettled: string | null): string {
  const steps = plan.steps.map((step) => JSON.stringify(step)).join("\n");
  const registers = plan.registers.map((register) => JSON.stringify(register)).join("\n");
  const shared = JSON.stringify(plan.shared);
  const orders = plan.orders.map(({ order: { answer: _, ...order }, ...planned }) =>
    JSON.stringify({ ...order, ...planned }),
  );
  const stories = plan.stories.map(({ name, site }) => `story at site ${site}: ${name}`);
  const what = [...orders, ...stories].join("\n");
  return `${JSON.stringify(verdict)}\n${unsettled ?? ""}\nkit: ${plan.kit}, shared: ${shared}\n${registers}\n${what}\n${steps}`;
}
