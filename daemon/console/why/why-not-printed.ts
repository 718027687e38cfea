/**
 * Answers "why is it not printed so far?" One pure function serves the console's API, `fiscald status`, `fiscald
 * explain` and the early warnings. Its texts are in describe-cause.ts.
 */
import type { Fault } from "@fiscald/shared/fault.js";
import type { FaultCode } from "@fiscald/shared/fault-codes.js";
import type { Kkm, RegisterId, SiteId } from "@fiscald/shared/ids.js";
import { findMoveObstacle, lacksForReceipt, type MoveParty } from "../../registers/printing/move-obstacle.js";
import { isWorking } from "../../registers/register-machine.js";
import type { RegisterSnapshot } from "../../registers/register-snapshot.js";
import type { SiteHealth } from "../../sites/site-health.js";
import type { DoubtReason } from "../../store/attempt-store.js";
import type { Job } from "../../store/job.js";

/** Code and message of a fault; its texts for people come from the table of faults. */
export interface FaultFact {
  readonly code: FaultCode;
  readonly message: string;
  /** For how many days, where the text names them. */
  readonly days?: number;
}

/** A register that its site is polled for. `kkm` null: it was never connected. `at` null: no answer in this run. */
export interface AskedRegister {
  readonly register: RegisterId;
  readonly kkm: Kkm | null;
  readonly at: number | null;
}

type OfRegister<Kind extends string> = { readonly kind: Kind; readonly register: RegisterId };
type OfSite<Kind extends string> = { readonly kind: Kind; readonly site: SiteId };
type OfFault<Kind extends string> = { readonly kind: Kind; readonly fault: FaultFact };

export type NotPrintedCause =
  | { readonly kind: "daemon-down" }
  | OfFault<"store-trouble">
  /** Paper, cover, drive or another device keeps the register from printing: the fault says which. */
  | (OfRegister<"register-blocked"> & { readonly fault: FaultFact })
  | (OfRegister<"register-offline"> & { readonly fault: FaultFact })
  /** `since`: wall clock. */
  | (OfRegister<"register-paused"> & { readonly fault: FaultFact; readonly since: number })
  | OfRegister<"register-starting" | "register-stopped" | "register-removed" | "shift-closing" | "printing">
  | (OfRegister<"waits-for-turn"> & { readonly ahead: number })
  /**
   * The register lacks something that the job needs (`fault`); `other` is in its group and may have it. `trouble`: what
   * is wrong with `other`; null = it works.
   */
  | (OfRegister<"waits-for-other"> & {
      readonly fault: FaultFact;
      readonly other: RegisterId;
      readonly trouble: FaultFact | null;
    })
  /**
   * After a crash or a data loss `other` must be read first, because it may have printed the order. `trouble`: why it
   * cannot be read so far; null = it is being connected.
   */
  | (OfRegister<"waits-for-reading"> & { readonly other: RegisterId; readonly trouble: FaultFact | null })
  /** `fault`: how the last try failed. */
  | (OfRegister<"tried-again"> & { readonly fault: FaultFact })
  /** The register must still be asked what became of the last try. */
  | (OfRegister<"settling"> & { readonly fault: FaultFact | null })
  /** `reason` null: the register could not be read. */
  | (OfRegister<"unsure"> & { readonly fault: FaultFact | null; readonly reason: DoubtReason | null })
  | OfFault<"held" | "failed" | "refused" | "cancelled" | "unreadable">
  | (OfSite<"wrong-kkm"> & { readonly kkm: Kkm; readonly asked: readonly AskedRegister[] })
  /** `since`: wall clock. */
  | (OfSite<"site-trouble" | "site-html" | "site-unreadable"> & { readonly fault: FaultFact; readonly since: number })
  | (OfSite<"nobody-polls" | "not-offered"> & { readonly asked: readonly AskedRegister[] });

export interface PresentFacts {
  readonly isRunning: boolean;
  /** Why the database cannot store new orders; null = it can. */
  readonly storeFault: Fault | null;
  readonly registers: readonly PresentRegister[];
  readonly sites: readonly SiteFacts[];
  /** Registers that close their shift before they print anything else. */
  readonly closing: ReadonlySet<RegisterId>;
  /** All queued jobs, oldest first. */
  readonly queue: readonly { readonly id: number; readonly register: RegisterId }[];
  /** Why a job is unsure; null: its register was not read so far. */
  doubtReason(job: number): DoubtReason | null;
  /** The register that must be read before this one prints an order; null = none. */
  awaited(register: RegisterId): RegisterId | null;
}

type SnapshotFacts = "phase" | "fault" | "identity" | "tables" | "state" | "jobInHand" | "pausedSince";

