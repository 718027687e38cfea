/** A person has a printed receipt returned. The return is an ordinary job, so a crash leaves one return or none. */

import type { Clock } from "@fiscald/shared/clock.js";
import { Fault } from "@fiscald/shared/fault.js";
import { type ReceiptId, type SiteId, toReceiptId } from "@fiscald/shared/ids.js";
import { contentText, orderKey } from "@fiscald/shared/receipt/order-key.js";
import { shortHash } from "@fiscald/shared/receipt/order-mark.js";
import type { SaleReceipt } from "@fiscald/shared/receipt/receipt.js";
import { decideRepeat } from "@fiscald/shared/receipt/repeats/decide-repeat.js";
import { isReturn, isSale } from "@fiscald/shared/receipt/repeats/order-money.js";
import { issuerOf } from "../config/issuer.js";
import type { RegisterConfig } from "../config/register-schema.js";
import type { SiteConfig } from "../config/site-schema.js";
import { correctionReasons } from "../messages/reasons/correction-reasons.js";
import { inState } from "../messages/reasons/job-states.js";
import { operatorReasons } from "../messages/reasons/operator-reasons.js";
import { earlierJobs, takesBackExtra } from "../sites/earlier-jobs.js";
import { meaningsOf, registeredRates } from "../sites/registered-rates.js";
import { isLive, isUnfinished, type Job } from "../store/job.js";
import type { JobStore } from "../store/job-store.js";
import { type Journal, RETURNED, repairOf, returnOf } from "../store/journal.js";
import { type LineLeft, positionsLeft, type ReturnOfReceipt, receiptOfReturn } from "./return-receipt.js";

export interface OperatorReturnsOptions {
  readonly jobs: JobStore;
  readonly journal: Journal;
  readonly sites: readonly SiteConfig[];
  readonly registers: readonly Pick<RegisterConfig, "id">[];
  /** Whether the site uses our kit, which knows results of receipts that it has not ordered. */
  hasKit(site: SiteId): boolean;
  newId(): string;
  readonly clock: Clock;
  wake(): void;
}

export interface WantedReturn extends Pick<ReturnOfReceipt, "lines"> {
  /** Puts the fiscal sign of the returned receipt into tag 1192. */
  readonly fixes: boolean;
  readonly reason: string;
}

/** An equal return is refused for so long: a second click or a command repeated after a crash does nothing. */
const AGAIN_MS = 60_000;

export class OperatorReturns {
  constructor(private readonly options: OperatorReturnsOptions) {}

  /** Empty for a job that is no printed sale. */
  left(job: Job): readonly LineLeft[] {
    const sale = printedSale(job);
    return sale === null ? [] : positionsLeft(sale.receipt, returnsAfter(sale, this.options));
  }

  /** The unfinished job that returns this printed sale; null = there is none. */
  waiting(job: Job): number | null {
    const sale = printedSale(job);
    const returns = sale === null ? [] : returnJobsAfter(sale, this.options);
    return returns.find(({ state }) => isUnfinished(state))?.id ?? null;
  }

  /**
   * Throws `job.wrong-state` for a job that is no printed sale, `job.return-exceeds-sale`, `usage.wrong` for lines that
   * the sale lacks, `job.being-printed` while an equal return is unfinished, `usage.repeated`, `register.no-register`.
   */
  add(id: number, wanted: WantedReturn): Job {
    const job = this.options.jobs.transaction(() => this.insert(id, wanted));
    this.options.wake();
    return job;
  }

