/**
 * One answer of a site's order handler becomes a job, a known repeat, or a refusal with its event: one transaction, from
 * whose commit on "exactly once" holds.
 */
import { createHash } from "node:crypto";
import type { Kopecks } from "@fiscald/shared/amounts.js";
import type { Clock } from "@fiscald/shared/clock.js";
import { Fault, toFault } from "@fiscald/shared/fault.js";
import type { Kkm, RegisterId, SiteId } from "@fiscald/shared/ids.js";
import type { Logger } from "@fiscald/shared/logger.js";
import { type ReadOrder, type ReadOrderOptions, readOrder } from "@fiscald/shared/receipt/formats/read-order.js";
import { identityOf, markDigits, type OrderKey, orderKey } from "@fiscald/shared/receipt/order-key.js";
import { itemsOf, type Receipt } from "@fiscald/shared/receipt/receipt.js";
import { orderFault, taxConflict, taxFault } from "@fiscald/shared/receipt/register-fit.js";
import { decideRepeat } from "@fiscald/shared/receipt/repeats/decide-repeat.js";
import { type Decision, type Refusal, warningTexts } from "@fiscald/shared/receipt/repeats/repeat-decision.js";
import { differencesFromSale } from "@fiscald/shared/receipt/repeats/return-differences.js";
import { meaningOfTaxes } from "@fiscald/shared/receipt/tax-meaning.js";
import type { TaxRow } from "@fiscald/shared/receipt/vat.js";
import { type EarlierJob, earlierJobs } from "../sites/earlier-jobs.js";
import type { SiteEvents } from "../sites/site-events.js";
import type { Job, Taxpayer } from "../store/job.js";
import type { JobStore, JobTaxes } from "../store/job-store.js";
import { ASKED, HELD, type Journal, OTHER_THAN_SALE, TRIED_AGAIN } from "../store/journal.js";
import { findDuplicates, findFromOtherSite } from "./find-duplicates.js";
import { holdFault } from "./hold-fault.js";
import { KnownOrders } from "./known-orders.js";
import {
  createRejectedAnswers,
  isMistakeOfSite,
  type PolledAnswer,
  type RejectedAnswer,
  siteRefusal,
  unknownKkm,
} from "./rejected-answers.js";

export interface OrderIntakeOptions {
  readonly site: SiteId;
  /** The issuer part of the order mark, 8 hex. */
  readonly issuer: string;
  /** A receipt of more waits until a person approves it. */
  readonly largestReceipt: Kopecks;
  /** All other sites that this database knows, also those that the config no longer has. */
  otherSites(): readonly SiteId[];
  isConfigured(site: SiteId): boolean;
  /** Another one only for the fault campaign. */
  readonly decideRepeat?: typeof decideRepeat;
  readonly jobs: JobStore;
  readonly journal: Journal;
  /** Every method runs inside the caller's transaction. */
  readonly events: OrderEvents;
  readonly read: Omit<ReadOrderOptions, "taxes" | "today">;
  /**
   * The tax rows of the register with this number as the site may have known them at its answer, the newest list first;
   * else as the register has them. None = not known.
   */
  taxListsOf(kkm: Kkm, askedAt: number): readonly (readonly TaxRow[])[];
  /** The register's row for positions without a tax id; null = none. */
  defaultRowOf(register: RegisterId): TaxRow | null;
  /** Whether its tax rows were just read again for an order that they would refuse: a misread row must not refuse one. */
  areRowsConfirmed(register: RegisterId): boolean;
  /** Id of the configured register that has this number; null = none of ours. */
  findRegister(kkm: Kkm): RegisterId | null;
  /** A register of this site whose number is not known yet, because it was never connected; null = all are known. */
  unseenRegister(): RegisterId | null;
  /** The database was lost, and not every register's documents have been read since. */
  isForgetful(): boolean;
  taxpayerOf(register: RegisterId): Taxpayer | null;
  /** Whether the job's document belongs to the open shift of its register, on the same fiscal drive. */
  isInOpenShift(job: Job): boolean;
  /** Whether a half-done service job can go on where it stopped: same register, drive and shift. */
  isStillInShiftOf(job: Job): boolean;
  /** The day at the register's place, `2026-11-20`. */
  dayAt(register: RegisterId): string;
  readonly clock: Clock;
  readonly log: Logger;
  /** There is something to print. */
  wake(): void;
}

