import type { Identity } from "@fiscald/drivers/fiscal-driver.js";
import { type Kopecks, kopecks, toRoublesNumber } from "@fiscald/shared/amounts.js";
import type { Clock } from "@fiscald/shared/clock.js";
import type {
  ActivityBody,
  FormatErrorBody,
  ResultBody,
  ResultExtras,
  SyncBody,
  SyncRegister,
  ZReportBody,
} from "@fiscald/shared/exchange/calls.js";
import type { Fault } from "@fiscald/shared/fault.js";
import { faultCodes } from "@fiscald/shared/fault-codes.js";
import type { FnSerial, Kkm, OrderId, ReceiptId, RegisterId, SiteId } from "@fiscald/shared/ids.js";
import { identityOf } from "@fiscald/shared/receipt/order-key.js";
import type { EarlierReceipt } from "@fiscald/shared/receipt/repeats/repeat-decision.js";
import { type TaxRow, vatRates } from "@fiscald/shared/receipt/vat.js";
import type { RegisterConfig } from "../config/register-schema.js";
import type { SiteConfig } from "../config/site-schema.js";
import type { Job } from "../store/job.js";
import type { JobFault, ReportedOutcome } from "../store/job-store.js";
import { type Journal, repairOf, warningsIn } from "../store/journal.js";
import type { EventKind, OutboxStore, StoredEvent, SyncedTaxes } from "../store/outbox-store.js";
import type { RegisterStore } from "../store/register-store.js";
import type { Deliveries } from "./deliveries.js";
import { errorsOf, faultInRussian, noMaker, type ResultForm, resultBody, toNames, usualForm } from "./result-body.js";
import { siteAddressOf } from "./site-client.js";

type KnownIdentity = Pick<Identity, "kkm" | "model">;

export interface ClosedShift {
  readonly register: RegisterId;
  /** The job that closed the shift. Each site gets one event for each such job. */
  readonly job: Job;
  readonly fn: FnSerial;
  readonly shift: number;
  readonly sales: Kopecks;
  readonly returns: Kopecks;
}

export interface FailedClose {
  readonly register: RegisterId;
  readonly job: Job;
  readonly shift: number;
  readonly fault: JobFault;
}

export interface OrderRefusal {
  readonly site: SiteId;
  readonly register: RegisterId;
  readonly kkm: Kkm;
  readonly orderId: OrderId | null;
  /** The refused order's job; null when the order could not be read as a receipt. */
  readonly job: Job | null;
  readonly receiptId?: ReceiptId | null;
  readonly fault: Fault;
  /** The earlier printed job of the same order, whose document numbers go into the event. */
  readonly printed: Job | null;
  /** Whether the same order may be printed later. */
  readonly again: boolean;
  readonly warnings?: ResultBody["warnings"];
}

export interface FormatErrorReport {
  readonly site: SiteId;
  readonly register: RegisterId;
  readonly kkm: Kkm;
  readonly orderId: OrderId | null;
  readonly fault: Fault;
  readonly body: string;
  readonly receivedAt: number;
}

export interface SiteEventsOptions {
  readonly sites: readonly SiteConfig[];
  readonly registers: readonly RegisterConfig[];
  readonly outbox: OutboxStore;
  readonly deliveries: Pick<Deliveries, "isAfter">;
  readonly records: Pick<RegisterStore, "find" | "all" | "deviceOfFormerDrive">;
  readonly journal: Pick<Journal, "ofResult" | "ofJob">;
  readonly clock: Clock;
}

const rawLimitBytes = 8192;

/** Writes events to the outbox, inside the caller's transaction. A site without an address for a kind gets none. */
export class SiteEvents {
  constructor(private readonly options: SiteEventsOptions) {}

  /** `job` is the job after the change. A later outcome replaces an earlier one. `place`: the refused field. */
  result(job: Job, outcome: ReportedOutcome, place: string | null = null): void {
    if (job.site === null) return;
    const lane = resultLane(job.receipt.orderId, job.id);
    const body = this.resultOf(job, job.site, outcome, place);
    this.addResult(job.site, { lane, job: job.id, register: job.register, body });
  }

  /** The result gets the present warnings, unless the site has taken it. The rest of it stays as it was. */
  warningsChanged(job: Job): void {
    const event = this.resultEventOf(job);
    // A result without extras has no outcome, and gets no warnings.
    if (event === null || !("outcome" in event.body)) return;
    const { warnings: before = [], ...others } = event.body;
    const warnings = this.warningsOf(job);
    if (JSON.stringify(warnings) === JSON.stringify(before)) return;
    this.options.outbox.amend(event.id, warnings.length === 0 ? others : { ...others, warnings });
  }

