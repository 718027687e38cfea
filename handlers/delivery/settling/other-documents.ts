/** Documents that are no receipts of ours: corrections, returns by a person at the till, receipts of the site. */
import { itemsOf, type SaleReceipt, totalOf } from "@fiscald/shared/receipt/receipt.js";
import type { PrintResult } from "../../print-server/host-callbacks.js";
import { ourReceipt } from "../../print-server/order-body.js";
import { type Account, basisNow, currentOf } from "../account/entries.js";
import { findByDocument, findByReceipt, loadAccounts } from "../account/load-accounts.js";
import type { GivenLine } from "../account/refundable.js";
import { recordOtherResult, recordResult } from "../orders/fiscal-records.js";
import type { CommitScope } from "../orders/order-change.js";
import { findOrders, keyText } from "../orders/rows.js";
import type { StoredOrder } from "../orders/stored-order.js";
import { ApplyPlan } from "./apply.js";
import { writeJournal } from "./commit.js";

export async function showOtherResult(scope: CommitScope, result: PrintResult, timeZone: string): Promise<void> {
  const { tx, resource } = scope;
  const { orderId, receiptId } = result;
  if (orderId === null) return;
  if (receiptId !== null && (await findByReceipt(tx, resource, receiptId)) !== null) return;
  const known = await findOrders(tx, resource, [orderId]);
  const found = known.get(keyText({ orderId, isRefund: false })) ?? known.get(keyText({ orderId, isRefund: true }));
  // A correction may name a settlement that the shop has never sent as an order.
  if (found === undefined && result.correction !== true) return;
  const order = found?.order ?? { orderId, courierId: null };
  const fiscalDocument = await recordOtherResult(tx, scope, result, { order, timeZone });
  if (fiscalDocument === null || found?.isActive !== true) return;
  const document = { event: "update", before_item: "{}", after_item: JSON.stringify({ fiscalDocument }) };
  await writeJournal(scope, [{ order: found.order, entry: document }]);
}

/** Adds a return that a person ordered at the till. Null: no return (a correction moves no goods), or no order. */
export async function addReturnOfPerson(
  scope: CommitScope,
  result: PrintResult,
  timeZone: string,
): Promise<{ readonly sale: StoredOrder; readonly isHidden: boolean } | null> {
  const { tx, resource } = scope;
  const { by, orderId, receiptId, operation, correction, outcome, stage } = result;
  const receipt = result.receipt === undefined ? null : ourReceipt(result.receipt);
  if (by === undefined || orderId === null || receiptId === null) return null;
  if (operation !== "return" || correction === true) return null;
  if (outcome === "failed" || receipt?.kind !== "receipt") return null;
  const account = (await loadAccounts(tx, resource, [orderId])).get(orderId);
  if (account === undefined) return null;
  const { saleId, sale, isHidden } = account;
  const document = await recordResult(tx, scope, { result, order: sale, operation: "return", timeZone });
  const isKnown = document !== null && (await findByDocument(tx, resource, document)) !== null;
  const { fn, fd } = document === null || isKnown ? { fn: null, fd: null } : document;
  const state = outcome === "printed" ? "registered" : "unknown";
  const entry = { ...contentOf(account, receipt, stage), receiptId, state, fn, fd } as const;
  await new ApplyPlan(scope, [account]).append([{ saleId, entry }]);
  return { sale, isHidden };
}

/** Looks the lines up in the receipt that is given back. If a line is missing there, the content is only assumed. */
function contentOf({ entries }: Account, receipt: SaleReceipt, stage: PrintResult["stage"]) {
  const basis = currentOf(entries, stage === "prepayment" ? "prepayment" : "sale") ?? basisNow(entries);
  const lines = itemsOf(receipt).flatMap(({ name, method, quantity, total }): readonly GivenLine[] => {
    const given = basis?.lines.find(({ line }) => line.name === name && line.method === method);
    return given === undefined ? [] : [{ of: given.of, line: { ...given.line, quantity, total } }];
  });
  return {
    ...({ kind: "return", by: "operator", basisSeq: basis?.seq ?? null, refundId: null, details: null } as const),
    ...{ lines, payments: receipt.payments, total: totalOf(receipt), taxSystem: receipt.taxSystem },
    isAssumed: lines.length < itemsOf(receipt).length,
  };
}
