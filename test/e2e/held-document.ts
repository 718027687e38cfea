/** What a register's fiscal memory must hold of an order, field by field. */
import type { EmulatedDocument } from "../support/emulator-process.js";

type HeldItem = EmulatedDocument["items"][number];
type Held = Omit<EmulatedDocument, "fn" | "fd" | "type" | "time" | "fiscalSign" | "shift" | "receiptNumber">;

/** A position in the fiscal memory. `vat`: code of tag 1199 and the kopecks inside the sum; row 1 is 20 %. */
export function held(facts: Pick<HeldItem, "name" | "priceKopecks" | "quantity"> & Partial<HeldItem>): HeldItem {
  const { priceKopecks } = facts;
  return {
    sumKopecks: priceKopecks,
    taxId: 1,
    vat: 1,
    vatSumKopecks: 0,
    department: 1,
    subject: 1,
    method: 4,
    ...facts,
  };
}

export const cash = (sumKopecks: number, givenKopecks = sumKopecks) => ({ typeClose: 0, sumKopecks, givenKopecks });
export const cashless = (sumKopecks: number, typeClose = 1) => ({ typeClose, sumKopecks, givenKopecks: sumKopecks });

/** All of a document but its numbers and time, which `print` compares with the result. */
export function expectHeld(document: EmulatedDocument, orderId: string, wanted: Partial<Held>): void {
  const { fn: _fn, fd: _fd, type: _type, time: _time, fiscalSign: _sign, ...rest } = document;
  const { shift: _shift, receiptNumber: _number, ...facts } = rest;
  const plain: Omit<Held, "totalKopecks" | "items" | "payments" | "vatTotals"> = {
    operation: "sale",
    changeKopecks: 0,
    contact: null,
    internet: false,
    settlementPlace: null,
    cashier: "Иванова А.А.",
    cashierInn: "770000000012",
    taxSystem: 1,
    orderMark: expect.stringMatching(new RegExp(`^${orderId} [0-9a-f]{8}\\.[0-9a-f]{8}$`)),
    printed: true,
  };
  expect(facts).toEqual({ ...plain, ...wanted });
}
