/** One run of the checker: its calls, the orders that it was offered, and the checks that are done. */
import type { Clock } from "../clock.js";
import type { OrderCall, ResultBody, ResultOutcome } from "../exchange/calls.js";
import { playedResult } from "../exchange/played-result.js";
import { type Kkm, toOrderId } from "../ids.js";
import { localTimeAt } from "../local-time.js";
import { type CheckName, checkTitles, skips } from "./check-titles.js";
import type { BothLanguages, Finding } from "./findings.js";
import { type ReadOffer, type ReadPoll, readHeard, readPoll, receiptIdIn } from "./read-answers.js";
import { type Called, type CallToSend, maskSiteSecrets, type SecretSent, SiteCaller } from "./site-caller.js";
import type { Check, OfferedOrder } from "./site-report.js";
import { exampleInn, type PlayedRegister, type SiteToCheck, type TestOrder } from "./site-to-check.js";

export interface CheckSiteOptions {
  readonly site: SiteToCheck;
  readonly register: PlayedRegister;
  readonly order: TestOrder;
  readonly clock: Clock;
  readonly newId: () => string;
  /** Interrupts the check; orders that were offered are still reported as failed. */
  readonly signal: AbortSignal;
}

/** The id is constant: a site that keeps orders for one daemon gives a run the orders of an interrupted run. */
const DAEMON_ID = "fiscald-check-site";
/** A second daemon, which asks for an order that the first daemon has. */
export const OTHER_DAEMON_ID = "fiscald-check-site-2";

const resultInfos = {
  printed: "",
  failed: "Проверка сайта: чек не печатался. Отдайте заказ ещё раз.",
  unknown: "Проверка сайта: напечатан ли чек, неизвестно. Не отдавайте заказ, ждите второго результата.",
} as const satisfies Record<ResultOutcome, string>;

export interface PolledSite {
  readonly called: Called;
  readonly read: ReadPoll;
}

/** `isOpen`: the order waits for its result. */
interface Held {
  offer: ReadOffer;
  receiptId: string | null;
  reportedAs: OfferedOrder["reportedAs"];
  taken: boolean;
  isOpen: boolean;
}

export interface Report {
  readonly body: ResultBody;
  readonly id: string;
  readonly called: Called;
}

export class CheckRun {
  readonly caller: SiteCaller;
  readonly checks: Check[] = [];
  /** Why no further check makes sense; null = the checks go on. */
  stopped: BothLanguages | null = null;
  /** Whether each poll with the right secret, in the encoding that the site understands best, got an empty body. */
  isSilent = true;
  private readonly held = new Map<string | null, Held>();
  private readonly runId: string;

  constructor(readonly options: CheckSiteOptions) {
    this.caller = new SiteCaller(options);
    this.runId = options.newId();
  }

  async check(name: CheckName, work: () => Promise<readonly Finding[] | BothLanguages>): Promise<void> {
    const from = this.caller.exchanges.length;
    const left = this.options.signal.aborted ? skips.givenUp : this.stopped;
    const came = left ?? (await work());
    const end = this.options.signal.aborted ? skips.givenUp : came;
    const [findings, skipped] = isList(end) ? [end.map((found) => this.masked(found)), null] : [[], end];
    const worst = findings.find(({ level }) => level === "wrong") ?? findings[0];
    const state = skipped !== null ? "skipped" : (worst?.level ?? "right");
    const exchanges = this.caller.exchanges.slice(from).map((_, index) => from + index);
    this.checks.push({ name, title: checkTitles[name], state, skipped, findings, exchanges });
  }

  /** A site may repeat the secrets that it was sent. */
  private masked(found: Finding): Finding {
    const { en, ru } = found.what;
    const { site } = this.options;
    return { ...found, what: { en: maskSiteSecrets(en, site), ru: maskSiteSecrets(ru, site) } };
  }

  send(call: CallToSend): Promise<Called> {
    return this.caller.send(call, this.options.signal);
  }

