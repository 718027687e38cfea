/** One answer of a site becomes a job, a known repeat, or a refusal with its event, in one transaction. */
import { createHash } from "node:crypto";
import { Fault, toFault } from "@fiscald/shared/fault.js";
import type { RegisterId } from "@fiscald/shared/ids.js";
import { defaultRules } from "@fiscald/shared/receipt/check-receipt.js";
import { noNames, type OrderReader, orderReader, type ReadOrder } from "@fiscald/shared/receipt/formats/read-order.js";
import { hasUnseen, type OrderKey, orderKey, orderMarkOf } from "@fiscald/shared/receipt/order-key.js";
import { type Receipt, totalOf } from "@fiscald/shared/receipt/receipt.js";
import { orderFault, taxConflict, taxFault } from "@fiscald/shared/receipt/register-fit.js";
import { decideRepeat, MAX_TRIES } from "@fiscald/shared/receipt/repeats/decide-repeat.js";
import { isReturn, isSale, paysOffCredit } from "@fiscald/shared/receipt/repeats/order-money.js";
import {
  type RepeatDecision,
  type RepeatRefusal,
  warningTexts,
} from "@fiscald/shared/receipt/repeats/repeat-decision.js";
import { meaningOfTaxes } from "@fiscald/shared/receipt/tax-meaning.js";
import type { TaxRow } from "@fiscald/shared/receipt/vat.js";
import { sumText } from "@fiscald/shared/texts.js";
import { whatPrintedMayLack } from "../config/site-schema.js";
import { orderReasons } from "../messages/reasons/order-reasons.js";
import { type EarlierJob, earlierJobs, takesBackExtra } from "../sites/earlier-jobs.js";
import { ratesOfSales, taxesInDocument } from "../sites/registered-rates.js";
import { type Difference, differencesFromSale, ratesInPlaceOf } from "../sites/return-differences.js";
import type { Job } from "../store/job.js";
import type { JobTaxes, NewJob } from "../store/job-store.js";
import { ASKED, HELD, isPrintedAfterAll, MENDED, ODD_ORDER, OTHER_THAN_SALE, TRIED_AGAIN } from "../store/journal.js";
import { findDuplicates, findFromOtherSite } from "./find-duplicates.js";
import type { AcceptResult, OrderIntakeOptions, PolledAnswer } from "./intake-parts.js";
import { KnownOrders } from "./known-orders.js";
import { isMistakeOfSite, RejectedAnswers, unknownKkm } from "./rejected-answers.js";

const UNSEEN = "the order's number has characters that nobody sees" as const;
const MOST_CHANGES = 10;
type OddOrder = (typeof warningTexts)[keyof typeof warningTexts] | typeof UNSEEN;

export class OrderIntake {
  private readonly rejected: RejectedAnswers;
  private readonly known: KnownOrders;

  constructor(private readonly options: OrderIntakeOptions) {
    this.rejected = new RejectedAnswers(options);
    this.known = new KnownOrders(options);
  }

  /** Throws a `store.*` fault when nothing could be stored. */
  accept(answer: PolledAnswer): AcceptResult {
    const hash = createHash("sha256").update(answer.body).digest("hex");
    const known = this.rejected.known(hash);
    if (known !== null) return known;
    if (answer.problem !== undefined) {
      const fault = new Fault("order.unreadable", { message: answer.problem });
      return this.rejected.refuse(answer, hash, { fault, ...noNames, isOrder: false });
    }
    let read: ReadOrder | null = null;
    try {
      const { rules = defaultRules } = this.options.read;
      const reader = orderReader(answer.body, this.options.read);
      const asNew = this.readAsNew(reader, answer.register);
      read = asNew.kind === "broken" ? reader({ rules: { ...rules, ...whatPrintedMayLack } }) : asNew;
      switch (read.kind) {
        case "empty":
          return { kind: "empty" };
        case "unknown":
          return this.rejected.reportUnknown(answer, read);
        case "refusal":
          return this.rejected.siteError(answer, hash, read);
        case "broken":
          return this.rejected.refuse(answer, hash, read);
        case "receipt":
          return this.acceptReceipt(answer, hash, read, reader);
      }
    } catch (error) {
      const fault = toFault(error, "internal");
      if (fault.area === "store") throw fault;
      // A mistake in this program may keep one order from being printed, but must not end the poller.
      const { orderId, receiptId, kkm } = read?.kind === "receipt" ? read.receipt : noNames;
      return this.rejected.refuse(answer, hash, { fault, orderId, receiptId, kkm, isOrder: true });
    }
  }

