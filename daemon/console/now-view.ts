/**
 * The first view of the operator's page: one light, and a card for each register and each site. The page only shows
 * what is decided here.
 */
import { type FaultText, faultCodes, isFaultCode } from "@fiscald/shared/fault-codes.js";
import { localTimeAt, secondsBetween } from "@fiscald/shared/local-time.js";
import { maskText } from "../logging/mask.js";
import { inEveryLanguage } from "../messages/messages.js";
import { isWorking } from "../registers/register-machine.js";
import type { RegisterSnapshot } from "../registers/register-snapshot.js";
import type { SiteHealth } from "../sites/site-health.js";
import type { Role } from "./access/roles.js";
import type { ConsoleParts } from "./console-parts.js";
import { isoTime } from "./views.js";
import type { SeenWarning } from "./warnings/early-warnings.js";
import type { SetRow } from "./warnings/state-rows.js";
import type { WarningKind } from "./warnings/warning-texts.js";
import { describeCause, faultText, withoutCommands } from "./why/describe-cause.js";
import { type NotPrintedCause, registerTrouble, siteTrouble } from "./why/why-not-printed.js";

/**
 * `green`: all is well; `yellow`: printing works, but a person should look at something; `red`: a person is needed now.
 */
export type Tone = "green" | "yellow" | "red" | "grey";

export interface NowView {
  /** ISO 8601, by this machine's clock. */
  readonly at: string;
  readonly light: { readonly tone: Tone; readonly text: FaultText };
  readonly troubles: readonly TroubleView[];
  readonly registers: readonly RegisterCard[];
  readonly sites: readonly SiteCard[];
}

/** What the page reads. `role` is the role of the person who has opened it. */
export interface PageNow extends NowView {
  readonly role: Role;
  /** Titles of the emulated registers. */
  readonly emulated: readonly string[];
}

/** A warning, the worst first. */
export interface TroubleView {
  readonly key: string;
  readonly tone: Tone;
  /** The register, site or order with the trouble; "" = the daemon. */
  readonly about: string;
  /** What is wrong and what to do. */
  readonly text: FaultText;
  readonly since: string;
  /** For something that happened in the last week: when it last happened. Null = a state that lasts. */
  readonly lastAt: string | null;
  /** The page of decisions has the trouble with its buttons. */
  readonly isDecision: boolean;
  /**
   * The trouble never ends by itself, and what it stops is not printed until then: a person is alerted without delay.
   */
  readonly isUrgent: boolean;
}

export interface RegisterCard {
  readonly id: string;
  readonly title: string;
  readonly model: string;
  readonly kkm: string;
  readonly tone: Tone;
  /** The register's state in words. */
  readonly state: FaultText;
  readonly trouble: CauseWords | null;
  readonly hasPrinter: boolean;
  /** Null: the register takes jobs. */
  readonly pausedSince: string | null;
  /** Order or label of the job that is being printed. */
  readonly printing: string | null;
  readonly waiting: number;
  /** Null until the register's state was read in this run; the figures are as old as `readAt` says. */
  readonly figures: RegisterFigures | null;
  /** How the register is set. */
  readonly howSet: readonly SetRow[];
}

export interface RegisterFigures {
  readonly readAt: string;
  /** False: the figures are from before the connection was lost. */
  readonly isPresent: boolean;
  readonly shift: {
    readonly number: number;
    readonly state: "open" | "closed" | "expired";
    readonly hours: number | null;
  };
  readonly paper: "present" | "low" | "out" | "unknown";
  /** Number of documents that wait for the OFD (fiscal data operator); null = not reported. */
  readonly unsent: number | null;
  readonly driveDaysLeft: number | null;
  /** Minutes by which the register's clock was ahead of this machine's when both were read; null = not reported. */
  readonly clockMinutes: number | null;
}

export interface CauseWords {
  readonly text: FaultText;
  readonly next: FaultText;
}