  private warningsOf({ id }: Job): ResultExtras["warnings"] {
    return warningsIn(this.options.journal.ofResult(id)).map(({ path, text }) => ({ path, message: text.ru }));
  }

  private resultOf(job: Job, id: SiteId, outcome: ReportedOutcome, place: string | null = null): ResultBody {
    const site = this.resultFormOf(id);
    // After a data loss the document may belong to a register that the config no longer has.
    const maker = deviceOfDocument(this.options.records, job);
    const register = this.registerOf(maker.register) ?? noMaker;
    const { orderId } = job.receipt;
    const known = toNames(maker.identity);
    const names = { ...known, kkm: known.kkm || (job.polledKkm ?? "") };
    const fault = outcome === "printed" ? null : { ...(job.fault ?? unknownOutcome), place };
    const history = this.options.journal.ofResult(job.id);
    const warnings = this.warningsOf(job);
    // An order refused for another receipt's receiptId, and later printed by a person, must not name that receipt.
    const isReused = history.some(({ details }) => details["code"] === "receipt.id-reused");
    const receiptId = isReused ? null : job.receiptId;
    const isRepair = job.source === "operator" && repairOf(this.options.journal, job)?.case === "wrong";
    return resultBody({ site, register, names, orderId, receiptId, outcome, fault, job, warnings, isRepair });
  }

  /** `identity` is what the register reported, for a register that is not on record yet. */
  connected(register: RegisterId, identity: KnownIdentity | null): void {
    this.addActivity(register, "KKMConnected", identity);
  }

  disconnected(register: RegisterId, identity: KnownIdentity | null): void {
    this.addActivity(register, "KKMDisconnected", identity);
  }

  shiftClosed(closed: ClosedShift): void {
    this.addZReport({ ...closed, fault: null });
  }

  /** Reports a closing that failed and is tried again, once per cause and only with `reportFailedClose`. */
  shiftNotClosed(failed: FailedClose): void {
    this.addZReport({ ...failed, fn: this.namesOf(failed.register).fn, sales: kopecks(0), returns: kopecks(0) });
  }

  /** Called when identity, tax rows or payment types differ from those on record. */
  tablesChanged(id: RegisterId): void {
    const register = this.registerOf(id);
    for (const site of register === null ? [] : this.sitesOf(register)) this.addSync(site);
  }

  sync(only?: SiteId): void {
    for (const site of this.options.sites) if (only === undefined || site.id === only) this.addSync(site);
  }

  addFormatError({ site: id, register, kkm, orderId, fault, body: raw, receivedAt }: FormatErrorReport): void {
    const site = this.siteOf(id);
    if (site === null) return;
    const body: FormatErrorBody = {
      action: "error",
      kkm,
      orderId,
      resultCode: fault.resultCode === 3 ? 3 : 1,
      resultInfo: faultInRussian(fault),
      errors: errorsOf(fault),
      receivedAt: new Date(receivedAt).toISOString(),
      raw: cutText(raw, rawLimitBytes),
    };
    this.add(site, "error", { lane: "error", register, body });
  }

  /** Queues the delivered result of a job again. Returns false if the result still waits or the site has refused it. */
  resendResult(job: Job): boolean {
    const event = this.resultEventOf(job);
    // The site now orders a return that a person has made, and gets the result of that return.
    if (event === null && job.source === "operator" && job.state === "printed") {
      this.result(job, "printed");
      return true;
    }
    const isArmed = event?.state === "delivered" && this.options.outbox.rearm(event.id);
    if (isArmed && job.state === "printed") this.warningsChanged(job);
    return isArmed;
  }

  /**
   * Queues even a result that the site has refused. The refusal event of `refused` is removed unless the site has taken
   * it, because it would contradict the result if delivered later.
   */
  resendInPlaceOf(refused: Job, job: Job): void {
    const [refusal, event] = [this.resultEventOf(refused), this.resultEventOf(job)];
    if (refusal !== null) this.options.outbox.withdraw(refusal.id);
    if (event !== null && event.state !== "pending") this.options.outbox.rearm(event.id);
  }