export interface PresentRegister extends Pick<RegisterSnapshot, SnapshotFacts> {
  readonly settings: Pick<RegisterSnapshot["settings"], "id" | "sites"> & MoveParty["settings"];
}

export type SiteFacts = Pick<SiteHealth, "site" | "fault" | "since" | "polled">;

/** What is known about the order: its job, an answer that could not be read, or nothing so far. */
export type OrderFacts =
  | { readonly kind: "job"; readonly job: Job }
  | { readonly kind: "unreadable"; readonly fault: FaultFact }
  | { readonly kind: "not-offered" };

/** The causes: the first one, then what stands behind it. Empty: the order is printed. */
export function whyNotPrinted(order: OrderFacts, facts: PresentFacts): readonly NotPrintedCause[] {
  if (order.kind === "unreadable") return [{ kind: "unreadable", fault: order.fault }];
  if (order.kind === "job") return whyJob(order.job, facts);
  return [...programTroubles(facts), ...facts.sites.flatMap((site) => whyNotOffered(site, facts))];
}

/** What keeps orders from being printed whatever order it is: for the overview. */
export function presentTroubles(facts: PresentFacts): readonly NotPrintedCause[] {
  const ofSite = (site: SiteFacts) => {
    const polls = pollTrouble(site, facts);
    return polls === null ? [] : [polls];
  };
  return [...programTroubles(facts), ...facts.registers.flatMap(registerTrouble), ...facts.sites.flatMap(ofSite)];
}

type Troubled = Pick<PresentRegister, "phase" | "fault" | "pausedSince"> & {
  readonly settings: { readonly id: RegisterId };
};
type RegisterTrouble = NotPrintedCause & { readonly kind: "register-blocked" | "register-offline" | "register-paused" };

/** Why a register takes no job, the first cause first; empty = it works, or connects for the first time. */
export function registerTrouble(register: Troubled): readonly RegisterTrouble[] {
  const { settings, pausedSince } = register;
  const paused = { code: "register.paused", message: `${settings.id} is paused` } as const;
  return [
    ...deviceTrouble(register),
    ...(pausedSince === null
      ? []
      : [{ kind: "register-paused", register: settings.id, fault: paused, since: pausedSince } as const]),
  ];
}

function deviceTrouble(register: Troubled): readonly RegisterTrouble[] {
  const { settings, phase, fault } = register;
  if (fault === null || phase === "stopped") return [];
  // The fault of a block that no state shows stays until a job ends well, although the register is `ready` between two
  // tries.
  const kind = isWorking(phase) || phase === "blocked" ? "register-blocked" : "register-offline";
  return [{ kind, register: settings.id, fault: factOf(fault) }];
}

/** Null = the site answers its polls, or was not polled so far. */
export function siteTrouble({ site, fault, since }: Pick<SiteFacts, "site" | "fault" | "since">) {
  if (fault === null || since === null) return null;
  const isUnreadable = fault.code === "order.unreadable";
  const kind = isUnreadable ? (fault.details["isHtml"] === true ? "site-html" : "site-unreadable") : "site-trouble";
  return { kind, site, fault: factOf(fault), since } as const satisfies NotPrintedCause;
}

function whyJob(job: Job, facts: PresentFacts): readonly NotPrintedCause[] {
  const { state, register, fault } = job;
  const own = facts.registers.find(({ settings }) => settings.id === register);
  const trouble = facts.isRunning && own !== undefined ? registerTrouble(own) : [];
  switch (state) {
    case "printed":
      return [];
    case "cancelled":
      return [{ kind: "cancelled", fault: fault ?? { code: "job.cancelled", message: "" } }];
    case "refused":
      return [whyRefused(job, facts)];
    case "failed":
      return [{ kind: "failed", fault: fault ?? { code: "internal", message: "" } }];
    case "held":
      return [{ kind: "held", fault: fault ?? { code: "internal", message: "" } }];
    case "unsure":
      if (isStillAsked(own)) return [{ kind: "settling", register, fault }, ...trouble];
      return [{ kind: "unsure", register, fault, reason: facts.doubtReason(job.id) }, ...trouble];
    case "printing":
      if (trouble.length > 0 || !facts.isRunning) return [...programTroubles(facts), ...trouble];
      return [fault === null ? { kind: "printing", register } : { kind: "tried-again", register, fault }];
    case "queued":
      return [whyQueued(job, own, facts)];
  }
}

/** Whether the register must still be read about the unsure job. After that a person decides. */
function isStillAsked(own: PresentRegister | undefined): boolean {
  return own !== undefined && ["offline", "connecting", "recovering"].includes(own.phase);
}

