/** The intake of one site over a real database. A test can see what it reports, and change what it asks for. */

import type { OrderIntake } from "@fiscald/daemon/intake/accept-order.js";
import type { AcceptResult } from "@fiscald/daemon/intake/intake-parts.js";
import type { FormatErrorReport, OrderRefusal } from "@fiscald/daemon/sites/site-events.js";
import type { JobStore } from "@fiscald/daemon/store/job-store.js";
import type { Journal } from "@fiscald/daemon/store/journal.js";
import { type RegisterId, toKkm, toRegisterId } from "@fiscald/shared/ids.js";
import type { TaxRow } from "@fiscald/shared/receipt/vat.js";
import type { FakeClock } from "../../support/fake-clock.js";
import { answerOf, makeIntake, polledKkm, polledRegister, saleTable } from "../../support/make-intake.js";
import { makeDocument } from "../../support/make-job.js";
import { createTestLogger } from "../../support/test-logger.js";
import type { OpenStores } from "../../support/use-stores.js";

export const [kkm, register] = [polledKkm, polledRegister];
export const otherKkm = "0009999999999999";
export const exchangedKkm = toKkm("0005555555555555");
export const otherRegister = toRegisterId("till-9");
export const paidInCash = { total: 122, payments: [{ type: 0, sum: 122 }] };
export const cup = { name: "Чай", price: 122, quantity: 1, sum: 122, tax: 1 };

export class Scene {
  readonly refusals: OrderRefusal[] = [];
  readonly formatErrors: FormatErrorReport[] = [];
  readonly resent: number[] = [];
  readonly delivered = new Set<number>();
  readonly warnings: string[] = [];
  wakes = 0;
  unseen: RegisterId | null = null;
  isForgetful = false;
  /** The register with the number `otherKkm`. */
  foreign: RegisterId | null = null;
  rows: readonly TaxRow[] = [{ id: 1, title: "22%", vat: 11 }];
  /** Earlier lists that the site may still use. */
  olderRows: readonly (readonly TaxRow[])[] = [];
  confirmed = true;
  readonly db: OpenStores["db"];
  readonly clock: FakeClock;
  readonly jobs: JobStore;
  readonly journal: Journal;
  intake: OrderIntake;

  constructor({ db, clock, jobs, journal }: OpenStores) {
    this.db = db;
    this.clock = clock;
    this.jobs = jobs;
    this.journal = journal;
    this.intake = makeIntake({
      ...{ jobs, clock, journal },
      events: {
        addRefusal: (refusal) => this.refusals.push(refusal),
        addFormatError: (report) => this.formatErrors.push(report),
        resendResult: (job) => this.delivered.has(job.id) && this.resent.push(job.id) > 0,
        told: (job) => (this.delivered.has(job.id) ? "yes" : "no"),
      },
      findRegister: (number) => (number === kkm ? register : number === otherKkm ? this.foreign : null),
      isForgetful: () => this.isForgetful,
      unseenRegister: () => this.unseen,
      taxListsOf: (number) => {
        if (number === exchangedKkm) return [];
        const isForeign = this.foreign === otherRegister && number === otherKkm;
        return isForeign ? [[{ id: 1, title: "10%", vat: 2 }]] : [this.rows, ...this.olderRows];
      },
      areRowsConfirmed: () => this.confirmed,
      log: createTestLogger((line) => this.warnings.push(line)),
      wake: () => {
        this.wakes += 1;
      },
    });
  }

  accept(body: unknown): AcceptResult {
    return this.intake.accept(answerOf(body, { askedAt: this.clock.now() }));
  }

  print(id: number): void {
    this.jobs.claim(id, register, this.clock.now());
    this.jobs.markPrinted(id, makeDocument(), this.clock.now());
    this.delivered.add(id);
  }
}

export function order({ orderId = "A-1", price = 100, orderKkm = String(kkm) } = {}) {
  return { response: { kkm: orderKkm, orderId, taskTable: saleTable({ price }) } };
}