  private acceptReceipt(
    answer: PolledAnswer,
    hash: string,
    { receipt, taxPlaces }: ReceiptRead,
    reader: OrderReader,
  ): AcceptResult {
    const { site, jobs, journal, events, registers } = this.options;
    const named = receipt.kkm === null ? answer.register : registers.findRegister(receipt.kkm);
    const register = named ?? answer.register;
    const key = orderKey({ site, receipt });
    const ofOrder = findDuplicates(this.options, { receipt, register: named, key });
    const told = (job: Job) => events.told(job, answer.deliveries);
    const earlier = earlierJobs(ofOrder, { ...registers, journal, told });
    const isKnown = earlier.some((job) => job.receipt.receiptId === receipt.receiptId);
    const twin = isKnown ? null : findFromOtherSite(receipt, jobs, this.options.otherSites());
    if (twin !== null) return this.known.ignoreFromOtherSite(twin);
    const decide = this.options.decideRepeat ?? decideRepeat;
    const decision = decide({ receipt, from: answer.leases ? "kit" : "site" }, earlier);
    if ("reason" in decision) return this.known.answer(decision);
    // The register may have been replaced since the poll, so the number that the site was asked for counts.
    const lists = registers.taxListsOf(
      receipt.kkm !== null && named !== null ? receipt.kkm : answer.kkm,
      answer.askedAt,
    );
    const taxpayer = registers.taxpayerOf(register);
    const sold = ratesOfSales(ofOrder, journal);
    const source = { lists, defaultRow: registers.defaultRowOf(register) };
    const taxes = meaningOfTaxes(receipt, { ...source, sold });
    const asSent = sold.map((one) => ({ ...one, registered: one.meant }));
    // Without an altered rate both meanings are the same.
    const isAltered = sold.some(({ meant, registered }) => registered !== meant);
    const asMeant = isAltered ? meaningOfTaxes(receipt, { ...source, sold: asSent }) : taxes;
    const altered = ratesInPlaceOf(asMeant, { receipt, taxes });
    const ofAnswer = { answer, hash, receipt, reader, taxPlaces, key };
    const incoming = { ...ofAnswer, register, lists, taxes: { taxes, taxpayer }, altered };
    if (decision.action === "refuse") {
      return this.refuse(incoming, new Fault(decision.code, { message: decision.message }), decision);
    }
    const fault =
      named === null ? unknownKkm(receipt.kkm, registers.unseenRegister()) : orderFault(receipt, taxpayer?.inn ?? null);
    if (fault !== null) return this.refuse(incoming, fault, { ...nothingElse, again: fault.retry !== "never" });
    return this.acceptIfLawful(incoming, decision);
  }

