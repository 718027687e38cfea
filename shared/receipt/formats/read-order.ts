/** Reads the raw answer to a poll for orders as a receipt, and throws nothing. The daemon uses only this entry. */
import { foreignBody } from "../../exchange/foreign-bodies.js";
import { headFields, kkmField } from "../../exchange/head-fields.js";
import { idText, pickFields, spellingsOf } from "../../exchange/lenient-fields.js";
import type { OrderWarning } from "../../exchange/order-problem.js";
import { type OrderAnswer, type ReceiptFormat, readAnswer } from "../../exchange/read-answer.js";
import { Fault, toFault } from "../../fault.js";
import { type Kkm, type OrderId, type ReceiptId, toOrderId } from "../../ids.js";
import { defaultRules, type ReceiptRules } from "../check-receipt.js";
import type { TaxRow } from "../vat.js";
import { findOversights, namingMisspelt, type Oversight } from "./find-oversights.js";
import { fromOnlineReceipt } from "./from-online-receipt.js";
import { taskTableReader } from "./from-task-table.js";
import type { ReadReceipt } from "./read-sale.js";

export type ReadOrder = Exclude<OrderAnswer, { readonly kind: "order" }> | OrderReceipt | BrokenOrder;

export interface OrderReceipt extends ReadReceipt {
  readonly kind: "receipt";
  readonly oversights: readonly Oversight[];
}

export interface BrokenOrder {
  readonly kind: "broken";
  readonly fault: Fault;
  /** Null where the answer names no readable id; the result for the site needs these ids. */
  readonly orderId: OrderId | null;
  readonly receiptId: ReceiptId | null;
  readonly kkm: Kkm | null;
  /** False: the site itself may have a problem, so that the answer is no order at all. */
  readonly isOrder: boolean;
  /** Misspelt keys that may have led to the fault. */
  readonly oversights?: readonly Oversight[];
}

export interface ReadOrderOptions extends ReadBy {
  readonly format: ReceiptFormat;
}

export type OrderReader = (by: ReadBy) => ReadOrder;

export interface ReadBy {
  readonly rules?: ReceiptRules;
  /** The polled register's rows, which say what the number in a position's `tax` means. */
  readonly taxes?: readonly TaxRow[];
  readonly lastTaxes?: readonly TaxRow[];
  /** The day, `2026-11-20`: rates that are not in force on this day are refused. Absent: no rate is refused. */
  readonly today?: string;
}

/** All that is odd in a receipt that can be printed, for the shop that sent it. */
export function warningsOf(read: Pick<OrderReceipt, "warnings" | "oversights">): readonly OrderWarning[] {
  return [...read.warnings, ...read.oversights].map(({ path, message, ru }) => ({ path, message, ru }));
}

export function readOrder(raw: string, options: ReadOrderOptions): ReadOrder {
  return orderReader(raw, options)(options);
}

/** Parses the answer once. The returned function reads the order by rules, as often as the rules change. */
export function orderReader(raw: string, form: Pick<ReadOrderOptions, "format">): OrderReader {
  const answer = answerOf(raw, form);
  if (answer.kind !== "order") return () => answer;
  const { body, format } = answer;
  const read = format === "task-table" ? taskTableReader(body) : fromOnlineReceipt.bind(null, body);
  return ({ rules = defaultRules, taxes = [], lastTaxes = taxes, today = null }) => {
    try {
      const receipt = read(rules, { taxes, lastTaxes, today });
      return { kind: "receipt", ...receipt, oversights: findOversights(body, format, receipt, lastTaxes) };
    } catch (error) {
      const foreign = foreignBody(body);
      const oversights = findOversights(body, format, null);
      const fault =
        foreign === null
          ? namingMisspelt(toFault(error, "internal"), body, oversights)
          : new Fault("order.unreadable", { message: foreign, cause: error });
      return { kind: "broken", fault, ...namesIn(body), isOrder: true, oversights };
    }
  };
}

function answerOf(raw: string, form: Pick<ReadOrderOptions, "format">): OrderAnswer | BrokenOrder {
  try {
    return readAnswer(raw, form);
  } catch (error) {
    return { kind: "broken", fault: toFault(error, "order.unreadable"), ...noNames, isOrder: false };
  }
}

/** A number may be too long for an order, and still names the order in the result for the site. */
const anyOrderId = idText({ max: 1000 }).transform((text) => toOrderId(text));
const nameFields = spellingsOf(["orderId", "external_id", "receiptId", "kkm"]);

type Names = Pick<BrokenOrder, "orderId" | "receiptId" | "kkm">;
export const noNames: Names = { orderId: null, receiptId: null, kkm: null };

function namesIn(body: object): Names {
  const { fields } = pickFields(body, nameFields);
  const orderId = anyOrderId.safeParse(fields.orderId ?? fields.external_id);
  const kkm = kkmField.safeParse(fields.kkm);
  const { data: receiptId = null } = headFields.receiptId.safeParse(fields.receiptId);
  return { orderId: orderId.success ? orderId.data : null, receiptId, kkm: kkm.success ? kkm.data : null };
}