type OrderEvents = Pick<SiteEvents, "addRefusal" | "addFormatError" | "resendResult" | "told" | "tablesToldAt">;

export type AcceptResult =
  | { readonly kind: "empty" }
  | { readonly kind: "order"; readonly job: Job }
  | { readonly kind: "repeat"; readonly job: Job | null }
  | RejectedAnswer;

const UNSEEN = "the order's number has characters that nobody sees" as const;
type OddOrder = (typeof warningTexts)[keyof typeof warningTexts] | typeof UNSEEN;

export class OrderIntake {
  private readonly site: OrderIntakeOptions["site"];
  private readonly jobs: OrderIntakeOptions["jobs"];
  private readonly events: OrderIntakeOptions["events"];
  private readonly clock: OrderIntakeOptions["clock"];
  private readonly log: OrderIntakeOptions["log"];
  private readonly decide: typeof decideRepeat;
  private readonly rejected: ReturnType<typeof createRejectedAnswers>;
  private readonly known: KnownOrders;

  constructor(private readonly options: OrderIntakeOptions) {
    this.site = options.site;
    this.jobs = options.jobs;
    this.events = options.events;
    this.clock = options.clock;
    this.log = options.log;
    this.decide = options.decideRepeat ?? decideRepeat;
    this.rejected = createRejectedAnswers(options);
    this.known = new KnownOrders(options);
  }

  /** Throws a `store.*` fault when the transaction could not be committed; then nothing was stored. */
  accept(answer: PolledAnswer): AcceptResult {
    const hash = createHash("sha256").update(answer.body).digest("hex");
    const known = this.rejected.known(hash);
    if (known !== null) return known;
    if (answer.problem !== undefined) {
      const fault = new Fault("order.unreadable", { message: answer.problem });
      return this.rejected.refuse(answer, hash, { fault, orderId: null, kkm: null, isOrder: false });
    }
    let read: ReadOrder | null = null;
    try {
      read = readOrder(answer.body, this.options.read);
      switch (read.kind) {
        case "empty":
          return { kind: "empty" };
        case "unknown":
          return this.rejected.reportUnknown(answer, hash, read);
        case "refusal":
          if (read.receiptWithheld) this.rejected.keepWithheld(answer, hash, read.resultInfo);
          return { kind: "site-error", fault: siteRefusal(read) };
        case "broken":
          return this.rejected.refuse(answer, hash, read);
        case "receipt":
          return this.acceptReceipt(answer, hash, read);
      }
    } catch (error) {
      const fault = toFault(error, "internal");
      if (fault.area === "store") throw fault;
      // A mistake of ours must cost one order its print, never the shop its poller.
      const { orderId, kkm } = read?.kind === "receipt" ? read.receipt : { orderId: null, kkm: null };
      return this.rejected.refuse(answer, hash, { fault, orderId, kkm, isOrder: true });
    }
  }