  /** Only an order that was not printed is checked, because rules, rows and day may have changed since a print. */
  private acceptIfLawful(incoming: Incoming, decision: NewOrder | OrderAgain): AcceptResult {
    const { answer, hash, receipt, reader, register, lists, taxPlaces } = incoming;
    const areConfirmed = this.options.registers.areRowsConfirmed(register);
    const [lastTaxes = []] = lists;
    // A misread row must not refuse an order, but it may warn of one.
    const strict = this.readAsNew(reader, register, { taxes: areConfirmed ? lastTaxes : [], lastTaxes });
    if (strict.kind === "broken") return this.rejected.refuse(answer, hash, strict);
    if (decision.action === "again" && !decision.isChanged && !isSentElsewhere(incoming, decision.of.job))
      return this.retry(incoming, decision);
    const unknown = areConfirmed ? taxFault(receipt, lists, taxPlaces) : null;
    const misfit = unknown ?? taxConflict(receipt, lists, taxPlaces);
    if (misfit !== null) return this.refuse(incoming, misfit, { ...nothingElse, again: true });
    const odd = strict.kind === "receipt" ? strict : { warnings: [], oversights: [] };
    return decision.action === "new" ? this.acceptNew(incoming, decision, odd) : this.mend(incoming, decision, odd);
  }

  private readAsNew(reader: OrderReader, register: RegisterId, by: Parameters<OrderReader>[0] = {}): ReadOrder {
    return reader({ ...this.options.read, ...by, today: this.options.registers.dayAt(register) });
  }

  private acceptNew(incoming: Incoming, { replaces, warning }: NewOrder, read: OddRead): AcceptResult {
    const how = { ...read, replaces, warning };
    const job = this.place(incoming, how, "order accepted", (content) => this.options.jobs.insertJob(content));
    const { id, orderId: order, register, total } = job;
    this.options.log.info("accepted an order", { job: id, order, register, sum: total });
    return { kind: "order", job };
  }

  /** Gives the failed job what its order says now. A site whose order differs each time is not tried for ever. */
  private mend(incoming: Incoming, { of: { job }, replaces, isChanged }: OrderAgain, read: OddRead): AcceptResult {
    const { jobs, journal, log } = this.options;
    // The sweep finds the job's receipt by its order mark and tells the site. "Failed" would make the site sell again.
    if (isPrintedAfterAll(journal, job)) return this.tryAgain(job, replaces, null);
    const left = MOST_CHANGES - journal.ofJob(job.id).filter(({ what }) => what === MENDED).length;
    if (left <= 0) return this.known.resend(job, `changed ${MOST_CHANGES} times and failed: only the operator`);
    // The last content is tried once, and the report of its failure says that there is no further try.
    const triesOfChanged = left === 1 ? MAX_TRIES - 1 : 0;
    const how = { ...read, replaces, warning: null };
    const mended = this.place(incoming, how, MENDED, (content) =>
      jobs.mend(job.id, content, isChanged ? triesOfChanged : job.tries),
    );
    const { id, orderId: order, register, total } = mended;
    log.info("a failed order came with other content: it is tried with that", { job: id, order, register, sum: total });
    return { kind: "order", job: mended };
  }

  /** Stores the order by `put`, in one transaction with everything that is odd in the order. */
  private place(
    incoming: Incoming,
    { replaces, warning, warnings, oversights }: Placing,
    what: "order accepted" | typeof MENDED,
    put: (content: NewJob) => Job,
  ): Job {
    const { site, jobs, journal, clock, log } = this.options;
    const { receipt, taxes, altered } = incoming;
    const odd: readonly OddOrder[] = [
      ...(warning === null ? [] : [warningTexts[warning]]),
      ...(hasUnseen(receipt.orderId) ? [UNSEEN] : []),
    ];
    const isOfSale = isReturn(receipt) || (isSale(receipt) && paysOffCredit(receipt));
    const known = isOfSale ? jobs.findByOrder(site, receipt.orderId) : [];
    const counted = known.filter((job) => !takesBackExtra(job, journal));
    const registered = counted.map((job) => ({ ...job, taxes: taxesInDocument(job, journal) }));
    const differences = differencesFromSale({ receipt, ...taxes }, registered);
    const fault = this.holdFault(receipt);
    const { job, fresh } = jobs.transaction(() => {
      this.replace(replaces);
      const job = put({ ...this.newJob(incoming), state: fault === null ? "queued" : "held", fault });
      this.known.note(what, job);
      if (fault !== null) this.known.note(HELD, job, { reason: fault.message, code: fault.code });
      const { fresh, unusual } = this.options.oversights.note(site, oversights, clock.now());
      const told = [...warnings, ...unusual].map(({ path, message, ru }) => ({ path, text: { en: message, ru } }));
      for (const what of odd) this.known.note(what, job);
      if (differences.length > 0) this.known.note(OTHER_THAN_SALE, job, { warnings: differences });
      if (told.length + altered.length > 0) this.known.note(ODD_ORDER, job, { warnings: [...told, ...altered] });
      return { job, fresh };
    });
    const { id, orderId: order } = job;
    for (const { path, message: problem } of fresh) {
      log.warn("orders of the site have what it has hardly meant: this is logged once", { order, path, problem });
    }
    for (const problem of odd) log.warn("an order is odd", { job: id, order, problem });
    for (const { path, message: problem } of warnings) log.warn("an order is odd", { job: id, order, path, problem });
    for (const { path, text } of [...altered, ...differences])
      log.warn("an order is odd", { job: id, order, path, problem: text.en });
    if (fault !== null) log.warn("an order waits until a person approves it", { job: id, order, fault });
    this.options.wake();
    return job;
  }

