/** Repairs of receipts on an emulated register, and their documents by tags. */
import { randomUUID } from "node:crypto";
import { type RepairRequest, repairRequest } from "@fiscald/daemon/corrections/repair-request.js";
import { Repairs } from "@fiscald/daemon/corrections/repairs.js";
import { OperatorReturns } from "@fiscald/daemon/intake/operator-return.js";
import { documentBody } from "@fiscald/emulators/memory/document-body.js";
import { type FiscalTag, numberOf, textOf } from "@fiscald/emulators/memory/fiscal-tag.js";
import { kopecks, quantity } from "@fiscald/shared/amounts.js";
import type { SaleReceipt } from "@fiscald/shared/receipt/receipt.js";
import { TILL } from "../../support/benches.js";
import { type EmulatedTill, openTill } from "../../support/emulated-till.js";
import { makeItem, makeReceipt } from "../../support/make-job.js";
import { type Bench, issuerOfBench } from "../../support/register-bench.js";

export const formats = ["1.05", "1.2"] as const;
export const sale = makeReceipt({
  lines: [
    makeItem({ name: "Чай", price: kopecks(30_00), quantity: quantity(2_000_000), total: kopecks(60_00), tax: 2 }),
    makeItem({ name: "Кофе", price: kopecks(40_00), tax: 2 }),
  ],
  payments: [{ typeClose: 0, sum: kopecks(150_00) }],
});

export function repairsOn({ stores, operator, fleet, clock }: Bench, isTold = false): Repairs {
  return new Repairs({
    ...{ stores, actions: operator, clock, newId: randomUUID, fleet },
    ...{ issuerOf: issuerOfBench, isTold: () => isTold },
  });
}

export function returnsOn({ stores, clock, wake }: Bench): OperatorReturns {
  return new OperatorReturns({
    ...{ ...stores, sites: [], registers: [{ id: TILL }], hasKit: () => false },
    ...{ newId: randomUUID, clock, wake: () => wake.notify() },
  });
}

export const broughtBack = { lines: null, fixes: false, reason: "the buyer brought it back" };

export const asked = (request: object): RepairRequest => repairRequest.parse(request);
export const day = "2026-11-01";

export async function soldOn(
  ffd: (typeof formats)[number],
  receipt: SaleReceipt = sale,
): Promise<EmulatedTill & { readonly job: number }> {
  const till = await openTill("shtrih", { ffd });
  const { id, state } = await till.bench.sell(receipt);
  expect(state).toBe("printed");
  return { ...till, job: id };
}

/** The main tags of each document after the sale. */
export function documentsOf(till: EmulatedTill) {
  return bodiesOf(till).map(({ form, body }) => {
    const date = numberOf(basisOf(body), 1178);
    return {
      ...{ form, sign: numberOf(body, 1054), total: numberOf(body, 1020), cash: numberOf(body, 1031) },
      fixes: textOf(body, 1192) ?? "",
      date: date === null ? null : new Date(date * 1000).toISOString(),
    };
  });
}

export function bodiesOf({ emulator: { core } }: EmulatedTill) {
  const receipts = core.documents.filter(({ type }) => type === "receipt" || type === "correction").slice(1);
  return receipts.map((document) => ({ form: document.type, body: documentBody(document, core.registration) }));
}

/** The tags inside tag 1174 (why the receipt is corrected). */
export function basisOf(body: readonly FiscalTag[]): readonly FiscalTag[] {
  const basis = body.find(({ tag }) => tag === 1174);
  return basis !== undefined && "items" in basis ? basis.items : [];
}
