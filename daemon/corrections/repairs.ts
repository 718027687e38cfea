/**
 * Puts a wrong or a missed receipt right, only as a person has decided. The documents are first shown, then queued as
 * ordinary jobs in one transaction. The second document of a pair (the right receipt, after the return of the wrong
 * one) is held until the first is printed and a person approves the second.
 */
import { type Kopecks, kopecks, sumKopecks } from "@fiscald/shared/amounts.js";
import type { Clock } from "@fiscald/shared/clock.js";
import { throwIfAny } from "@fiscald/shared/exchange/order-problem.js";
import { Fault, isFault, saidBy, toFault } from "@fiscald/shared/fault.js";
import { fixOrder } from "@fiscald/shared/fault-codes/fault-row.js";
import { type RegisterId, type SiteId, toReceiptId } from "@fiscald/shared/ids.js";
import { checkReceipt, defaultRules } from "@fiscald/shared/receipt/check-receipt.js";
import { orderKey, orderMarkOf } from "@fiscald/shared/receipt/order-key.js";
import { itemsOf, type SaleReceipt, totalOf } from "@fiscald/shared/receipt/receipt.js";
import { isReturn, isSale, returnedBy, soldBy } from "@fiscald/shared/receipt/repeats/order-money.js";
import { fixedSign, plainSign } from "@fiscald/shared/receipt/repeats/repeat-decision.js";
import { meaningOfTaxes } from "@fiscald/shared/receipt/tax-meaning.js";
import { refusalTexts } from "@fiscald/shared/receipt/texts/refusal-texts.js";
import { sumText } from "@fiscald/shared/texts.js";
import { returnsAfter } from "../intake/operator-return.js";
import { positionsLeft } from "../intake/return-receipt.js";
import { correctionReasons } from "../messages/reasons/correction-reasons.js";
import { inState } from "../messages/reasons/job-states.js";
import { operatorReasons } from "../messages/reasons/operator-reasons.js";
import { orderReasons } from "../messages/reasons/order-reasons.js";
import type { RegisterFleet } from "../registers/actor/register-fleet.js";
import { correctionOf } from "../registers/operator/as-correction.js";
import { requireUnprinted } from "../registers/operator/may-be-printed.js";
import type { OperatorActions } from "../registers/operator/operator-actions.js";
import { placeOfRefused } from "../registers/operator/refused-order.js";
import { compileJob } from "../registers/printing/compile-job.js";
import { findMoveObstacle } from "../registers/printing/move-obstacle.js";
import type { Stores } from "../registers/register-context.js";
import { type RegisterSnapshot, todayOf } from "../registers/register-snapshot.js";
import { registeredRates } from "../sites/registered-rates.js";
import { isLive, type Job } from "../store/job.js";
import type { NewJob } from "../store/job-store.js";
import { REPAIR, repairOf, SET_ASIDE } from "../store/journal.js";
import { missedReceipt, type RepairBase, repairReceipts } from "./repair-receipts.js";
import type { RepairRequest } from "./repair-request.js";
import { type RepairCase, requireRepairable, whatTheLawWants } from "./what-the-law-wants.js";

export interface RepairsOptions {
  readonly stores: Pick<Stores, "jobs" | "journal">;
  readonly fleet: Pick<RegisterFleet, "get" | "snapshots">;
  readonly actions: Pick<OperatorActions, "approve">;
  /** The issuer part of the order mark; null = the config has no such site. */
  issuerOf(site: SiteId): string | null;
  /** Whether the site gets results of receipts that a person has ordered. */
  isTold(site: SiteId): boolean;
  readonly newId: () => string;
  readonly clock: Clock;
}

export interface PlannedDocument {
  readonly receipt: SaleReceipt;
  readonly job: NewJob;
}

export interface RepairPlan {
  readonly register: RegisterSnapshot;
  readonly documents: readonly PlannedDocument[];
  /** The day of the receipt as `30.11.2026`; null unless the settlement is said to be of an earlier day. */
  readonly laterReceipt: string | null;
}

type Tried = Pick<NewJob, "receipt" | "site" | "mark" | "forced" | "taxes">;

interface Subject {
  readonly job: Job | null;
  readonly base: RepairBase;
  readonly register: RegisterId;
  readonly site: SiteId | null;
  /** The issuer part of the order mark; null = the receipts get no order mark. */
  readonly issuer: string | null;
}