  /** Null: nobody must approve the order before it is printed. */
  private holdFault(receipt: Receipt): Fault | null {
    const { largestReceipt } = this.options;
    if (receipt.kind !== "receipt") return null;
    if (receipt.correction !== undefined) return new Fault("job.held-correction");
    if (totalOf(receipt) <= largestReceipt) return null;
    const message = orderReasons.aboveLargest({
      total: sumText(totalOf(receipt)),
      largest: sumText(largestReceipt),
    });
    return new Fault("job.held-large", { message });
  }

  private replace(replaced: readonly EarlierJob[]): void {
    for (const { job } of replaced) {
      const { en: message, ru } = orderReasons.sentAgain;
      this.options.jobs.cancel(job.id, { code: "job.replaced", message, ru }, this.options.clock.now());
      this.known.note("order replaced", job, { reason: message });
    }
  }

  private refuse(incoming: Incoming, fault: Fault, { because, isPrinted, asks, again }: RefusedHow): AcceptResult {
    const { receipt, register, answer, key } = incoming;
    const { site, jobs, events, clock, log } = this.options;
    const known = jobs
      .findByKey(site, key.key, key.version)
      .find((job) => job.state === "refused" && this.known.isSameRefusal(job, fault, { asks, because }));
    const repeated = known === undefined ? null : this.known.refuseAgain(known, fault.message, asks);
    if (repeated !== null) return repeated;
    const job = jobs.transaction(() => {
      const refused = jobs.insertJob({ ...this.newJob(incoming), state: "refused", fault });
      this.known.note("order refused", refused, { reason: fault.message, code: fault.code, ru: fault.ru ?? undefined });
      if (asks !== null) this.known.note(ASKED, refused, { asks, earlier: because?.id });
      // After a data loss an unidentified register may have printed the order: the site must not hear "not printed".
      if (fault.code === "register.offline" && this.options.isForgetful()) return refused;
      const { orderId } = receipt;
      const refusal = { site, register, kkm: receipt.kkm ?? answer.kkm, fault };
      const printed = isPrinted ? (because?.job ?? null) : null;
      if (orderId !== null) events.addRefusal({ ...refusal, orderId, job: refused, printed, again });
      if (orderId === null || isMistakeOfSite(fault)) {
        events.addFormatError({ ...refusal, orderId, body: answer.body, receivedAt: clock.now() });
      }
      return refused;
    });
    if (asks !== null) this.known.isFirstToday(`asked ${job.id}`);
    // A site that uses its ids twice does this with every order.
    const isOneOfMany = fault.code === "receipt.id-reused" && !this.known.isFirstToday(fault.code);
    const fields = { order: receipt.orderId, register, fault };
    if (isOneOfMany) log.info("refused an order", fields);
    else log.warn("refused an order", fields);
    this.options.wake();
    return { kind: "refused", fault };
  }