export interface SiteCard {
  readonly id: string;
  readonly tone: Tone;
  readonly trouble: CauseWords | null;
  /**
   * When the site last answered a poll, for the register whose last answer is the oldest; null = for one of them it has
   * not answered in this run.
   */
  readonly polledAt: string | null;
  readonly orderAt: string | null;
  /** Results and reports that the site has not accepted yet. */
  readonly undelivered: number;
}

/** Warnings that only a person can end. Until then something is not printed or not reported. */
const needPerson: readonly WarningKind[] = [
  "daemon-down",
  "store-trouble",
  "lock-gone",
  "job-unsure",
  "job-held",
  "same-kkm",
  "same-fn",
  "register-blocked",
  "register-offline",
  "receipt-altered",
  "register-paused",
  "job-failed",
  "site-unreachable",
  "event-refused",
];

/** Warnings that the page of decisions shows with its own words and buttons. */
const decisions = ["job-unsure", "job-held", "job-failed", "answer-rejected", "event-refused"] as const;

export function nowView(
  parts: Pick<ConsoleParts, "snapshots" | "howSet" | "siteHealth" | "warnings" | "jobs" | "outbox">,
  now: number,
): NowView {
  const snapshots = parts.snapshots();
  const troubles = troublesOf(parts);
  const sites = parts.siteHealth().map((health) => siteCard(health, parts, snapshots));
  return {
    at: isoTime(now),
    light: lightOf(troubles, sites),
    troubles,
    registers: snapshots.map((snapshot) => registerCard(snapshot, parts)),
    sites,
  };
}

function lightOf([worst]: readonly TroubleView[], sites: readonly SiteCard[]): NowView["light"] {
  if (worst?.tone === "red") return { tone: "red", text: inBoth((language) => withAbout(worst, language)) };
  // A single failed poll is no trouble so far. But no order can come, so not all is well.
  const silent = sites.find(({ trouble }) => trouble !== null)?.trouble ?? null;
  if (worst === undefined && silent !== null) return { tone: "yellow", text: silent.text };
  const tone = worst === undefined ? "green" : "yellow";
  return { tone, text: inEveryLanguage(({ page }) => (tone === "green" ? page.allPrinted : page.printsWithWarnings)) };
}

/**
 * The reasons why the top light is not green, the worst first; empty = it is green. Alerts are sent for the same list.
 */
export function troublesOf(parts: Pick<ConsoleParts, "snapshots" | "warnings">): readonly TroubleView[] {
  const titles = new Map(parts.snapshots().map(({ settings }) => [String(settings.id), settings.title]));
  const seen = parts.warnings().map((warning) => troubleView(warning, titles));
  return [...seen.filter(({ tone }) => tone === "red"), ...seen.filter(({ tone }) => tone !== "red")];
}

function withAbout({ about, text }: TroubleView, language: "en" | "ru"): string {
  return about === "" ? text[language] : `${about}: ${text[language]}`;
}

function troubleView(
  { key, kind, text, fields, since, lastAt }: SeenWarning,
  titles: ReadonlyMap<string, string>,
): TroubleView {
  const { register, site, order } = fields;
  const about = [titles.get(String(register)) ?? register, site, order]
    .filter((part) => typeof part === "string" && part !== "")
    .join(" · ");
  const tone = needPerson.includes(kind) ? "red" : "yellow";
  const isOfRegister = kind === "register-blocked" || kind === "register-offline" || kind === "register-paused";
  const ofRegister = isOfRegister ? ofCode(fields["code"], fields["days"]) : null;
  const decision = decisions.find((one) => one === kind);
  const shown =
    decision !== undefined
      ? inEveryLanguage(({ page }) => page.decisionTexts[decision])
      : ofRegister === null
        ? text
        : inBoth((language) => `${ofRegister.text[language]} ${ofRegister.next[language]}`);
  const isForeign = kind === "register-blocked" && fields["code"] === "register.foreign-identity";
  const isAltering = kind === "receipt-altered" || kind === "receipt-differs";
  const isDecision = decision !== undefined || kind === "job-refused" || isForeign || isAltering;
  const times = { since: isoTime(since), lastAt: lastAt === undefined ? null : isoTime(lastAt) };
  return { key, tone, about: maskText(about), text: shown, ...times, isDecision, isUrgent: kind === "job-held" };
}

