/** Why an order is not printed so far: pure, for one order (`explain`, its page) and for all of them. */
import { type FaultCode, faultCodes } from "@fiscald/shared/fault-codes.js";
import type { Kkm, RegisterId, SiteId } from "@fiscald/shared/ids.js";
import type { Language, Messages } from "../../messages/messages.js";
import { findMoveObstacle, lacksForReceipt } from "../../registers/printing/move-obstacle.js";
import { isWorking } from "../../registers/register-machine.js";
import type { Job, JobSource, JobState } from "../../store/job.js";
import { hintOf, textOf } from "./fault-words.js";
import { type FaultFact, type Found, found, withOrders } from "./found.js";
import { daemonDown, storeTrouble } from "./program-troubles.js";
import { deviceTroubles } from "./register-troubles.js";
import { askedInWords, askedOf, pollTrouble } from "./site-troubles.js";
import type { Example } from "./trouble.js";
import type { PresentFacts, PresentRegister } from "./trouble-facts.js";

/** What is known of a job without reading its receipt. */
export interface KnownJob {
  readonly id: number;
  readonly name: string;
  readonly state: JobState;
  readonly source: JobSource;
  readonly site: SiteId | null;
  readonly register: RegisterId;
  readonly fault: FaultFact | null;
  readonly createdAt: number | null;
  readonly updatedAt: number | null;
  /** The whole job, where the rule needs its receipt. */
  read(): Job;
}

/** The causes: the first one, then what stands behind it. Empty: the order is printed. */
export function jobTroubles(job: KnownJob, facts: PresentFacts): readonly Found[] {
  const { state, register } = job;
  const own = facts.registers.find(({ settings }) => settings.id === register);
  const behind = facts.isRunning && own !== undefined ? deviceTroubles(own) : [];
  switch (state) {
    case "printed":
      return [];
    case "cancelled":
      return [ended(job, "cancelled", (text, { troubles }) => ({ text: troubles.cancelled({ text }), next: "" }))];
    case "refused":
      return [whyRefused(job, facts)];
    case "failed":
      return [whyFailed(job)];
    case "held":
      return [whyHeld(job)];
    case "unsure":
      return [isStillAsked(own) ? settling(job) : whyUnsure(job, facts), ...behind];
    case "printing": {
      const first = [...programTroubles(facts), ...behind];
      if (first.length > 0) return first.map((trouble) => withOrders(trouble, [exampleOf(job)]));
      return [job.fault === null ? printing(job) : triedAgain(job, job.fault)];
    }
    case "queued":
      return [lateIfLong(whyQueued(job, own, facts), job, facts)];
  }
}

export function exampleOf({ id, name }: Pick<KnownJob, "id" | "name">): Example {
  return { name, job: id };
}

/** What keeps every order from being printed. */
export function programTroubles({ isRunning, storeFault }: Pick<PresentFacts, "isRunning" | "storeFault">) {
  if (!isRunning) return [daemonDown()];
  return storeFault === null ? [] : [storeTrouble(storeFault)];
}

const OUR_FAULT: FaultFact = { code: "internal", message: "" };

type State = "held" | "failed" | "refused" | "cancelled";

function ended(
  { state, fault, ...job }: KnownJob,
  kind: State,
  words: (text: string, messages: Messages, language: Language) => { text: string; next: string },
): Found {
  const known = fault ?? OUR_FAULT;
  return found({
    ...{ kind, needs: "nobody", register: job.register, fault: known, since: job.updatedAt },
    orders: [{ name: job.name, job: job.id }],
    say: (_, messages, language) => words(textOf(known.code, language), messages, language),
  });
}

function whyFailed({ register, fault, updatedAt, ...job }: KnownJob): Found {
  const { code, message } = fault ?? OUR_FAULT;
  return found({
    ...{ kind: "failed", needs: "person", register, fault: { code, message }, since: updatedAt, isDecision: true },
    orders: [exampleOf(job)],
    say: (counted, { troubles }, language) => ({
      text: troubles.failed.text({ ...counted, text: textOf(code, language) }),
      next: `${hintOfFailed(code, language)} ${mayHelp(code) ? troubles.failed.retry(counted) : ""}`,
    }),
  });
}

/** A failed job is not tried by itself, whatever the fault's own hint says of a job that waits. */
function hintOfFailed(code: FaultCode, language: Language): string {
  const { hint, retry } = faultCodes[code];
  const goesOn = retry === "repeat" || retry === "after-help";
  return goesOn && /by itself/.test(hint.en) ? "" : hint[language];
}

/** Whether printing the failed job again may end otherwise: the same receipt meets the same register. */
export function mayHelp(code: FaultCode): boolean {
  return faultCodes[code].retry !== "never" || code === "device.place-refused";
}

function whyHeld({ site, register, fault, updatedAt, ...job }: KnownJob): Found {
  const { code, message } = fault ?? OUR_FAULT;
  return found({
    ...{ kind: "held", needs: "person", site, register, fault: { code, message }, since: updatedAt, isDecision: true },
    orders: [exampleOf(job)],
    say: (counted, { troubles }, language) => ({
      text: troubles.held.text({ ...counted, text: textOf(code, language) }),
      next: troubles.held.next(counted),
    }),
  });
}

