/** A document of a register and the result that reports it, from which the tests of the judges start. */
import { linkTo } from "../processes/daemon-config.js";
import type { RegisteredDocument } from "../processes/registered-document.js";
import type { ReportedResult } from "./verdict.js";

type Item = RegisteredDocument["items"][number];

export function documentItem(name: string, sumKopecks: number, over: Partial<Item> = {}): Item {
  const rates = { taxId: 1, vat: 11, vatSumKopecks: 0 };
  return {
    ...{ name, priceKopecks: sumKopecks, quantity: 1, sumKopecks, ...rates, department: 1, subject: 1, method: 4 },
    ...over,
  };
}

/** A sale of 30.50. */
export function sampleDocument(over: Partial<RegisteredDocument> = {}): RegisteredDocument {
  return {
    ...{ kkm: "0000000001000001", inn: "7705260890", fn: "9999078900000001", fd: 7, shift: 3, receiptNumber: 4 },
    ...{ type: "receipt", operation: "sale", totalKopecks: 3050, items: [documentItem("o1 строка 1", 1000)] },
    ...{ payments: [], changeKopecks: 0, vatTotals: [], contact: null, internet: false, settlementPlace: null },
    ...{ cashier: null, cashierInn: null, taxSystem: 1, orderMark: null, printed: true, fiscalSign: "0123456789" },
    time: "2026-11-20T14:05:07",
    ...over,
  };
}

/** The result with which the daemon reports a document. */
export function toldOf(document: RegisteredDocument, over: ReportedResult = {}): ReportedResult {
  const { kkm, inn, fn, fd, fiscalSign, shift, receiptNumber, operation, totalKopecks } = document;
  return {
    ...{ outcome: "printed", resultCode: 0, kkm, inn, fn, fdNumber: String(fd), fpd: fiscalSign },
    ...{ shiftNumber: String(shift), receiptNumber: String(receiptNumber), dateTime: "20.11.2026 14:05:00" },
    ...{ operation: operation === "sale" ? "sell" : "sell_refund", total: (totalKopecks ?? 0) / 100 },
    OFDLink: Buffer.from(linkTo(document)).toString("base64"),
    ...over,
  };
}