/** The text without the register's name, because its card or the light names it. */
function ofCode(code: unknown, days: unknown): CauseWords | null {
  if (typeof code !== "string" || !isFaultCode(code)) return null;
  const text = faultText({ code, ...(typeof days === "number" ? { days } : {}) });
  return { text, next: withoutCommands(faultCodes[code].hint) };
}

function inBoth(words: (language: "en" | "ru") => string): FaultText {
  return { en: words("en"), ru: words("ru") };
}

function causeWords(cause: NotPrintedCause): CauseWords {
  const { text, next } = describeCause(cause, []);
  return { text, next };
}

function registerCard(
  snapshot: RegisterSnapshot,
  { jobs, howSet }: Pick<ConsoleParts, "jobs" | "howSet">,
): RegisterCard {
  const { settings, phase, identity, jobInHand, pausedSince } = snapshot;
  const [trouble] = registerTrouble(snapshot);
  const isWell = isWorking(phase);
  const job = jobInHand === null ? null : jobs.find(jobInHand);
  return {
    id: settings.id,
    title: settings.title ?? settings.id,
    model: identity?.model ?? "",
    kkm: identity?.kkm ?? settings.expectKkm ?? "",
    tone: trouble !== undefined ? "red" : isWell ? "green" : "grey",
    // `paused` is shown only when nothing else prevents printing.
    state: inEveryLanguage(({ phases }) => phases[trouble?.kind === "register-paused" ? "paused" : phase]),
    trouble: trouble === undefined ? null : ofCode(trouble.fault.code, trouble.fault.days),
    hasPrinter: snapshot.capabilities?.paper != null,
    pausedSince: pausedSince === null ? null : isoTime(pausedSince),
    printing: job === null ? null : (job.orderId ?? `#${job.id}`),
    waiting: jobs.waitingCount(settings.id),
    figures: figuresOf(snapshot),
    howSet: howSet(snapshot),
  };
}

function figuresOf({ state, stateAt, settings, isConnected }: RegisterSnapshot): RegisterFigures | null {
  if (state === null || stateAt === null) return null;
  const { shift, shiftOpenedAt, clock, paper, unsent, fnDaysLeft } = state;
  const openSeconds = shiftOpenedAt === null || clock === null ? null : secondsBetween(shiftOpenedAt, clock);
  const aheadSeconds = clock === null ? null : secondsBetween(localTimeAt(stateAt, settings.timeZone), clock);
  return {
    readAt: isoTime(stateAt),
    isPresent: isConnected,
    shift: { ...shift, hours: openSeconds === null ? null : Math.floor(openSeconds / 3600) },
    paper,
    unsent: unsent?.count ?? null,
    driveDaysLeft: fnDaysLeft,
    clockMinutes: aheadSeconds === null ? null : Math.round(aheadSeconds / 60),
  };
}

function siteCard(
  health: SiteHealth,
  { jobs, outbox }: Pick<ConsoleParts, "jobs" | "outbox">,
  snapshots: readonly RegisterSnapshot[],
): SiteCard {
  const trouble = siteTrouble(health);
  // Paused registers are left out: the site is not asked for their orders.
  const polled = snapshots.flatMap(({ settings, identity, pausedSince }) =>
    pausedSince === null && settings.sites.includes(health.site) && identity !== null
      ? (health.polled.get(identity.kkm) ?? [])
      : [],
  );
  const [newest] = jobs.list({ site: health.site, limit: 1 });
  const { pending, refused } = outbox.countUndelivered(health.site);
  return {
    id: health.site,
    tone: trouble !== null ? "red" : health.since === null ? "grey" : "green",
    trouble: trouble === null ? null : causeWords(trouble),
    polledAt: polled.length === 0 ? null : isoTime(Math.min(...polled)),
    orderAt: newest === undefined ? null : isoTime(newest.createdAt),
    undelivered: pending + refused,
  };
}
