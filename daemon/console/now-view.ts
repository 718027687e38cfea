/** The first view of the operator's page. The page only shows what is decided here. */
import type { FaultText } from "@fiscald/shared/fault-codes.js";
import { localTimeAt, secondsBetween } from "@fiscald/shared/local-time.js";
import { inEveryLanguage } from "../messages/messages.js";
import { isWorking } from "../registers/register-machine.js";
import type { RegisterSnapshot } from "../registers/register-snapshot.js";
import type { SiteHealth } from "../sites/site-health.js";
import type { Role } from "./access/roles.js";
import type { ConsoleParts } from "./console-parts.js";
import { countDecisions } from "./troubles/decisions.js";
import { type Found, joinAlike, sentenceOf, titlesOf, toTrouble, withoutCommands } from "./troubles/found.js";
import { type Trouble, toneOf, troubleKinds } from "./troubles/trouble.js";
import { isoTime } from "./views.js";

/**
 * `green`: all is well. `yellow`: printing will stop at a known time, or a person should look. `red`: something is not
 * printed now, or a person must decide. `grey`: nothing is known yet.
 */
export type Tone = "green" | "yellow" | "red" | "grey";

export type NowView = ReturnType<typeof nowView>;

export type PageNow = NowView & { readonly role: Role; readonly emulated: readonly string[] };

export type RegisterCard = ReturnType<typeof registerCard>;
export type RegisterFigures = NonNullable<RegisterCard["figures"]>;
export type SiteCard = ReturnType<typeof siteCard>;

type NowParts = Pick<ConsoleParts, "snapshots" | "howSet" | "siteHealth" | "troubles" | "jobs" | "outbox">;

export function nowView(parts: NowParts, now: number) {
  const snapshots = parts.snapshots();
  const found = parts.troubles();
  const titles = titlesOf(snapshots);
  const troubles = joinAlike(found)
    .filter(({ needs }) => needs !== "nobody")
    .map((trouble) => onPage(toTrouble(trouble, titles, now)));
  return {
    at: isoTime(now),
    light: lightOf(troubles[0]),
    /** The worst trouble comes first. A trouble that needs no person is left out. */
    troubles,
    decisions: countDecisions(found),
    registers: snapshots.map((snapshot) => registerCard(snapshot, found, parts, now)),
    sites: parts.siteHealth().map((health) => siteCard(health, found, parts, now)),
  };
}

function onPage(trouble: Trouble): Trouble {
  return { ...trouble, next: withoutCommands(trouble.next) };
}

function lightOf(worst: Trouble | undefined): { readonly tone: Tone; readonly text: FaultText } {
  if (worst === undefined) return { tone: "green", text: inEveryLanguage(({ page }) => page.allPrinted) };
  const tone = toneOf[worst.needs];
  if (tone !== "red") return { tone, text: inEveryLanguage(({ page }) => page.printsWithWarnings) };
  return { tone, text: inEveryLanguage((_, language) => sentenceOf(worst, language)) };
}

function toneFor(worst: Found | undefined, otherwise: Tone): Tone {
  return worst === undefined ? otherwise : toneOf[worst.needs];
}

/** The first view shows these troubles in no other list. Each card counts its own waiting orders beside the sentence. */
function causesOf(own: readonly Found[], now: number): readonly Trouble[] {
  const causes = own.filter(({ needs }) => needs !== "nobody").map((trouble) => ({ ...trouble, orders: [] }));
  return causes.map((trouble) => onPage(toTrouble(trouble, new Map(), now)));
}

const ORDERS_SEARCHED = 20;

function registerCard(
  snapshot: RegisterSnapshot,
  found: readonly Found[],
  { jobs, howSet }: Pick<ConsoleParts, "jobs" | "howSet">,
  now: number,
) {
  const { settings, phase, identity, jobInHand, pausedSince } = snapshot;
  // The outcome of a single order is no state of the register.
  const own = found.filter(
    ({ registers, kind }) => registers.includes(settings.id) && ["register", "receipt"].includes(troubleKinds[kind]),
  );
  const [worst] = own;
  const isReadyInTrouble = phase === "ready" && worst?.needs === "person";
  const shownPhase = isReadyInTrouble ? "readyInTrouble" : phase;
  const job = jobInHand === null ? null : jobs.find(jobInHand);
  return {
    id: settings.id,
    title: settings.title,
    model: identity?.model ?? "",
    kkm: identity?.kkm ?? settings.expectKkm ?? "",
    tone: toneFor(worst, isWorking(phase) ? "green" : "grey"),
    // `paused` is shown only when nothing else prevents printing.
    state: inEveryLanguage(({ phases }) => phases[worst?.kind === "register-paused" ? "paused" : shownPhase]),
    /** The worst trouble comes first. */
    troubles: causesOf(own, now),
    hasPrinter: snapshot.capabilities?.paper != null,
    /** Null: the register takes jobs. */
    pausedSince: pausedSince === null ? null : isoTime(pausedSince),
    /** The order that is being printed, or `#` and the number of a job without an order. */
    printing: job === null ? null : (job.orderId ?? `#${job.id}`),
    waiting: jobs.waitingCount(settings.id),
    /** Null: the register's state was not read in this run. The figures are as old as `readAt` says. */
    figures: figuresOf(snapshot),
    howSet: howSet(snapshot),
  };
}

function figuresOf({ state, stateAt, settings, isConnected }: RegisterSnapshot) {
  if (state === null || stateAt === null) return null;
  const { shift, shiftOpenedAt, clock, paper, unsent, fnDaysLeft } = state;
  const openSeconds = shiftOpenedAt === null || clock === null ? null : secondsBetween(shiftOpenedAt, clock);
  const aheadSeconds = clock === null ? null : secondsBetween(localTimeAt(stateAt, settings.timeZone), clock);
  return {
    readAt: isoTime(stateAt),
    /** False: the connection was lost after the figures were read. */
    isPresent: isConnected,
    shift: { ...shift, hours: openSeconds === null ? null : Math.floor(openSeconds / 3600) },
    paper,
    /** Documents that wait for the OFD; null: not reported. */
    unsent: unsent?.count ?? null,
    driveDaysLeft: fnDaysLeft,
    /** Minutes by which the register's clock was ahead of this machine's when both were read; null: not reported. */
    clockMinutes: aheadSeconds === null ? null : Math.round(aheadSeconds / 60),
  };
}

function siteCard(
  health: SiteHealth,
  found: readonly Found[],
  { jobs, outbox, snapshots }: Pick<ConsoleParts, "jobs" | "outbox" | "snapshots">,
  now: number,
) {
  const own = found.filter(({ site, kind }) => site === health.site && troubleKinds[kind] === "site");
  // Paused registers are left out, because the site is not polled for them.
  const polled = snapshots().flatMap(({ settings, identity, pausedSince }) =>
    pausedSince === null && settings.sites.includes(health.site) && identity !== null
      ? (health.polled.get(identity.kkm) ?? [])
      : [],
  );
  // A person's return belongs to the site too, but the site did not order it.
  const newest = jobs.list({ site: health.site, limit: ORDERS_SEARCHED }).find(({ source }) => source === "site");
  const { pending, refused } = outbox.countUndelivered(health.site);
  return {
    id: health.site,
    tone: toneFor(own[0], health.since === null ? "grey" : "green"),
    troubles: causesOf(own, now),
    /** The oldest of the site's last answers for its registers in this run; null: the site gave none. */
    polledAt: polled.length === 0 ? null : isoTime(Math.min(...polled)),
    orderAt: newest === undefined ? null : isoTime(newest.createdAt),
    undelivered: pending + refused,
  };
}