  private acceptReceipt(answer: PolledAnswer, hash: string, read: ReceiptRead): AcceptResult {
    const { receipt, taxPlaces } = read;
    const register = receipt.kkm === null ? answer.register : this.options.findRegister(receipt.kkm);
    const key = orderKey({ site: this.site, receipt });
    const fault =
      register === null
        ? unknownKkm(receipt.kkm, this.options.unseenRegister())
        : orderFault(receipt, this.options.taxpayerOf(register)?.inn ?? null);
    const incoming = { answer, hash, receipt, taxPlaces, key, register: register ?? answer.register };
    const earlier = earlierJobs(findDuplicates(this.options, { receipt, register, key }), {
      ...this.options,
      told: (job) => this.events.told(job, answer.deliveries),
    });
    const isKnown = earlier.some((job) => job.receipt.receiptId === receipt.receiptId);
    const twin = isKnown ? null : findFromOtherSite({ receipt, jobs: this.jobs }, this.options.otherSites());
    if (twin !== null) return this.known.ignoreFromOtherSite(twin);
    const decision = this.decide({ receipt, from: answer.leases ? "kit" : "site" }, earlier);
    // Not asked of an order that was printed, or may be: its register may be another one since.
    const isNew = decision.action === "new" || decision.action === "again";
    if (isNew && fault !== null)
      return this.refuse(incoming, fault, { ...nothingElse, again: fault.retry !== "never" });
    return this.act(incoming, decision);
  }

  private act(incoming: Incoming, decision: Decision<EarlierJob>): AcceptResult {
    switch (decision.action) {
      case "new":
        return this.acceptNew(incoming, decision);
      case "ignore":
        this.known.warn(decision.warning, decision.of.job);
        return this.known.ignore(decision.of.job, decision.reason);
      case "result":
        this.known.warn(decision.warning, decision.of.job);
        return this.known.resend(decision.of.job, decision.reason);
      case "again":
        return this.retry(incoming, decision.of.job, decision.replaces);
      case "refuse":
        return this.refuse(incoming, new Fault(decision.code, { message: decision.message }), decision);
    }
  }

  /** The rows and the day are not asked of an order that was printed: both may have changed since. */
  private acceptNew(incoming: Incoming, decision: NewOrder): AcceptResult {
    const { answer, hash, receipt, register } = incoming;
    const lists = this.listsFor(incoming);
    const areConfirmed = this.options.areRowsConfirmed(register);
    const today = this.options.dayAt(register);
    const readWith = (taxes: readonly TaxRow[]) => readOrder(answer.body, { ...this.options.read, taxes, today });
    const withRows = readWith(lists[0] ?? []);
    // A rate in words needs no row to be certain.
    const certain = areConfirmed || withRows.kind !== "broken" ? withRows : readWith([]);
    if (certain.kind === "broken") return this.rejected.refuse(answer, hash, certain);
    const unknown = areConfirmed ? taxFault(receipt, lists, incoming.taxPlaces) : null;
    const fault = unknown ?? taxConflict(receipt, lists);
    if (fault !== null) return this.refuse(incoming, fault, { ...nothingElse, again: true });
    return this.insert(incoming, decision, {
      warnings: certain.kind === "receipt" ? certain.warnings : [],
      flaw: withRows.kind === "broken" ? withRows.fault.message : null,
    });
  }

  /** `flaw`: see `TaxMeaning`. */
  private insert(
    incoming: Incoming,
    { replaces, warning }: NewOrder,
    { warnings, flaw }: { readonly warnings: ReceiptRead["warnings"]; readonly flaw: string | null },
  ): AcceptResult {
    const { orderId: asSent } = incoming.receipt;
    const odd: readonly OddOrder[] = [
      ...(warning === null ? [] : [warningTexts[warning]]),
      ...(identityOf(asSent) === asSent?.normalize("NFC") || asSent === null ? [] : [UNSEEN]),
    ];
    const differences = this.differencesFromSale(incoming);
    const fault = holdFault(incoming.receipt, this.options.largestReceipt);
    const job = this.jobs.transaction(() => {
      this.replace(replaces);
      const state = fault === null ? "queued" : "held";
      const job = this.newJob(incoming);
      const { taxes, taxpayer } = job.taxes;
      const doubted = flaw === null ? taxes : taxes.map((meaning) => ({ ...meaning, flaw }));
      const inserted = this.jobs.insertJob({ ...job, taxes: { taxes: doubted, taxpayer }, state, fault });
      this.known.note("order accepted", inserted);
      if (fault !== null) this.known.note(HELD, inserted, { reason: fault.message, code: fault.code });
      for (const what of odd) this.known.note(what, inserted);
      if (differences.length > 0) this.known.note(OTHER_THAN_SALE, inserted, { warnings: differences });
      return inserted;
    });
    for (const problem of odd) this.log.warn("an order is odd", { job: job.id, order: job.orderId, problem });
    const differing = differences.map(({ path, text }) => ({ path, message: text.en }));
    for (const { path, message } of [...warnings, ...differing]) {
      this.log.warn("an order is odd", { job: job.id, order: job.orderId, path, problem: message });
    }
    const { id, orderId: order, register, total } = job;
    this.log.info("accepted an order", { job: id, order, register, sum: total });
    if (fault !== null) this.log.warn("an order waits until a person approves it", { job: id, order, fault });
    this.options.wake();
    return { kind: "order", job };
  }