  private retry(incoming: Incoming, { of: { job }, replaces }: OrderAgain): AcceptResult {
    const { site, events } = this.options;
    const { askedAt, deliveries } = incoming.answer;
    const tablesAt = events.taxListDeliveredAt(site);
    // A site that knew of the failure and had the present tax rows when it was asked names the new tax ids.
    const isTold = events.told(job, deliveries) === "yes" && tablesAt !== null && tablesAt < askedAt;
    // With the old tax rows the order would fail again and use up its tries before the site can name the new rows.
    if (!isTold && job.fault?.code === "device.tax-unknown")
      return this.known.resend(job, "the site has yet to hear of the tax rows");
    return this.tryAgain(job, replaces, isTold ? newTaxesFor(job, incoming) : null);
  }

  private tryAgain(job: Job, replaces: readonly EarlierJob[], taxes: JobTaxes | null): AcceptResult {
    const { jobs, clock, log } = this.options;
    jobs.transaction(() => {
      this.replace(replaces);
      jobs.requeueFailed(job.id, clock.now(), taxes);
      this.known.note(TRIED_AGAIN, job);
    });
    log.info("a failed order came again: it is tried again", { job: job.id, order: job.orderId });
    this.options.wake();
    return { kind: "order", job };
  }

  private newJob({ answer, hash, receipt, key, register, taxes }: Incoming) {
    const { site, issuer, jobs, clock } = this.options;
    const now = clock.now();
    const { kkm: polledKkm, body } = answer;
    const raw = jobs.insertRaw({ site, polledKkm, receivedAt: now, hash, body });
    const mark = orderMarkOf(receipt, issuer);
    const source = "site" as const;
    return { source, site, raw, polledKkm, register, receipt, key, mark, taxes, forced: false, now };
  }
}

type RefusedHow = Pick<RepeatRefusal<EarlierJob | null>, "because" | "isPrinted" | "again" | "asks">;

type NewOrder = Extract<RepeatDecision<EarlierJob>, { readonly action: "new" }>;
type OrderAgain = Extract<RepeatDecision<EarlierJob>, { readonly action: "again" }>;

const nothingElse = { because: null, isPrinted: false, asks: null } as const;

type ReceiptRead = Extract<ReadOrder, { kind: "receipt" }>;
type OddRead = Pick<ReceiptRead, "warnings" | "oversights">;
type Placing = OddRead & Pick<NewOrder, "replaces" | "warning">;

/** Null: the job keeps its own tax ids, because raw ids belong to one register and an offer to one taxpayer. */
function newTaxesFor(job: Job, { register, taxes }: Incoming): JobTaxes | null {
  const { taxpayer } = taxes;
  const isRaw = taxes.taxes.some(({ vat }) => vat === null);
  const isSameTaxpayer = taxpayer?.inn === job.taxpayer?.inn && taxpayer?.taxSystems === job.taxpayer?.taxSystems;
  return register === job.register || (!isRaw && isSameTaxpayer) ? taxes : null;
}

/** Whether the order names another register than before, and not the one that has the job. */
function isSentElsewhere({ receipt: { kkm }, register }: Incoming, job: Job): boolean {
  return kkm !== null && kkm !== job.receipt.kkm && register !== job.register && job.doneParts === 0;
}

interface Incoming {
  readonly receipt: Receipt;
  /** The register that the order names, or else the polled one. */
  readonly register: RegisterId;
  readonly answer: PolledAnswer;
  readonly hash: string;
  readonly reader: OrderReader;
  readonly taxPlaces: ReceiptRead["taxPlaces"];
  readonly key: OrderKey;
  readonly lists: readonly (readonly TaxRow[])[];
  readonly taxes: JobTaxes;
  /** The rates that a register altered in the order's sale, and that stand in this receipt too. */
  readonly altered: readonly Difference[];
}