/** Empty: the job cannot be put right here. */
export function casesOf({
  receipt,
  state,
  document,
}: Pick<Job, "receipt" | "state" | "document">): readonly RepairCase[] {
  if (receipt.kind !== "receipt" || receipt.operation !== "sale") return [];
  if (state === "printed" && document !== null) {
    return receipt.correction === undefined ? ["wrong", "twice", "test"] : ["wrong"];
  }
  return !isLive({ state }) && receipt.correction === undefined ? ["missed"] : [];
}

export class Repairs {
  constructor(private readonly options: RepairsOptions) {}

  /** Plans the documents that the law wants on this register, each compiled by its driver. Changes nothing. */
  plan(request: RepairRequest): Promise<RepairPlan> {
    return this.planned(request).catch(blameRequest);
  }

  private async planned(request: RepairRequest): Promise<RepairPlan> {
    const subject = this.subjectOf(request);
    const { base } = subject;
    const register = this.options.fleet.snapshots().find(({ settings }) => settings.id === subject.register);
    if (register === undefined) {
      throw new Fault("register.no-register", { message: orderReasons.noRegister({ id: subject.register }) });
    }
    const { identity, tables, settings } = register;
    if (identity === null || tables === null) {
      throw new Fault("register.offline", { message: correctionReasons.neverIdentified({ register: settings.id }) });
    }
    const wanted = whatTheLawWants(request.case, identity.ffd);
    requireRepairable(base.receipt, request.case, identity.ffd);
    this.requirePast(request, register);
    const receipts = repairReceipts(request, wanted, base);
    const rules = { ...defaultRules, requireContactForInternet: request.case === "missed" };
    for (const receipt of receipts) throwIfAny(checkReceipt(receipt, rules));
    this.requireLeft(subject, request);
    const documents = receipts.map((receipt) => ({
      receipt,
      job: this.newJob(receipt, request.case, subject, register),
    }));
    await this.tryOut(
      settings.id,
      documents.map(({ job }) => job),
    );
    return { register, documents, laterReceipt: laterReceipt(subject, request) };
  }

  /** Returns the first job, which is queued. Throws what `plan` and `approve` throw, and then changes nothing. */
  async carryOut(request: RepairRequest, reason: string): Promise<Job> {
    const { documents } = await this.plan(request);
    const { stores, actions, clock } = this.options;
    const { jobs, journal } = stores;
    return jobs.transaction(() => {
      // The order may have changed while the register was asked.
      const subject = this.subjectOf(request);
      this.requireLeft(subject, request);
      const { job: about } = subject;
      const made = documents.map(({ job }, index) => {
        const inserted = jobs.insertJob(job);
        // The first document is approved before the second is queued, which would count among the order's sales.
        return index === 0 ? actions.approve(inserted.id, reason) : inserted;
      });
      const at = clock.now();
      const [first] = made;
      const details = { reason, case: request.case, of: about?.id ?? null, jobs: made.map(({ id }) => id) };
      for (const job of [...(about === null ? [] : [about]), ...made]) {
        const { id, register, site } = job;
        journal.add({ at, actor: "operator", what: REPAIR, job: id, register, site, details });
      }
      if (about !== null && (about.state === "failed" || about.state === "refused")) {
        const { id, register, site } = about;
        journal.add({ at, actor: "operator", what: SET_ASIDE, job: id, register, site, details: { reason } });
      }
      if (first === undefined) throw new Fault("internal", { message: "a repair without a document" });
      return first;
    });
  }

  /** Compiles the correction that replaces an order, so that nothing is queued that its register cannot print. */
  async tryCorrection(id: number, date: string | null): Promise<void> {
    const { stores, fleet, clock } = this.options;
    const job = stores.jobs.get(id);
    const snapshots = fleet.snapshots();
    const receipt = correctionOf(job, date, { snapshots, now: clock.now() });
    const place = (job.state === "refused" ? placeOfRefused(job, snapshots, stores) : null) ?? job;
    await this.tryOut(place.register, [{ ...job, receipt, taxes: place }]).catch((error: unknown) => {
      if (!isFault(error) || error.code !== "order.wrong-value") throw error;
      throw new Fault("receipt.no-correction", { message: correctionReasons.asMissed({ said: saidBy(error) }) });
    });
  }