  private differencesFromSale(incoming: Incoming) {
    const { receipt } = incoming;
    if (receipt.kind !== "receipt" || receipt.operation !== "return") return [];
    const sales = this.jobs
      .findByOrder(this.site, receipt.orderId)
      .filter(({ state, operation }) => state === "printed" && operation === "sale");
    return differencesFromSale({ receipt, taxes: this.taxesFor(incoming).taxes }, sales);
  }

  private replace(replaced: readonly EarlierJob[]): void {
    for (const { job } of replaced) {
      const message = "the site sent the order again with other content";
      this.jobs.cancel(job.id, { code: "job.replaced", message }, this.clock.now());
      this.known.note("order replaced", job, { reason: message });
    }
  }

  private refuse(incoming: Incoming, fault: Fault, { because, isPrinted, asks, again }: RefusedHow): AcceptResult {
    const { receipt, register, answer, key } = incoming;
    const known = this.jobs
      .findByKey(this.site, key.key, key.version)
      .find((job) => job.state === "refused" && job.fault?.code === fault.code && job.fault.message === fault.message);
    const repeated =
      known === undefined
        ? null
        : asks === null
          ? this.known.resend(known, fault.message)
          : this.known.askAgain(known, fault.message);
    if (repeated !== null) return repeated;
    const job = this.jobs.transaction(() => {
      const refused = this.jobs.insertJob({ ...this.newJob(incoming), state: "refused", fault });
      this.known.note("order refused", refused, { reason: fault.message, code: fault.code });
      if (asks !== null) this.known.note(ASKED, refused, { asks, earlier: because?.id });
      // After data loss a register that was not identified yet may have printed it: the site must not hear "not
      // printed".
      if (fault.code === "register.offline" && this.options.isForgetful()) return refused;
      const { orderId } = receipt;
      const refusal = { site: this.site, register, kkm: receipt.kkm ?? answer.kkm, fault };
      const printed = isPrinted ? (because?.job ?? null) : null;
      if (orderId !== null) this.events.addRefusal({ ...refusal, orderId, job: refused, printed, again });
      if (orderId === null || isMistakeOfSite(fault)) {
        this.events.addFormatError({ ...refusal, orderId, body: answer.body, receivedAt: this.clock.now() });
      }
      return refused;
    });
    if (asks !== null) this.known.isFirstToday(`asked ${job.id}`);
    // A site that uses its ids twice does so with every order.
    const isOneOfMany = fault.code === "receipt.id-reused" && !this.known.isFirstToday(fault.code);
    const fields = { order: receipt.orderId, register, fault };
    if (isOneOfMany) this.log.info("refused an order", fields);
    else this.log.warn("refused an order", fields);
    this.options.wake();
    return { kind: "refused", fault };
  }

