/** Why an order is not printed yet, for one order (`explain`, its page) and for all orders. Pure. */
import { type FaultCode, faultCodes } from "@fiscald/shared/fault-codes.js";
import type { RegisterId, SiteId } from "@fiscald/shared/ids.js";
import { maskText } from "../../logging/mask.js";
import { type FaultWords, filled } from "../../messages/fault-words.js";
import type { Language, Messages } from "../../messages/messages.js";
import type { Counted, OfJobs } from "../../messages/texts/troubles/trouble-words.js";
import { findMoveObstacle, lacksForReceipt } from "../../registers/printing/move-obstacle.js";
import { isWorking } from "../../registers/register-machine.js";
import { waitsForMending } from "../../registers/retry-policy.js";
import type { Job, JobSource, JobState } from "../../store/job.js";
import { type FaultFact, type Found, found, isAboutOrders, withOrders } from "./found.js";
import { daemonDown, storeTrouble } from "./program-troubles.js";
import { deviceTroubles } from "./register-troubles.js";
import { askedInWords, askedOf, pollTrouble, reasonIn } from "./site-troubles.js";
import type { Example, Needs } from "./trouble.js";
import type { PresentFacts, PresentRegister } from "./trouble-facts.js";

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
  read(): Job;
}

/** The immediate cause, and then the causes behind it; empty: the order is printed. */
export function jobTroubles(job: KnownJob, facts: PresentFacts): readonly Found[] {
  const [first, ...behind] = causesOf(job, facts);
  if (first === undefined) return [];
  if (isSiteStuckAt(job, facts)) return [withStuckSite(ofItsSite(first, job, facts)), ...behind];
  return [isAboutOrders(first) ? ofItsSite(first, job, facts) : first, ...behind];
}

/** Shops use each other's order numbers, so where there are several sites an order is named with its own. */
function ofItsSite(trouble: Found, { site }: KnownJob, { sites }: PresentFacts): Found {
  return site === null || sites.length < 2 ? trouble : { ...trouble, site, key: `${trouble.key} ${site}` };
}

/** Milliseconds. A site that offers no order for a shorter time may only be slow. */
const STUCK_MS = 60_000;

function isSiteStuckAt({ id, site }: KnownJob, { sites, now }: PresentFacts): boolean {
  const stuckAt = sites.find((other) => other.site === site)?.stuckAt ?? new Map<never, never>();
  return [...stuckAt.values()].some(({ job, since }) => job === id && now - since >= STUCK_MS);
}

function withStuckSite(trouble: Found): Found {
  return {
    ...trouble,
    key: `${trouble.key} site-stuck`,
    say(counted, messages, language) {
      const { text, next } = trouble.say(counted, messages, language);
      return { text: `${text} ${messages.troubles.siteStuck}`, next };
    },
  };
}

function causesOf(job: KnownJob, facts: PresentFacts): readonly Found[] {
  const own = facts.registers.find(({ settings }) => settings.id === job.register);
  const behind = facts.isRunning && own !== undefined ? deviceTroubles(own) : [];
  switch (job.state) {
    case "printed":
      return [];
    case "cancelled":
      return [
        because(job, "cancelled", ({ troubles }, { text }) => ({ text: troubles.cancelled({ text }), next: "" })),
      ];
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
      return [lateIfLong(job.fault === null ? printing(job) : triedAgain(job, job.fault), job, facts)];
    }
    case "queued":
      return [lateIfLong(whyQueued(job, own, facts), job, facts)];
  }
}

export function exampleOf({ id, name }: Pick<KnownJob, "id" | "name">): Example {
  return { name, job: id };
}

export function programTroubles({ isRunning, storeFault }: Pick<PresentFacts, "isRunning" | "storeFault">) {
  if (!isRunning) return [daemonDown()];
  return storeFault === null ? [] : [storeTrouble(storeFault)];
}

type Ended = "held" | "failed" | "refused" | "cancelled" | "unsure";
type Waiting =
  | ("shift-closing" | "register-stopped" | "register-starting" | "register-removed" | "waits-for-turn" | "printing")
  | ("settling" | "tried-again" | "waits-for-reading" | "waits-for-other" | "waits-for-decision");
type Undecided = PresentFacts["undecided"][number];

/** The values for a row of the catalogue. `text` and `hint` are the fault's, in the row's language. */
type Given = Counted & OfJobs & { readonly text: string; readonly hint: string; readonly language: Language };
type Say = (messages: Messages, given: Given) => FaultWords;

/** A job that is over or waits for a person. A person decides about every such job, except a cancelled one. */
function because(job: KnownJob, kind: Ended, say: Say, apart = ""): Found {
  const isDecision = kind !== "cancelled";
  const needs = isDecision ? "person" : "nobody";
  return found({ ...ofJob(job, job.fault ?? OUR_FAULT, say), kind, needs, isDecision, apart, since: job.updatedAt });
}

interface More {
  readonly needs?: Needs;
  readonly fault?: FaultFact | null;
  readonly apart?: string;
}