  /** Whether the site had taken or refused the job's result when `deliveries` events had been delivered. */
  told(job: Job, deliveries: number): EarlierReceipt["told"] {
    const event = this.resultEventOf(job);
    if (event === null) return "no";
    // A result that was delivered before is to be delivered once more.
    if (event.state === "pending") return event.deliveredAt === null ? "no" : "meanwhile";
    return this.options.deliveries.isAfter(deliveries, event.id) ? "meanwhile" : "yes";
  }

  /** When the site received its registers' present tax rows, by the wall clock; null = not yet, 0 = it gets no rows. */
  taxListDeliveredAt(id: SiteId): number | null {
    const site = this.siteOf(id);
    const event = site === null || siteAddressOf(site, "sync") === null ? null : this.options.outbox.latest(id, "sync");
    if (event === null) return 0;
    // A site that never accepted a list has its rows from another source; else the rows of its last list count.
    if (event.state === "refused") return this.options.outbox.latest(id, "sync", "delivered") === null ? 0 : null;
    return event.state === "delivered" ? event.deliveredAt : null;
  }

  /** The rows in the lists that the site may have had at a poll of `askedAt`, newest first. Empty = in no list. */
  taxListsOf(id: SiteId, kkm: Kkm, askedAt: number): readonly (readonly TaxRow[])[] {
    const site = this.siteOf(id);
    if (site === null || siteAddressOf(site, "sync") === null) return [];
    const lists = this.options.outbox.syncedTaxes(id, askedAt);
    return lists.flatMap((list) => list.filter((register) => register.kkm === kkm).map(({ taxes }) => taxes));
  }

  private siteOf(id: SiteId) {
    return this.options.sites.find((site) => site.id === id) ?? null;
  }

  private resultFormOf(id: SiteId): ResultForm {
    return this.siteOf(id) ?? usualForm;
  }

  private registerOf(id: RegisterId) {
    return this.options.registers.find((register) => register.id === id) ?? null;
  }

  private sitesOf(register: RegisterConfig): readonly SiteConfig[] {
    return this.options.sites.filter((site) => register.sites.includes(site.id));
  }

  private namesOf(register: RegisterId) {
    return toNames(this.options.records.find(register)?.identity ?? null);
  }

  private add(site: SiteConfig, kind: EventKind, event: EventParts): void {
    if (siteAddressOf(site, kind) === null) return;
    this.options.outbox.add(
      { site: site.id, kind, job: null, register: null, latestOnly: false, ...event },
      this.options.clock.now(),
    );
  }

  /** Stores the result even for a site that the config no longer has: the site may return, or may have been renamed. */
  private addResult(site: SiteId, event: Required<Omit<EventParts, "latestOnly" | "taxRows">>): void {
    this.options.outbox.add({ site, kind: "result", latestOnly: false, ...event }, this.options.clock.now());
  }

  /** Events of a register without a number are left out, because a site could not identify the register. */
  private addActivity(id: RegisterId, action: ActivityBody["action"], known: KnownIdentity | null): void {
    const register = this.registerOf(id);
    if (register === null) return;
    const { kkm, model: device } = known ??
      this.options.records.find(id)?.identity ?? { kkm: register.expectKkm, model: "" };
    if (kkm === null) return;
    const body: ActivityBody = { action, kkm, device, title: titleOf(register) };
    const kind = action === "KKMConnected" ? "connected" : "disconnected";
    for (const site of this.sitesOf(register)) this.add(site, kind, { lane: registerLane(id), register: id, body });
  }

  private addZReport(closed: Omit<ClosedShift, "fn"> & { readonly fn: string; readonly fault: JobFault | null }): void {
    const { register: id, job, fn, shift, sales, returns, fault } = closed;
    const register = this.registerOf(id);
    if (register === null) return;
    const { kkm, inn } = this.namesOf(id);
    for (const site of this.sitesOf(register)) {
      if (fault !== null && !site.reportFailedClose) continue;
      const body: ZReportBody = {
        action: "ZReport",
        kkm,
        inn,
        fn,
        resultCode: fault === null ? 0 : faultCodes[fault.code].resultCode,
        resultInfo: fault === null ? "" : faultInRussian(fault),
        closedSession: String(shift),
        sessionSumm: toRoublesNumber(site.sessionSumm === "sales" ? sales : kopecks(sales - returns)),
      };
      this.add(site, "zreport", { lane: registerLane(id), job: job.id, register: id, body });
    }
  }

