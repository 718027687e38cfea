/** One case of the random part: what the plan says happens; then everything is whole again, and all must end well. */
import { controlReply, type EmulatedDocument } from "../support/emulator-process.js";
import { waitFor } from "../support/wait-for.js";
import type { Action, CasePlan } from "./case-plan.js";
import { type CaseWorld, type CaseWorldOptions, openCaseWorld } from "./case-world.js";
import { describeTold, judgeCase } from "./judge-case.js";
import { kkmOf } from "./makers.js";
import { makeOrder } from "./orders.js";
import { losesDatabase } from "./undecidable.js";
import { isClean, type Verdict } from "./verdict.js";

export interface CaseEnd {
  readonly name: string;
  readonly verdict: Verdict;
  /** Null when it is clean. */
  readonly log: string | null;
}

/** Real ms: the next step begins after this, whatever came of the one before. */
const STEP_MS = 250;

export async function runCase(options: Omit<CaseWorldOptions, "plan"> & { readonly plan: CasePlan }): Promise<CaseEnd> {
  const { plan } = options;
  const name = randomCaseName(plan);
  const world = await openCaseWorld(options);
  const log = async (verdict: Verdict, unsettled: string | null) =>
    [describe(plan, verdict, unsettled), await describeTold({ plan, world }), await world.log()].join("\n");
  try {
    await warmUp(world, plan);
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

/** One receipt on each register: the shift is open, and the proof that its documents are read rightly is made. */
async function warmUp(world: CaseWorld, plan: CasePlan): Promise<void> {
  const [site] = world.sites;
  // A number that no register has introduced itself with yet is nobody's.
  const allKnown = () => plan.registers.every(({ number }) => site?.polledKkms.has(kkmOf(number)));
  await waitFor("all registers are connected", allKnown, { timeoutMs: world.patienceMs });
  for (const { number } of plan.registers) {
    const order = makeOrder({ orderId: `warm${number}`, operation: "sale", prices: [500], kkm: kkmOf(number) });
    await site?.offer(order);
    await waitFor(`register ${number} prints`, () => (site?.resultsOf(order).length ?? 0) > 0, {
      timeoutMs: world.patienceMs,
    });
  }
}

/** Documents that nobody of ours made. */
export type OtherDocuments = ReadonlySet<string>;

export function documentId({ fn, fd }: Pick<EmulatedDocument, "fn" | "fd">): string {
  return `${fn}/${fd}`;
}

async function runSteps(world: CaseWorld, plan: CasePlan): Promise<OtherDocuments> {
  const others = new Set<string>();
  const lasting: Promise<void>[] = [];
  const warm = plan.registers.length;
  for (const { afterResults, action } of plan.steps) {
    const results = () => world.sites.reduce((sum, { resultCount }) => sum + resultCount, 0) - warm;
    await waitFor("results have come", () => results() >= afterResults, { timeoutMs: STEP_MS }).catch(() => {});
    const end = carryOut(world, plan, action, others);
    lasting.push(end);
    // What a copy still knows depends on their order.
    if (action.do === "swap-drive" || action.do === "copy-database") await end;
  }
  await Promise.all(lasting);
  return others;
}

async function carryOut(world: CaseWorld, plan: CasePlan, action: Action, others: Set<string>): Promise<void> {
  switch (action.do) {
    case "offer": {
      const planned = plan.orders[action.order];
      const order = action.content === "own" ? planned?.order : planned?.changed;
      if (planned != null && order != null) await world.sites[planned.site]?.offer(order);
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
      return;
    }
    case "kill":
    case "copy-database":
    case "restart":
    case "switch-marks-on":
    case "freeze":
    case "fill-disk":
      return doToDaemon(world, action);
    default:
      return doToRegister(world, action, others);
  }
}

type DaemonAction = Extract<Action, { readonly daemon: number }>;

async function doToDaemon({ daemons }: CaseWorld, action: DaemonAction): Promise<void> {
  const daemon = daemons[action.daemon];
  if (daemon === undefined) return;
  switch (action.do) {
    case "kill":
      return daemon.restart("SIGKILL", () => {
        if (action.database === "rolled-back") daemon.rollDatabaseBack();
        if (action.database === "deleted") daemon.deleteDatabase();
      });
    case "restart":
      return daemon.restart("SIGTERM");
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

type RegisterAction = Extract<Action, { readonly register: number }>;

async function doToRegister({ registers }: CaseWorld, action: RegisterAction, others: Set<string>): Promise<void> {
  const register = registers[action.register];
  if (register === undefined) return;
  /** Refused while a receipt of ours is open: as if nobody had come. */
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

/** How long a trouble lasts is part of the case. */
function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

async function makeWhole({ registers, sites }: CaseWorld, plan: CasePlan): Promise<void> {
  const cancelsByHand = plan.registers.some(({ unconfirmed }) => unconfirmed["cancel-when-paid"] === "refused");
  for (const register of registers) {
    await register.clearFaults();
    await register.post("/paper", { present: true, coverOpen: false });
    // What a daemon left open before it lost its database is a stranger's to it: a person has to cancel it (design 5,
    // rule 6). So does one who meets a receipt that is paid and that the register cancels by hand only.
    if (losesDatabase(plan) || cancelsByHand) await register.post("/cancel", {});
  }
  for (const site of sites) {
    site.losesAnswers = 0;
    site.withdrawAnswered();
  }
}

/** What is still open after a time in which everything could have ended; null = nothing. */
async function settle(world: CaseWorld, plan: CasePlan): Promise<string | null> {
  const open = () => [
    ...plan.orders
      .filter(({ order, site }) => world.sites[site]?.resultsOf(order).at(-1) === undefined)
      .map(({ order }) => order.key),
    ...plan.cash
      .filter(({ job, site }) => world.sites[site]?.resultsOfJob(job.orderId).length === 0)
      .map(({ job }) => job.orderId),
  ];
  const jobs = () => world.daemons.reduce((sum, daemon) => sum + daemon.unfinishedJobs(), 0);
  try {
    await waitFor("all is settled", () => open().length === 0 && jobs() === 0, { timeoutMs: world.patienceMs });
    // What was told is the last word only when nothing more is on its way.
    await pause(100);
    return null;
  } catch {
    return `still open: ${open().join(", ")}; ${jobs()} jobs`;
  }
}

function describe(plan: CasePlan, verdict: Verdict, unsettled: string | null): string {
  const steps = plan.steps.map((step) => JSON.stringify(step)).join("\n");
  const registers = plan.registers.map((register) => JSON.stringify(register)).join("\n");
  return `${JSON.stringify(verdict)}\n${unsettled ?? ""}\nkit: ${plan.kit}\n${registers}\n${steps}`;
}