function waits(
  job: KnownJob,
  kind: Waiting,
  say: Say,
  { needs = "nobody", fault = null, apart = "" }: More = {},
): Found {
  return found({ ...ofJob(job, fault, say), kind, needs, apart, since: job.createdAt });
}

function ofJob({ register, ...job }: KnownJob, fault: FaultFact | null, say: Say) {
  return {
    ...{ register, fault, orders: [exampleOf(job)] },
    say: (counted: Counted & OfJobs, messages: Messages, language: Language) => {
      const said = (part: "text" | "hint") => (fault === null ? "" : faultCodes[fault.code][part][language]);
      return say(messages, { ...counted, language, text: said("text"), hint: said("hint") });
    },
  };
}

const OUR_FAULT: FaultFact = { code: "internal", message: "" };

/** The second of two documents that put a receipt right. */
export const SECOND: FaultCode = "job.held-second";

function whyHeld(job: KnownJob): Found {
  const { code } = job.fault ?? OUR_FAULT;
  return because(job, "held", ({ troubles: { held, heldOld, heldSecond, largeSum } }, given) => ({
    text: held.text(code === "job.held-large" ? { ...given, text: largeSum } : given),
    next: (code === "job.held-old" ? heldOld : code === SECOND ? heldSecond : held.next)(given),
  }));
}

function whyFailed(job: KnownJob): Found {
  const { code } = job.fault ?? OUR_FAULT;
  const { hintGoesOn } = faultCodes[code];
  return because(job, "failed", ({ troubles: { failed } }, given) => ({
    text: `${failed.text(given)}${reasonOf(job, given)}`,
    next: `${hintGoesOn ? "" : given.hint} ${mayHelp(code) ? failed.retry(given) : ""}`,
  }));
}

function reasonOf(job: KnownJob, { count, language }: Given): string {
  return count === 1 && job.fault !== null ? reasonIn(language, job.fault.code, () => job.read().fault) : "";
}

/** True: printing the failed job again may succeed, although the same receipt goes to the same register. */
export function mayHelp(code: FaultCode): boolean {
  return faultCodes[code].retry !== "never" || code === "device.place-refused";
}

function whyRefused(job: KnownJob, facts: PresentFacts): Found {
  const { site, fault } = job;
  const kkm = fault?.code === "register.unknown-kkm" && site !== null ? job.read().receipt.kkm : null;
  if (kkm === null || site === null) {
    return because(job, "refused", ({ troubles }, given) => ({
      text: `${troubles.refused(given)}${reasonOf(job, given)}`,
      next: given.hint,
    }));
  }
  const asked = (messages: Messages) => askedInWords(askedOf(site, facts), facts.titles, messages);
  return found({
    ...{ kind: "wrong-kkm", needs: "person", site, fault, since: job.updatedAt, isDecision: true, apart: kkm },
    orders: [exampleOf(job)],
    say: (counted, messages) => {
      return filled(messages.troubles.wrongKkm, { ...counted, kkm, asked: asked(messages) });
    },
  });
}

/** The register must still be read about the unsure job. After the reading, a person decides. */
function isStillAsked(own: PresentRegister | undefined): boolean {
  return own !== undefined && ["offline", "connecting", "recovering"].includes(own.phase);
}

function settling(job: KnownJob): Found {
  const say: Say = ({ troubles: { settling: said } }, { text, hint }) => ({
    text: said.text({ text }),
    next: hint === "" ? said.next : hint,
  });
  return waits(job, "settling", say, { needs: "look", fault: job.fault });
}

function whyUnsure(job: KnownJob, facts: PresentFacts): Found {
  const reason = facts.doubtReason(job.id);
  const say: Say = ({ troubles: { unsure, doubt } }, given) => ({
    text: unsure.text({ ...given, doubt: reason === null ? "" : doubt[reason] }),
    next: unsure.next(given),
  });
  return because(job, "unsure", say, reason ?? "");
}