function whyRefused(job: KnownJob, facts: PresentFacts): Found {
  const { site, register, updatedAt } = job;
  const fault = job.fault ?? OUR_FAULT;
  const kkm = fault.code === "register.unknown-kkm" && site !== null ? job.read().receipt.kkm : null;
  if (kkm !== null && site !== null) return wrongKkm(job, { kkm, site, fault, facts });
  return found({
    ...{ kind: "refused", needs: "person", register, fault, since: updatedAt, isDecision: true },
    orders: [exampleOf(job)],
    say: (counted, { troubles }, language) => ({
      text: troubles.refused({ ...counted, text: textOf(fault.code, language) }),
      next: hintOf(fault.code, language),
    }),
  });
}

interface WrongKkm {
  readonly kkm: Kkm;
  readonly site: SiteId;
  readonly fault: FaultFact;
  readonly facts: PresentFacts;
}

function wrongKkm(job: KnownJob, { kkm, site, fault, facts }: WrongKkm): Found {
  return found({
    ...{ kind: "wrong-kkm", needs: "person", site, fault, since: job.updatedAt, isDecision: true, apart: kkm },
    orders: [exampleOf(job)],
    say: (counted, messages) => {
      const asked = askedInWords(askedOf(site, facts), facts.titles, messages);
      const { text, next } = messages.troubles.wrongKkm;
      return { text: text({ ...counted, kkm, asked }), next };
    },
  });
}

/** Whether the register must still be read about the unsure job. After that a person decides. */
function isStillAsked(own: PresentRegister | undefined): boolean {
  return own !== undefined && ["offline", "connecting", "recovering"].includes(own.phase);
}

function settling({ register, fault, updatedAt, ...job }: KnownJob): Found {
  return found({
    ...{ kind: "settling", needs: "look", register, fault, since: updatedAt, orders: [exampleOf(job)] },
    say: (_, { troubles }, language) => {
      const { text, next } = troubles.settling;
      if (fault === null) return { text: text({ text: "" }), next };
      return { text: text({ text: textOf(fault.code, language) }), next: hintOf(fault.code, language) };
    },
  });
}

function whyUnsure({ register, fault, updatedAt, ...job }: KnownJob, facts: PresentFacts): Found {
  const reason = facts.doubtReason(job.id);
  return found({
    ...{ kind: "unsure", needs: "person", register, fault, since: updatedAt, isDecision: true, apart: reason ?? "" },
    orders: [exampleOf(job)],
    say: (counted, { troubles }) => ({
      text: troubles.unsure.text({ ...counted, doubt: reason === null ? "" : troubles.doubt[reason] }),
      next: troubles.unsure.next(counted),
    }),
  });
}

function whyQueued(job: KnownJob, own: PresentRegister | undefined, facts: PresentFacts): Found {
  const { id, register, fault, source } = job;
  const ofRegister = own === undefined ? [] : deviceTroubles(own);
  // A paused register still does the operator's jobs and closings.
  const inTheWay = ofRegister.filter(({ kind }) => kind !== "register-paused" || source === "site");
  const [first] = [...programTroubles(facts), ...inTheWay];
  if (first !== undefined) return withOrders(first, [exampleOf(job)]);
  if (own === undefined) return registerRemoved(job);
  if (own.jobInHand === id) return printing(job);
  if (facts.closing.has(register)) return waits(job, "shift-closing", ({ troubles }) => troubles.shiftClosing);
  if (own.phase === "stopped") return waits(job, "register-stopped", ({ troubles }) => troubles.registerStopped);
  if (!isWorking(own.phase)) return waits(job, "register-starting", ({ troubles }) => troubles.registerStarting);
  // A shift closing prints no order, so it waits for no reading.
  const awaited = source === "schedule" ? null : facts.awaited(register);
  if (awaited !== null) return waitsForReading(job, awaited, facts);
  if (fault !== null) return waitsForOther(job, own, fault, facts) ?? triedAgain(job, fault);
  return waits(job, "waits-for-turn", ({ troubles }) => {
    const inHand = own.jobInHand === null ? 0 : 1;
    const before = facts.queue.filter((other) => other.register === register && other.id < id).length;
    return { text: troubles.waitsForTurn.text({ ahead: before + inHand }), next: troubles.waitsForTurn.next };
  });
}

/** An order that waits for long is worth a look, whatever it waits for. */
function lateIfLong(trouble: Found, { createdAt }: KnownJob, { now, limits }: PresentFacts): Found {
  const isLate = createdAt !== null && now - createdAt > limits.orderWaitsMinutes * 60_000;
  return isLate && trouble.needs === "nobody" ? { ...trouble, needs: "look" } : trouble;
}

type Waiting = "shift-closing" | "register-stopped" | "register-starting" | "waits-for-turn" | "printing";