  private retry(incoming: Incoming, job: Job, replaces: readonly EarlierJob[]): AcceptResult {
    const isTold = this.isToldOf(job, incoming.answer);
    // With the old rows it would fail again and use up its tries before the site can name the new rows.
    if (!isTold && job.fault?.code === "device.tax-unknown")
      return this.known.resend(job, "the site has yet to hear of the tax rows");
    this.jobs.transaction(() => {
      this.replace(replaces);
      const taxes = isTold ? this.newTaxesFor(job, incoming) : null;
      this.jobs.requeueFailed(job.id, this.clock.now(), { taxes });
      this.known.note(TRIED_AGAIN, job);
    });
    this.log.info("a failed order came again: it is tried again", { job: job.id, order: job.orderId });
    this.options.wake();
    return { kind: "order", job };
  }

  /**
   * A retried job gets the meaning that its tax ids have now, like a new order's; null = it keeps its own. The offer must
   * name the same ids, because the key of a receipt of the kit does not contain them. Raw ids are those of one register, and
   * an offer for a register of another taxpayer says nothing of this job.
   */
  private newTaxesFor(job: Job, offer: Incoming): JobTaxes | null {
    if (taxIdsOf(offer.receipt) !== taxIdsOf(job.receipt)) return null;
    const now = this.taxesFor(offer);
    if (offer.register === job.register) return now;
    const isRaw = now.taxes.some(({ vat }) => vat === null);
    const isSameTaxpayer =
      now.taxpayer?.inn === job.taxpayer?.inn && now.taxpayer?.taxSystems === job.taxpayer?.taxSystems;
    return isRaw || !isSameTaxpayer ? null : now;
  }

  /** A register may have been exchanged since the poll: the number that the site was asked for counts. */
  private listsFor({ receipt, answer }: Pick<Incoming, "receipt" | "answer">): readonly (readonly TaxRow[])[] {
    const isOurs = receipt.kkm !== null && this.options.findRegister(receipt.kkm) !== null;
    return this.options.taxListsOf(isOurs ? receipt.kkm : answer.kkm, answer.askedAt);
  }

  private taxesFor({ receipt, register, answer }: Pick<Incoming, "receipt" | "register" | "answer">): JobTaxes {
    const lists = this.listsFor({ receipt, answer });
    const taxes = meaningOfTaxes(receipt, { lists, defaultRow: this.options.defaultRowOf(register) });
    return { taxes, taxpayer: this.options.taxpayerOf(register) };
  }

  /**
   * The site offered the order after it received the failure and the present tax rows: its tax ids are the new ones.
   */
  private isToldOf(job: Job, { askedAt, deliveries }: PolledAnswer): boolean {
    const tablesAt = this.events.tablesToldAt(this.site);
    return this.events.told(job, deliveries) === "yes" && tablesAt !== null && tablesAt < askedAt;
  }

  private newJob({ answer, hash, receipt, key, register }: Incoming) {
    const now = this.clock.now();
    const raw = this.jobs.insertRaw({
      site: this.site,
      polledKkm: answer.kkm,
      receivedAt: now,
      hash,
      body: answer.body,
    });
    const names = { source: "site", site: this.site, raw, polledKkm: answer.kkm, register } as const;
    const mark = { issuer: this.options.issuer, digits: markDigits(receipt) };
    const taxes = this.taxesFor({ receipt, register, answer });
    return { ...names, receipt, key, mark, taxes, forced: false, now };
  }
}

type RefusedHow = Pick<Refusal<EarlierJob | null>, "because" | "isPrinted" | "again" | "asks">;

type NewOrder = Extract<Decision<EarlierJob>, { readonly action: "new" }>;

/** No other receipt stands in the way. */
const nothingElse = { because: null, isPrinted: false, asks: null } as const;

type ReceiptRead = Extract<ReadOrder, { kind: "receipt" }>;

function taxIdsOf(receipt: Receipt): string {
  return JSON.stringify(receipt.kind === "receipt" ? itemsOf(receipt).map(({ tax }) => tax) : []);
}

interface Incoming {
  readonly receipt: Receipt;
  /** The register that the order names, else the one that was polled for. */
  readonly register: RegisterId;
  readonly answer: PolledAnswer;
  readonly hash: string;
  readonly taxPlaces: ReceiptRead["taxPlaces"];
  readonly key: OrderKey;
}