  /** Compiles a site's correction before its approval. What another register or time may mend is approved as ever. */
  async tryApproved(id: number): Promise<void> {
    const job = this.options.stores.jobs.get(id);
    const snapshots = this.options.fleet.snapshots();
    const from = snapshots.find(({ settings }) => settings.id === job.register);
    if (job.fault?.code !== "job.held-correction" || from === undefined) return;
    if (snapshots.some((to) => to !== from && findMoveObstacle({ job, from, to })?.unknown !== false)) return;
    await this.tryOut(from.settings.id, [{ ...job, taxes: job }]).catch((error: unknown) => {
      if (toFault(error, "internal").retry === "never") throw error;
    });
  }

  /** Compiles the receipts and prints nothing, to know before the first of a pair that the second can be printed. */
  private tryOut(register: RegisterId, jobs: readonly Tried[]): Promise<void> {
    return this.options.fleet.get(register).perform(async (tools) => {
      const state = await tools.context.driver.readState(tools.signal);
      for (const { receipt, site, mark = null, forced, taxes } of jobs) {
        const { taxes: meanings = [], taxpayer = null } = taxes ?? {};
        const job = { kind: receipt.kind, receipt, site, mark, forced, taxes: meanings, taxpayer, doneParts: 0 };
        await compileJob(tools, job, state);
      }
    });
  }

  private subjectOf({ case: what, job: id, missed }: RepairRequest): Subject {
    if (id === null) {
      if (missed === null || (what !== "missed" && what !== "twice")) {
        throw new Fault("usage.wrong", { message: correctionReasons.nameWhat });
      }
      if (what === "twice") return this.elsewhere(missed);
      const { register, site } = missed;
      const issuer = site === null ? null : this.options.issuerOf(site);
      const ofOrder = this.options.stores.jobs.list({
        ...{ orderId: missed.order, limit: 1000 },
        ...(site === null ? {} : { site }),
      });
      for (const one of ofOrder) requireUnprinted(one, this.options);
      // The rules of repeated orders look at one site. If no site is named, the order may belong to any site.
      if (site === null) {
        this.requireFirst(
          ofOrder.filter((job) => isSale(job.receipt)),
          operatorReasons.sameOrder,
        );
      }
      return {
        job: null,
        base: { receipt: missedReceipt(missed), taxes: [], registered: null, fiscalSign: null },
        register,
        site,
        issuer,
      };
    }
    const job = this.options.stores.jobs.get(id);
    const { receipt, state, taxes, document, register, site, mark } = job;
    const isRight = what === "missed" ? !isLive({ state }) : state === "printed" && document !== null;
    if (receipt.kind !== "receipt" || !isRight) {
      const message = (what === "missed" ? correctionReasons.mayBePrinted : correctionReasons.notPrinted)({
        job: id,
        state: inState(state),
      });
      throw new Fault("job.wrong-state", { message });
    }
    if (what === "missed") requireUnprinted(job, this.options);
    const { of = null, jobs: former = [] } = repairOf(this.options.stores.journal, job) ?? {};
    if (of === id) {
      const jobs = former.map((one) => this.options.stores.jobs.get(one));
      this.requireFirst(jobs, correctionReasons.putRight);
    }
    const issuer = mark?.issuer ?? (site === null ? null : this.options.issuerOf(site));
    const registered = registeredRates(job, this.options.stores.journal);
    const base = { receipt, taxes, registered, fiscalSign: document?.fiscalSign ?? null };
    return { job, base, register, site, issuer };
  }

  /** Another program's receipt belongs to no site, so the order's own receipts and returns count without it. */
  private elsewhere(missed: NonNullable<RepairRequest["missed"]>): Subject {
    const { register, order, sign } = missed;
    if (sign === null) throw new Fault("usage.wrong", { message: correctionReasons.signNeeded });
    const { jobs } = this.options.stores;
    // The newest jobs are searched as well, because the person may have mistyped the receipt's order number.
    const known = [...jobs.list({ orderId: order, limit: 1000 }), ...jobs.list({ limit: 1000 })];
    const own = known.find(({ document }) => plainSign(document?.fiscalSign) === plainSign(sign));
    if (own !== undefined) throw new Fault("usage.wrong", { message: correctionReasons.ownReceipt({ job: own.id }) });
    this.requireFirst(
      known.filter(({ receipt }) => isReturn(receipt) && fixedSign(receipt) === plainSign(sign)),
      correctionReasons.putRight,
    );
    const base = { receipt: missedReceipt(missed), taxes: [], registered: null, fiscalSign: sign };
    return { job: null, base, register, site: null, issuer: null };
  }

