import type { Job, JobDocument } from "@fiscald/daemon/store/job.js";
import type { NewJob } from "@fiscald/daemon/store/job-store.js";
import { kopecks, ONE_UNIT } from "@fiscald/shared/amounts.js";
import { type FnSerial, toFnSerial, toOrderId, toRegisterId, toSiteId } from "@fiscald/shared/ids.js";
import type { LocalTime } from "@fiscald/shared/local-time.js";
import type { ItemLine, Payment, SaleReceipt, ServiceJob, ServiceLine } from "@fiscald/shared/receipt/receipt.js";

export function makeItem(over: Partial<ItemLine> = {}): ItemLine {
  const price = over.price ?? kopecks(10_000);
  return {
    type: "item",
    name: "Чай",
    price,
    quantity: ONE_UNIT,
    total: price,
    tax: 1,
    department: 1,
    subject: 1,
    method: 4,
    unit: null,
    measure: 0,
    agent: null,
    goodsCode: null,
    markingCode: null,
    countryCode: null,
    customsDeclaration: null,
    printSum: false,
    ...over,
  };
}

export function makeReceipt(over: Partial<SaleReceipt> = {}): SaleReceipt {
  const lines = over.lines ?? [makeItem()];
  const total = lines.reduce((sum, line) => sum + (line.type === "item" ? line.total : 0), 0);
  const payments: readonly Payment[] = [{ typeClose: 0, sum: kopecks(total) }];
  return {
    kind: "receipt",
    orderId: toOrderId("A-1"),
    receiptId: null,
    kkm: null,
    format: "task-table",
    cancelFirst: false,
    operation: "sale",
    lines,
    payments,
    contact: null,
    printDoc: true,
    internet: null,
    settlementPlace: null,
    cashier: null,
    taxSystem: null,
    expectedInn: null,
    cancelledByOrder: false,
    ...over,
  };
}

/** A waiting job of a sale that a site has ordered, in the form in which the store adds it. */
export function newJob(over: Partial<NewJob> = {}): NewJob {
  const none = { raw: null, polledKkm: null, key: null, forced: false, fault: null } as const;
  const place = { source: "site", site: toSiteId("shop"), register: toRegisterId("till"), state: "queued" } as const;
  return { ...none, ...place, receipt: makeReceipt(), now: 0, ...over };
}

/** A task table without a receipt. */
export function makeService(lines: readonly ServiceLine[], over: Partial<ServiceJob> = {}): ServiceJob {
  const none = { orderId: null, receiptId: null, kkm: null } as const;
  return { kind: "service", ...none, format: "task-table", cancelFirst: false, lines, ...over };
}

/** A Z report that a site orders. */
export const zReport = makeService([{ type: "report", report: "z" }], { orderId: toOrderId("Z-1") });

export function makeDocument(over: Partial<JobDocument> = {}): JobDocument {
  return {
    fn: toFnSerial("9999078900000001"),
    fd: 7,
    fiscalSign: "0123456789",
    shift: 3,
    receiptNumber: 1,
    time: "2026-11-20T14:05:00" as LocalTime,
    ...over,
  };
}

/** The paper of a receipt that was document 3 on this drive. */
export function makePaper(fn: FnSerial) {
  return {
    fn,
    fiscalSign: "1000000003",
    time: "2026-11-20T15:00:00" as LocalTime,
    shift: 1,
    receiptNumber: 2,
  };
}

export function makeJob(over: Partial<Job> = {}): Job {
  const receipt = over.receipt ?? makeReceipt();
  const isReceipt = receipt.kind === "receipt";
  return {
    id: 1,
    source: "site",
    site: toSiteId("shop"),
    raw: null,
    polledKkm: null,
    orderId: receipt.orderId,
    receiptId: receipt.receiptId,
    key: { key: "k", version: 1, canonical: "c" },
    mark: { issuer: "5f0b5f0b", digits: "0123abcd" },
    kind: receipt.kind,
    operation: isReceipt ? receipt.operation : null,
    total: isReceipt
      ? kopecks(receipt.lines.reduce((sum, line) => sum + (line.type === "item" ? line.total : 0), 0))
      : null,
    receipt,
    forced: false,
    register: toRegisterId("till-1"),
    taxes: [],
    taxpayer: null,
    state: "queued",
    doneParts: 0,
    tries: 0,
    fault: null,
    document: over.state === "printed" ? makeDocument() : null,
    createdAt: 0,
    updatedAt: 0,
    ...over,
  };
}