  private addSync(site: SiteConfig): void {
    const known = this.options.registers.flatMap((register) => {
      const record = register.sites.includes(site.id) ? this.options.records.find(register.id) : null;
      return record === null ? [] : [{ register, record }];
    });
    const data = known.map(({ register, record: { identity, tables } }): SyncRegister => {
      const { kkm, inn, fn } = identity;
      // A row with an unlawful rate is not offered. A row that the register substitutes has the title of a sale's row.
      const taxes = tables.taxes
        .filter(({ vat }) => vat !== null)
        .map(({ id, title, inSale }) => ({ id, title: inSale === undefined ? title : vatRates[inSale].title }));
      const emulated = register.connection.kind === "emulator" ? ({ emulated: true } as const) : {};
      return { name: titleOf(register), kkm, inn, fn, taxes, typeClose: tables.paymentTypes, ...emulated };
    });
    const taxRows = known.map(({ record: { identity, tables } }) => ({ kkm: identity.kkm, taxes: tables.taxes }));
    const body: SyncBody = { action: "sync", data };
    // Only the latest list counts, so a waiting list is replaced.
    if (data.length > 0) this.add(site, "sync", { lane: "sync", body, taxRows, latestOnly: true });
  }

  private resultEventOf(job: Job): StoredEvent | null {
    return this.options.outbox.ofJob(job.id).find(({ kind, site }) => kind === "result" && site === job.site) ?? null;
  }

  addRefusal(refusal: OrderRefusal): void {
    const { site: id, register: registerId, kkm, orderId, job, fault, printed, again, warnings = [] } = refusal;
    const site = this.resultFormOf(id);
    const reported = printed ?? job;
    const maker = reported === null ? null : deviceOfDocument(this.options.records, reported);
    const reportedOf = maker?.register ?? registerId;
    const register = this.registerOf(reportedOf) ?? noMaker;
    const known = maker === null ? this.namesOf(registerId) : toNames(maker.identity);
    const names = { ...known, ...(printed === null ? { kkm } : {}) };
    // A refusal for the receiptId of another receipt must not name that receipt.
    const receiptId = fault.code === "receipt.id-reused" ? null : ((job ?? refusal).receiptId ?? null);
    // Without the extras a result names no receipt, and a site would take it for the result of any order.
    if (orderId === null && !site.resultExtras) return;
    const outcome = printed === null ? outcomeOfRefusal(fault) : "printed";
    const told = { names, orderId, receiptId, outcome, fault, job: reported, again, warnings };
    const body = resultBody({ site, register, ...told });
    const lane = resultLane(orderId, job?.id ?? `of receipt ${receiptId}`);
    this.addResult(id, { lane, job: job?.id ?? null, register: reportedOf, body });
  }
}

interface EventParts {
  readonly lane: string;
  readonly body: object;
  readonly job?: number | null;
  readonly register?: RegisterId;
  readonly taxRows?: readonly SyncedTaxes[];
  readonly latestOnly?: boolean;
}

const registerLane = (id: RegisterId) => `register ${id}`;

function resultLane(orderId: OrderId | null, job: number | string): string {
  return orderId === null ? `job ${job}` : `order ${identityOf(orderId)}`;
}

function titleOf(register: RegisterConfig): string {
  return register.title ?? register.id;
}

const unknownOutcome: JobFault = {
  code: "job.outcome-unknown",
  message: faultCodes["job.outcome-unknown"].text.en,
};

/** Cuts at this many bytes of UTF-8, without half a letter at the end. */
function cutText(text: string, bytes: number): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(Buffer.from(text).subarray(0, bytes), { stream: true });
}

/** "Failed" would be wrong while another receipt of the order is printing or unsure, or a mistake of ours hides one. */
function outcomeOfRefusal({ code }: Fault): ReportedOutcome {
  return code === "job.being-printed" || code === "internal" ? "unknown" : "failed";
}

interface Maker {
  readonly register: RegisterId;
  readonly identity: Identity | null;
}

/**
 * A job's document was made by the register with its fiscal drive. The job's register may be another device now, and
 * its former device another register of the config, or gone.
 */
function deviceOfDocument(
  records: Pick<RegisterStore, "find" | "all" | "deviceOfFormerDrive">,
  { register, document }: Pick<Job, "register" | "document">,
): Maker {
  const identity = records.find(register)?.identity ?? null;
  if (document === null || identity?.fn === document.fn) return { register, identity };
  const holder = records.all().find(({ fn }) => fn === document.fn);
  if (holder !== undefined) return { register: holder.id, identity: holder.identity };
  return { register, identity: records.deviceOfFormerDrive(document.fn) ?? identity };
}