function whyQueued(job: KnownJob, own: PresentRegister | undefined, facts: PresentFacts): Found {
  const { id, name, site, register, fault, source } = job;
  const ofRegister = own === undefined ? [] : deviceTroubles(own);
  // A paused register still closes its shift and prints reports, which belong to no order (dispatcher.ts).
  const inTheWay = ofRegister.filter(
    ({ kind }) => kind !== "register-paused" || site !== null || job.read().orderId !== null,
  );
  const [first] = [...programTroubles(facts), ...inTheWay];
  if (first !== undefined) return withOrders(first, [exampleOf(job)]);
  if (own === undefined) {
    const say: Say = ({ troubles: { registerRemoved: said } }, given) => ({ text: said.text, next: said.next(given) });
    return waits(job, "register-removed", say, { needs: "person" });
  }
  // A further try takes a moment, and does not end the cause of the last failure.
  if (own.jobInHand === id) return fault === null ? printing(job) : triedAgain(job, fault);
  const isOfOrder = (other: Undecided) => other.id < id && other.orderId === name && other.site === site;
  // A receipt that a person forced waits for no unsure receipt.
  const before = facts.undecided.find((other) => isOfOrder(other) && (other.state === "held" || !job.read().forced));
  if (before !== undefined) return waitsForEarlier(job, before, facts);
  if (facts.closing.has(register)) return waits(job, "shift-closing", ({ troubles }) => troubles.shiftClosing);
  if (own.phase === "stopped") return waits(job, "register-stopped", ({ troubles }) => troubles.registerStopped);
  if (!isWorking(own.phase)) return waits(job, "register-starting", ({ troubles }) => troubles.registerStarting);
  // A shift closing prints no order, so the closing waits for no reading.
  const awaited = source === "schedule" ? null : facts.awaited(register);
  if (awaited !== null) return waitsForReading(job, awaited, facts);
  if (fault !== null) return waitsForOther(job, own, fault, facts) ?? triedAgain(job, fault);
  return waits(job, "waits-for-turn", ({ troubles: { waitsForTurn } }) => {
    const inHand = own.jobInHand === null ? 0 : 1;
    const before = facts.queue.filter((other) => other.register === register && other.id < id).length;
    return filled(waitsForTurn, { ahead: before + inHand });
  });
}

/** A person or the register must first settle the earlier receipt of the same order. */
function waitsForEarlier(job: KnownJob, { id, state, register }: Undecided, { registers }: PresentFacts): Found {
  const own = registers.find(({ settings }) => settings.id === register);
  if (state === "unsure" && isStillAsked(own)) {
    const say: Say = ({ troubles: { waitsForEarlier: said, settling } }, given) => ({
      text: said.asked(given),
      next: settling.next,
    });
    return waits(job, "waits-for-turn", say, { needs: "look", apart: "asked" });
  }
  const say: Say = ({ troubles: { waitsForEarlier: said } }, given) => ({
    text: said.text(given),
    next: `${said.next} ${given.count > 1 ? "" : said[state === "held" ? "held" : "unsure"]({ jobs: String(id) })}`,
  });
  return waits(job, "waits-for-decision", say, { needs: "person" });
}

function lateIfLong(trouble: Found, { createdAt }: KnownJob, { now, limits }: PresentFacts): Found {
  const isLate = createdAt !== null && now - createdAt > limits.orderWaitsMinutes * 60_000;
  return isLate && trouble.needs === "nobody" ? { ...trouble, needs: "look" } : trouble;
}

function printing(job: KnownJob): Found {
  return waits(job, "printing", ({ troubles }) => troubles.printing);
}

function triedAgain(job: KnownJob, fault: FaultFact): Found {
  if (fault.code === "register.setting-wrong") return waitsUntilMended(job, fault);
  const isTried = !waitsForMending.includes(fault.code);
  const say: Say = ({ troubles }, { text, hint }) => ({
    text: isTried ? troubles.triedAgain({ text }) : text,
    next: hint,
  });
  return waits(job, "tried-again", say, { fault });
}

/** The job is printed without a person's order, but only after a person has mended what the fault names. */
function waitsUntilMended(job: KnownJob, fault: FaultFact): Found {
  const say: Say = ({ troubles }, { text, hint, language }) => {
    const setting = maskText((language === "ru" ? job.read().fault?.ru : null) ?? fault.message);
    return { text: troubles.waitsUntilMended({ text, setting }), next: hint };
  };
  return waits(job, "tried-again", say, { needs: "person", fault, apart: fault.message });
}

/** After a crash or a data loss the other register must be read first, because it may have printed the order. */
function waitsForReading(job: KnownJob, awaited: RegisterId, facts: PresentFacts): Found {
  const trouble = facts.registers.filter(({ settings }) => settings.id === awaited).flatMap(deviceTroubles)[0];
  const fault = trouble?.fault ?? null;
  const other = facts.title(awaited);
  const say: Say = ({ troubles: { waitsForReading: said, waitsForTurn } }, { text, hint }) => ({
    text: `${said.text({ other })} ${text}`,
    next: fault === null ? waitsForTurn.next : `${hint} ${said.gone({ other })}`,
  });
  return waits(job, "waits-for-reading", say, { needs: fault === null ? "nobody" : "person", fault, apart: awaited });
}

/** Another register of the group may have what this one lacks. The job went to none, so one in trouble is named. */
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
  const lacks = faultCodes[fault.code].text;
  const say: Say = ({ troubles }, { text, hint, language }) => ({
    text: `${troubles.waitsForOther({ text: lacks[language], other: facts.title(id) })} ${text}`,
    next: trouble === null ? troubles.waitsForTurn.next : hint,
  });
  return waits(job, "waits-for-other", say, {
    ...{ needs: trouble === null ? "nobody" : "person", fault: trouble, apart: `${id} ${fault.code}` },
  });
}

/** The cause is a trouble of the program or the site. Behind it are the troubles of the site's registers. */
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
    say: (_, messages) =>
      filled(messages.troubles.notOffered, { asked: askedInWords(askedOf(site, facts), facts.titles, messages) }),
  });
}