  private insert(id: number, { lines, fixes, reason }: WantedReturn): Job {
    const { jobs, journal, sites, registers, clock, newId, hasKit } = this.options;
    const known = jobs.get(id);
    const sale = printedSale(known);
    if (sale === null) {
      throw new Fault("job.wrong-state", {
        message: operatorReasons.noPrintedSale({ job: id, state: inState(known.state) }),
      });
    }
    const { site, register, taxes, taxpayer, polledKkm } = sale;
    if (!registers.some((one) => one.id === register)) throw new Fault("register.no-register", { place: register });
    const waiting = this.waiting(known);
    if (waiting !== null && this.left(known).length === 0) {
      throw new Fault("job.being-printed", { message: operatorReasons.returnWaits({ job: waiting }) });
    }
    const config = sites.find((one) => one.id === site);
    const ownId = toReceiptId(newId());
    const rates = registeredRates(sale, journal);
    // The lines keep the site's tax ids, so that an equal return of the site counts as the same return.
    const meanings = rates === null ? taxes : meaningsOf(sale, rates);
    if (meanings === null) {
      throw new Fault("job.wrong-state", { message: correctionReasons.rateOnPaper({ job: id }) });
    }
    const receipt = receiptOfReturn({
      ...{ printed: sale.receipt, returns: returnsAfter(sale, this.options), lines },
      ...{ fixes: fixes ? sale.document.fiscalSign : null, receiptId: hearsOfPersons(config, hasKit) ? ownId : null },
    });
    this.requireRoom(sale, receipt, ownId);
    // Two equal returns of a site without ids would otherwise have the same mark.
    const issuer = config === undefined ? known.mark?.issuer : issuerOf(config);
    const mark = issuer === undefined ? null : { issuer, digits: shortHash(ownId) };
    const now = clock.now();
    const inserted = jobs.insertJob({
      ...{ source: "operator", site, raw: null, polledKkm, receipt, mark },
      key: site === null ? null : orderKey({ site, receipt }),
      ...{ forced: false, register, taxes: { taxes: meanings, taxpayer }, state: "queued", fault: null, now },
    });
    const entry = { at: now, actor: "operator", what: RETURNED, register, site } as const;
    journal.add({ ...entry, job: inserted.id, details: { reason, of: id, fixes } });
    journal.add({ ...entry, job: id, details: { reason, by: inserted.id } });
    return inserted;
  }

  /** Throws when the limits of a site's return forbid this one. All other returns of the order count. */
  private requireRoom(sale: PrintedSale, receipt: SaleReceipt, receiptId: ReceiptId): void {
    const { jobs, clock } = this.options;
    const ofOrder = jobs.findByOrder(sale.site, receipt.orderId);
    const equal = ofOrder.filter((job) => contentText(job.receipt) === contentText(receipt));
    const open = equal.find(({ state }) => isUnfinished(state));
    if (open !== undefined) {
      throw new Fault("job.being-printed", {
        message: operatorReasons.sameOrder({ job: open.id, state: inState(open.state) }),
      });
    }
    if (equal.some(({ source, createdAt }) => source === "operator" && Math.abs(clock.now() - createdAt) < AGAIN_MS)) {
      throw new Fault("usage.repeated");
    }
    const earlier = earlierJobs(ofOrder, {
      ...{ journal: this.options.journal, told: () => "no" },
      ...{ isInOpenShift: () => true, isStillInShiftOf: () => true },
    });
    const decision = decideRepeat({ receipt: { ...receipt, receiptId }, from: "shop" }, earlier);
    if (decision.action === "refuse") throw new Fault(decision.code, { message: decision.message });
  }
}

/** Whether the site is told of a person's receipts. Some would take the result for that of their own sale. */
export function hearsOfPersons(site: SiteConfig | undefined, hasKit: OperatorReturnsOptions["hasKit"]): boolean {
  return site?.resultExtras === true && (site.tellOperatorReturns || hasKit(site.id));
}

export function returnsAfter(...given: Parameters<typeof returnJobsAfter>): readonly SaleReceipt[] {
  return returnJobsAfter(...given).flatMap(({ receipt }) => (isReturn(receipt) ? [receipt] : []));
}

/** The printed and the unfinished returns of the sale's order. Returns before the sale belong to an earlier sale. */
export function returnJobsAfter(
  { id, site, receipt: { orderId } }: Pick<PrintedSale, "id" | "site" | "receipt">,
  { jobs, journal }: Pick<OperatorReturnsOptions, "journal"> & { readonly jobs: Pick<JobStore, "findByOrder"> },
): readonly Job[] {
  // A person named which of two equal receipts was returned.
  const isOfAnother = (job: Job) => (returnOf(journal, job) ?? repairOf(journal, job)?.of ?? id) !== id;
  return jobs
    .findByOrder(site, orderId)
    .filter((job) => job.id > id && isLive(job) && !isOfAnother(job))
    .filter((job) => isReturn(job.receipt) && !takesBackExtra(job, journal));
}

interface PrintedSale extends Pick<Job, "id" | "site" | "register" | "taxes" | "taxpayer" | "polledKkm"> {
  readonly receipt: SaleReceipt;
  readonly document: NonNullable<Job["document"]>;
}

function printedSale({ receipt, document, state, ...job }: Job): PrintedSale | null {
  return document === null || state !== "printed" || !isSale(receipt) ? null : { ...job, receipt, document };
}