  async poll(
    how: { readonly kkm?: Kkm; readonly daemon?: string; readonly secret?: SecretSent } = {},
  ): Promise<PolledSite> {
    const { site, register, order, clock } = this.options;
    const { kkm = register.kkm, daemon = DAEMON_ID, secret = "right" } = how;
    const signed = site.auth.kind === "signature" ? { daemon, run: this.runId } : {};
    const body: OrderCall = { action: "order", kkm, ...signed };
    const headers = { "Fiscald-Daemon": daemon };
    const called = await this.send({ to: "orders", body, headers, secret });
    const today = new Date(clock.now()).toISOString().slice(0, 10);
    if (secret === "right" && !isSilent(called)) this.isSilent = false;
    const read = readPoll(called, { site, register, order, polledFor: kkm, today });
    if (read.offer !== null) this.hold(read.offer, receiptIdIn(called.answer?.text ?? ""));
    return { called, read };
  }

  async report(orderId: string, outcome: ResultOutcome, again?: Report): Promise<Report> {
    const body = again?.body ?? this.resultOf(orderId, outcome);
    const id = again?.id ?? this.options.newId();
    return { body, id, called: await this.send({ to: "result", body, id }) };
  }

  noteReported(orderId: string, reportedAs: "failed" | "printed", taken: boolean): void {
    const held = this.held.get(orderId);
    if (held !== undefined) Object.assign(held, { reportedAs, taken, isOpen: false });
  }

  offers(): readonly ReadOffer[] {
    return [...this.held.values()].map(({ offer }) => offer);
  }

  openOrders(): readonly string[] {
    return [...this.held].flatMap(([orderId, { isOpen }]) => (isOpen && orderId !== null ? [orderId] : []));
  }

  orders(): readonly OfferedOrder[] {
    return [...this.held].map(([orderId, { reportedAs, taken }]) => ({ orderId, reportedAs, taken }));
  }

  /** Reports each open order as failed, also after the check was interrupted. */
  async giveBack(): Promise<void> {
    const { signal } = new AbortController();
    for (const orderId of this.openOrders()) {
      const body = this.resultOf(orderId, "failed");
      const called = await this.caller.send({ to: "result", body }, signal);
      this.noteReported(orderId, "failed", readHeard(called).length === 0);
    }
  }

  /** The first offer counts: a later offer may contain what the site learnt from our calls. */
  private hold(offer: ReadOffer, receiptId: string | null): void {
    const held = this.held.get(offer.orderId);
    const fresh = { offer, receiptId, reportedAs: null, taken: false, isOpen: true };
    if (held === undefined) this.held.set(offer.orderId, fresh);
    else if (held.reportedAs === "failed") held.isOpen = true;
  }

  private resultOf(orderId: string, outcome: ResultOutcome): ResultBody {
    const { site, register, clock } = this.options;
    const { kkm, inn, fn } = register;
    const now = clock.now();
    const { offer, receiptId = null } = this.held.get(orderId) ?? {};
    const result = playedResult({
      ...{ action: site.resultAction, kkm, inn: inn ?? exampleInn, fn, orderId: toOrderId(orderId), outcome },
      ...{ receipt: offer?.receipt ?? null, resultInfo: resultInfos[outcome] },
      ...{ fd: Math.floor(now / 1000), time: localTimeAt(now, "Europe/Moscow") },
    });
    const named = receiptId === null ? result : { receiptId, ...result };
    return site.resultExtras ? { ...named, emulated: true } : withoutExtras(result);
  }
}

export function isSilent({ answer }: Called): boolean {
  return answer !== null && answer.text.trim() === "";
}

function withoutExtras({ action, kkm, inn, fn, resultCode, resultInfo, shiftNumber, OFDLink, orderId }: ResultBody) {
  return { action, kkm, inn, fn, resultCode, resultInfo, shiftNumber, OFDLink, orderId };
}

function isList(end: readonly Finding[] | BothLanguages): end is readonly Finding[] {
  return Array.isArray(end);
}