function waits(
  { register, createdAt, ...job }: KnownJob,
  kind: Waiting,
  words: (messages: Messages) => { readonly text: string; readonly next: string },
): Found {
  const orders = [exampleOf(job)];
  return found({ kind, needs: "nobody", register, since: createdAt, orders, say: (_, messages) => words(messages) });
}

function printing(job: KnownJob): Found {
  return waits(job, "printing", ({ troubles }) => troubles.printing);
}

function registerRemoved({ register, createdAt, ...job }: KnownJob): Found {
  return found({
    ...{ kind: "register-removed", needs: "person", register, since: createdAt, orders: [exampleOf(job)] },
    say: (counted, { troubles: { registerRemoved } }) => ({
      text: registerRemoved.text,
      next: registerRemoved.next(counted),
    }),
  });
}

function triedAgain({ register, createdAt, ...job }: KnownJob, fault: FaultFact): Found {
  return found({
    ...{ kind: "tried-again", needs: "nobody", register, fault, since: createdAt, orders: [exampleOf(job)] },
    say: (_, { troubles }, language) => ({
      text: troubles.triedAgain({ text: textOf(fault.code, language) }),
      next: hintOf(fault.code, language),
    }),
  });
}

/** After a crash or a data loss the other register must be read first, because it may have printed the order. */
function waitsForReading({ register, createdAt, ...job }: KnownJob, awaited: RegisterId, facts: PresentFacts): Found {
  const trouble = facts.registers.filter(({ settings }) => settings.id === awaited).flatMap(deviceTroubles)[0];
  const fault = trouble?.fault ?? null;
  const other = facts.title(awaited);
  return found({
    ...{ kind: "waits-for-reading", needs: fault === null ? "nobody" : "person", register, since: createdAt },
    ...{ orders: [exampleOf(job)], apart: awaited, fault },
    say: (_, { troubles: { waitsForReading: said, waitsForTurn } }, language) => {
      const text = said.text({ other });
      if (fault === null) return { text, next: waitsForTurn.next };
      const next = `${hintOf(fault.code, language)} ${said.gone({ other })}`;
      return { text: `${text} ${textOf(fault.code, language)}`, next };
    },
  });
}

/**
 * The register lacks something that the job needs; another of its group may have it. Among several such the one in
 * trouble is named: the job went to none of the others.
 */
function waitsForOther(job: KnownJob, own: PresentRegister, fault: FaultFact, facts: PresentFacts): Found | null {
  if (!lacksForReceipt.includes(fault.code)) return null;
  const whole = job.read();
  const mayTake = (to: PresentRegister) =>
    to !== own && (findMoveObstacle({ job: whole, from: own, to })?.unknown ?? true);
  const others = facts.registers
    .filter(mayTake)
    .map((to) => ({ id: to.settings.id, trouble: deviceTroubles(to)[0]?.fault ?? null }));
  const other = others.find(({ trouble }) => trouble !== null) ?? others[0];
  if (other === undefined) return null;
  const { id, trouble } = other;
  const { register, createdAt: since } = job;
  return found({
    ...{ kind: "waits-for-other", needs: trouble === null ? "nobody" : "person", register, since, fault },
    ...{ orders: [exampleOf(job)], apart: id },
    say: (_, { troubles }, language) => {
      const text = troubles.waitsForOther({ text: textOf(fault.code, language), other: facts.title(id) });
      if (trouble === null) return { text, next: troubles.waitsForTurn.next };
      return { text: `${text} ${textOf(trouble.code, language)}`, next: hintOf(trouble.code, language) };
    },
  });
}

/**
 * No order has arrived: the cause is the program's or the site's trouble, and behind it those of the registers that the
 * site is polled for.
 */
export function notOfferedTroubles(facts: PresentFacts): readonly Found[] {
  const ofSite = ({ site }: PresentFacts["sites"][number]) => {
    const bound = facts.registers.filter(({ settings }) => settings.sites.includes(site));
    const behind = facts.isRunning ? bound.flatMap(deviceTroubles) : [];
    return [pollTrouble(site, facts) ?? notOffered(site, facts), ...behind];
  };
  return [...programTroubles(facts), ...facts.sites.flatMap(ofSite)];
}

function notOffered(site: SiteId, facts: PresentFacts): Found {
  return found({
    ...{ kind: "not-offered", needs: "look", site },
    say: (_, messages) => {
      const { text, next } = messages.troubles.notOffered;
      return { text: text({ asked: askedInWords(askedOf(site, facts), facts.titles, messages) }), next };
    },
  });
}

/** An order that could not be read never became a job. */
export function unreadOrder(fault: FaultFact, name: string): Found {
  return found({
    ...{ kind: "unreadable", needs: "person", fault, orders: [{ name, job: null }], isDecision: true },
    say: (counted, { troubles: { unreadable } }, language) => ({
      text: unreadable.text({ ...counted, text: textOf(fault.code, language) }),
      next: unreadable.next,
    }),
  });
}