function whyRefused({ site, receipt, fault }: Job, facts: PresentFacts): NotPrintedCause {
  if (fault?.code === "register.unknown-kkm" && site !== null && receipt.kkm !== null)
    return { kind: "wrong-kkm", site, kkm: receipt.kkm, asked: askedOf(site, facts) };
  return { kind: "refused", fault: fault ?? { code: "internal", message: "" } };
}

function whyQueued(job: Job, own: PresentRegister | undefined, facts: PresentFacts): NotPrintedCause {
  const { id, register, fault, source } = job;
  const ofRegister = own === undefined ? [] : registerTrouble(own);
  // A paused register still does the operator's jobs and closings.
  const inTheWay = ofRegister.filter(({ kind }) => kind !== "register-paused" || source === "site");
  const [first] = [...programTroubles(facts), ...inTheWay];
  if (first !== undefined) return first;
  if (own === undefined) return { kind: "register-removed", register };
  if (own.jobInHand === id) return { kind: "printing", register };
  if (facts.closing.has(register)) return { kind: "shift-closing", register };
  if (own.phase === "stopped") return { kind: "register-stopped", register };
  if (!isWorking(own.phase)) return { kind: "register-starting", register };
  // A shift closing prints no order, so it waits for no reading.
  const awaited = source === "schedule" ? null : facts.awaited(register);
  if (awaited !== null) return waitsForReading(register, awaited, facts);
  if (fault !== null) return waitsForOther(job, own, fault, facts) ?? { kind: "tried-again", register, fault };
  const inHand = own.jobInHand === null ? 0 : 1;
  const before = facts.queue.filter((other) => other.register === register && other.id < id).length;
  return { kind: "waits-for-turn", register, ahead: before + inHand };
}

function waitsForReading(register: RegisterId, other: RegisterId, { registers }: PresentFacts): NotPrintedCause {
  const trouble = registers.filter(({ settings }) => settings.id === other).flatMap(registerTrouble)[0];
  return { kind: "waits-for-reading", register, other, trouble: trouble?.fault ?? null };
}

/**
 * Among several registers that might print the job, the one in trouble is named: the job went to none of the others.
 */
function waitsForOther(job: Job, own: PresentRegister, fault: FaultFact, facts: PresentFacts): NotPrintedCause | null {
  if (!lacksForReceipt.includes(fault.code)) return null;
  const mayTake = (to: PresentRegister) => to !== own && (findMoveObstacle({ job, from: own, to })?.unknown ?? true);
  const others = facts.registers
    .filter(mayTake)
    .map((other) => ({ id: other.settings.id, trouble: registerTrouble(other)[0]?.fault ?? null }));
  const other = others.find(({ trouble }) => trouble !== null) ?? others[0];
  if (other === undefined) return null;
  return { kind: "waits-for-other", register: own.settings.id, fault, other: other.id, trouble: other.trouble };
}

/** No order has arrived: the cause is the site's trouble, else those of the registers that it is polled for. */
function whyNotOffered(site: SiteFacts, facts: PresentFacts): readonly NotPrintedCause[] {
  const asked = askedOf(site.site, facts);
  const bound = facts.registers.filter(({ settings }) => settings.sites.includes(site.site));
  const behind = facts.isRunning ? bound.flatMap(registerTrouble) : [];
  return [pollTrouble(site, facts) ?? { kind: "not-offered", site: site.site, asked }, ...behind];
}

function pollTrouble(site: SiteFacts, facts: PresentFacts): NotPrintedCause | null {
  const asked = askedOf(site.site, facts);
  if (asked.every(({ kkm }) => kkm === null)) return { kind: "nobody-polls", site: site.site, asked };
  return siteTrouble(site);
}

/** The registers that the site is polled for: each from its first identification on (intake/poll-sites.ts). */
function askedOf(id: SiteId, { registers, sites }: PresentFacts): readonly AskedRegister[] {
  const polled = sites.find(({ site }) => site === id)?.polled;
  return registers
    .filter(({ settings }) => settings.sites.includes(id))
    .map(({ settings: { id: register }, identity }) => {
      const kkm = identity?.kkm ?? null;
      return { register, kkm, at: kkm === null ? null : (polled?.get(kkm) ?? null) };
    });
}

function programTroubles({ isRunning, storeFault }: PresentFacts): readonly NotPrintedCause[] {
  if (!isRunning) return [{ kind: "daemon-down" }];
  return storeFault === null ? [] : [{ kind: "store-trouble", fault: factOf(storeFault) }];
}

export function factOf({ code, message, details }: Pick<Fault, "code" | "message" | "details">): FaultFact {
  const { days } = details;
  return typeof days === "number" ? { code, message, days } : { code, message };
}
