/** Returns that a person ordered at the till: fiscal facts, always stored. What moved the money only the shop knows. */
import { itemsOf, type SaleReceipt, totalOf } from "@fiscald/shared/receipt/receipt.js";
import type { PrintResult } from "../../print-server/host-callbacks.js";
import { ourReceipt } from "../../print-server/order-body.js";
import { type Account, basisNow, currentOf } from "../account/entries.js";
import { findByDocument, loadAccounts } from "../account/load-accounts.js";
import type { GivenLine } from "../account/refundable.js";
import { recordResult } from "../orders/fiscal-records.js";
import type { CommitScope } from "../orders/order-change.js";
import type { StoredOrder } from "../orders/stored-order.js";
import { ApplyPlan } from "./apply.js";

/**
 * Adds the return to the account of its order. Null: the result is no such return, or of an unknown order. A correction
 * repairs what the law wants to know of the sale: no goods and no money moved.
 */
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

/** The lines as those of the receipt that gave them; a line that it lacks makes the content an assumed one. */
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
