/**
 * The first view of the operator's page: one light, and a card for each register and each site. The page only shows
 * what is decided here.
 */
import type { FaultText } from "@fiscald/shared/fault-codes.js";
import { localTimeAt, secondsBetween } from "@fiscald/shared/local-time.js";
import { inEveryLanguage } from "../messages/messages.js";
import { isWorking } from "../registers/register-machine.js";
import type { RegisterSnapshot } from "../registers/register-snapshot.js";
import type { SiteHealth } from "../sites/site-health.js";
import type { Role } from "./access/roles.js";
import type { ConsoleParts } from "./console-parts.js";
import type { SetRow } from "./how-set/state-rows.js";
import { countDecisions } from "./troubles/decisions.js";
import { type Found, joinAlike, sentenceOf, titlesOf, toTrouble, withoutCommands } from "./troubles/found.js";
import { type Trouble, type TroubleKind, toneOf } from "./troubles/trouble.js";
import { isoTime } from "./views.js";

/**
 * `green`: all is well; `yellow`: it will not be printed at a time that is said, or a look helps; `red`: something is not
 * printed now, or a person must decide. `grey`: nothing is known so far.
 */
export type Tone = "green" | "yellow" | "red" | "grey";

export interface NowView {
  /** ISO 8601, by this machine's clock. */
  readonly at: string;
  readonly light: { readonly tone: Tone; readonly text: FaultText };
  /** The worst first, without those that need nobody. */
  readonly troubles: readonly Trouble[];
  /** How many things the page of decisions asks about. */
  readonly decisions: number;
  readonly registers: readonly RegisterCard[];
  readonly sites: readonly SiteCard[];
}

/** What the page reads. `role` is the role of the person who has opened it. */
export interface PageNow extends NowView {
  readonly role: Role;
  /** Titles of the emulated registers. */
  readonly emulated: readonly string[];
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

type NowParts = Pick<ConsoleParts, "snapshots" | "howSet" | "siteHealth" | "troubles" | "jobs" | "outbox">;

export function nowView(parts: NowParts, now: number): NowView {
  const snapshots = parts.snapshots();
  const found = parts.troubles();
  const titles = titlesOf(snapshots);
  const troubles = joinAlike(found)
    .filter(({ needs }) => needs !== "nobody")
    .map((trouble) => onPage(toTrouble(trouble, titles, now)));
  return {
    at: isoTime(now),
    light: lightOf(troubles[0]),
    troubles,
    decisions: countDecisions(found),
    registers: snapshots.map((snapshot) => registerCard(snapshot, found, parts, now)),
    sites: parts.siteHealth().map((health) => siteCard(health, found, parts, now)),
  };
}

function onPage(trouble: Trouble): Trouble {
  return { ...trouble, next: withoutCommands(trouble.next) };
}

function lightOf(worst: Trouble | undefined): NowView["light"] {
  if (worst === undefined) return { tone: "green", text: inEveryLanguage(({ page }) => page.allPrinted) };
  const tone = toneOf[worst.needs];
  if (tone !== "red") return { tone, text: inEveryLanguage(({ page }) => page.printsWithWarnings) };
  return { tone, text: inEveryLanguage((_, language) => sentenceOf(worst, language)) };
}

/** The words of a card leave the name out, because the card has it. */
function causeOf(worst: Found | undefined, now: number): CauseWords | null {
  if (worst === undefined || worst.needs === "nobody") return null;
  const { text, next } = onPage(toTrouble({ ...worst, orders: [] }, new Map(), now));
  return { text, next };
}

const ofDevice: readonly TroubleKind[] = [
  ...(["register-blocked", "register-offline", "register-paused", "same-kkm", "same-fn", "clock-ahead"] as const),
  ...(["receipt-altered", "printing-long", "shift-expired", "setting-wrong", "receipt-differs"] as const),
  ...([
    "receipt-not-compared",
    "back-after-outage",
    "drive-flag",
    "drive-days",
    "drive-documents",
    "ofd-queue",
    "paper-low",
  ] as const),
];
const ofSite: readonly TroubleKind[] = [
  ...(["site-unreachable", "site-refuses-us", "site-not-found", "site-error", "site-html"] as const),
  ...(["site-unreadable", "nobody-polls"] as const),
];

function registerCard(
  snapshot: RegisterSnapshot,
  found: readonly Found[],
  { jobs, howSet }: Pick<ConsoleParts, "jobs" | "howSet">,
  now: number,
): RegisterCard {
  const { settings, phase, identity, jobInHand, pausedSince } = snapshot;
  const own = found.filter(({ registers }) => registers.includes(settings.id));
  // What became of single orders is no state of the register.
  const worst = own.find(({ kind }) => ofDevice.includes(kind));
  const job = jobInHand === null ? null : jobs.find(jobInHand);
  return {
    id: settings.id,
    title: settings.title,
    model: identity?.model ?? "",
    kkm: identity?.kkm ?? settings.expectKkm ?? "",
    tone: worst !== undefined ? toneOf[worst.needs] : isWorking(phase) ? "green" : "grey",
    // `paused` is shown only when nothing else prevents printing.
    state: inEveryLanguage(({ phases }) => phases[worst?.kind === "register-paused" ? "paused" : phase]),
    trouble: causeOf(worst, now),
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
  found: readonly Found[],
  { jobs, outbox, snapshots }: Pick<ConsoleParts, "jobs" | "outbox" | "snapshots">,
  now: number,
): SiteCard {
  const worst = found.find(({ site, kind }) => site === health.site && ofSite.includes(kind));
  // Paused registers are left out: the site is not asked for their orders.
  const polled = snapshots().flatMap(({ settings, identity, pausedSince }) =>
    pausedSince === null && settings.sites.includes(health.site) && identity !== null
      ? (health.polled.get(identity.kkm) ?? [])
      : [],
  );
  const [newest] = jobs.list({ site: health.site, limit: 1 });
  const { pending, refused } = outbox.countUndelivered(health.site);
  return {
    id: health.site,
    tone: worst !== undefined ? toneOf[worst.needs] : health.since === null ? "grey" : "green",
    trouble: causeOf(worst, now),
    polledAt: polled.length === 0 ? null : isoTime(Math.min(...polled)),
    orderAt: newest === undefined ? null : isoTime(newest.createdAt),
    undelivered: pending + refused,
  };
}