  /** Throws when a second browser or another person has put the settlement right before. */
  private requireFirst(former: readonly Job[], reason: typeof correctionReasons.putRight): void {
    const live = former.find(isLive);
    if (live === undefined) return;
    const code = live.state === "printed" ? "job.wrong-state" : "job.being-printed";
    throw new Fault(code, { message: reason({ job: live.id, state: inState(live.state) }) });
  }

  private requirePast({ date }: RepairRequest, register: RegisterSnapshot): void {
    if (date !== null && date > todayOf(register, this.options.clock.now()))
      throw new Fault("usage.wrong", { message: refusalTexts.dayAhead(date) });
  }

  /** Throws when a part of the receipt was returned since: a person must compute what is left of the receipt. */
  private requireLeft({ job, base, site }: Subject, request: RepairRequest): void {
    if (request.case === "missed" || job === null) return;
    const live = this.options.stores.jobs
      .findByOrder(site, base.receipt.orderId)
      .filter(isLive)
      .map(({ receipt }) => receipt);
    const lines = positionsLeft(
      base.receipt,
      returnsAfter({ id: job.id, site, receipt: base.receipt }, this.options.stores),
    );
    const left = Math.min(soldBy(live) - returnedBy(live), sumKopecks(lines.map((line) => line.total)));
    const total = totalOf(base.receipt);
    if (total <= left + itemsOf(base.receipt).length) return;
    const message = correctionReasons.returnedSince({ left: sumText(atLeastNone(left)), wanted: sumText(total) });
    throw new Fault("job.return-exceeds-sale", { message });
  }

  private newJob(
    made: SaleReceipt,
    what: RepairCase,
    { site, issuer, register }: Subject,
    snapshot: RegisterSnapshot,
  ): NewJob {
    const { identity, tables, settings } = snapshot;
    const lists = tables === null ? [] : [tables.taxes];
    const defaultRow = lists.flat().find(({ id }) => id === settings.defaultTax) ?? null;
    const taxes = meaningOfTaxes(made, { lists, defaultRow });
    const taxpayer = identity === null ? null : { inn: identity.inn, taxSystems: identity.taxSystems };
    // Without a `receiptId` no site takes the result for its own. Equal documents still differ in the order mark.
    const receiptId = toReceiptId(this.options.newId());
    const mark = issuer === null ? null : orderMarkOf({ ...made, receiptId }, issuer);
    // A site knows of one receipt, and is not told that this receipt was printed twice.
    const isTold = site !== null && what !== "twice" && this.options.isTold(site);
    const receipt = isTold ? { ...made, receiptId } : made;
    return {
      ...({ source: "operator", site, raw: null, polledKkm: null, receipt, mark, forced: false, register } as const),
      key: site === null ? null : orderKey({ site, receipt }),
      taxes: { taxes, taxpayer },
      ...({ state: "held", fault: new Fault("job.held-second"), now: this.options.clock.now() } as const),
    };
  }
}

/** The receipt's day, if the settlement is said to be of an earlier day. Only a receipt printed late is. */
function laterReceipt({ job, base }: Subject, { case: what, date }: RepairRequest): string | null {
  const { correction, settledOn } = base.receipt;
  const day = job?.document?.time.slice(0, 10) ?? correction?.date ?? settledOn;
  if (what === "missed" || day === undefined || date === null || date >= day) return null;
  return day.split("-").reverse().join(".");
}

function atLeastNone(sum: number): Kopecks {
  return kopecks(Math.max(0, sum));
}

/** A person has typed the content, so there is no order to correct on the site. */
function blameRequest(error: unknown): never {
  if (!isFault(error) || error.hint.en !== fixOrder[0]) throw error;
  throw new Fault("usage.wrong", { message: saidBy(error), cause: error });
}
