/** Applies a print result: fiscal record, register log, the state of the entry; then the account is settled. */
import { instantOf } from "@fiscald/shared/local-time.js";
import type { PrintResult } from "../../print-server/host-callbacks.js";
import { formatWireTime } from "../http/wire-types.js";
import { type CommitScope, queueCallback } from "../orders/commit.js";
import { type FiscalRecord, saveFiscalRecord } from "../orders/fiscal-record.js";
import { recordRegisterLog } from "../orders/register-log.js";
import { findOrders, keyText } from "../orders/rows.js";
import type { StoredOrder } from "../orders/stored-order.js";
import { ApplyPlan } from "./apply.js";
import { findDocument } from "./courier-documents.js";
import type { AccountEntry, EntryState } from "./entries.js";
import { findByReceipt, loadAccounts } from "./load-accounts.js";
import { settleAccounts } from "./settle-accounts.js";

/** Replaces the number of a document that the print server does not know. */
const NO_NUMBER = "unknown:";

/** A result of the kit's receipt store. Results of receipts that are not of an order are ignored. */
export async function applyPrintResult(scope: CommitScope, result: PrintResult, timeZone: string): Promise<void> {
  const { tx, resource, now } = scope;
  const { receiptId } = result;
  const found = receiptId === null ? null : await findByReceipt(tx, resource, receiptId);
  if (receiptId === null || found === null) return;
  const account = (await loadAccounts(tx, resource, [found.saleId])).get(found.saleId);
  const entry = account?.entries.find(({ seq }) => seq === found.seq);
  if (account === undefined || entry === undefined) return;
  const refundKey = entry.refundId === null ? null : { orderId: entry.refundId, isRefund: true };
  const known =
    refundKey === null
      ? { order: account.sale, isActive: !account.isHidden }
      : (await findOrders(tx, resource, [refundKey.orderId])).get(keyText(refundKey));
  if (known === undefined) return;
  const { order } = known;
  const frId = result.messageId ?? `${receiptId}:${result.outcome}`;
  await recordRegisterLog(tx, { resource, now, frId, order, result });
  const record = result.outcome === "printed" ? fiscalRecordOf(order, entry, { result, timeZone }) : null;
  // The document has a number even where the print server does not report it.
  const fd = record === null ? null : record.fdNumber || `${NO_NUMBER}${receiptId}`;
  if (record !== null && fd !== null) await saveFiscalRecord(tx, scope, record, fd);
  const state = nextState(entry, result.outcome);
  if (state === null) return;
  // A courier has reported the same number, or a register counts its documents again: the entry stays without a number.
  const isEntered =
    record !== null && fd !== null && (await findDocument(scope, { fn: record.fn, fdNumber: fd })) !== null;
  const numbers = record === null || fd === null || isEntered ? {} : { fn: record.fn, fd };
  await new ApplyPlan(scope, [account]).move(account.saleId, entry.seq, { state, ...numbers });

  const asResult: CommitScope = { ...scope, isResult: true };
  const registered = state === "registered" ? entry.seq : undefined;
  const changed = await settleAccounts(asResult, { changes: [], saleIds: [account.saleId], registered });
  // A further receipt leaves the order's statuses as they are; the shop gets its callback.
  if (changed.some((one) => keyText(one) === keyText(order))) return;
  await queueCallback(asResult, [{ before: order, after: order, isHidden: !known.isActive }]);
}

/** Results come late and out of order: a registered entry stays registered. Null where nothing changes. */
function nextState({ state }: AccountEntry, outcome: PrintResult["outcome"]): EntryState | null {
  const next = outcome === "printed" ? "registered" : outcome;
  return state === next || state === "registered" ? null : next;
}

function fiscalRecordOf(
  order: StoredOrder,
  { kind }: AccountEntry,
  { result, timeZone }: { readonly result: PrintResult; readonly timeZone: string },
): FiscalRecord {
  return {
    orderId: order.orderId,
    operation: kind === "return" ? "return" : "sale",
    serialNumber: result.kkm,
    shiftNumber: result.shiftNumber ?? "",
    fn: result.fn,
    fdNumber: result.fdNumber ?? "",
    receiptNumber: result.receiptNumber ?? "",
    fiscalSign: result.fiscalSign ?? "",
    dateTimeReceipt: result.time === null ? "" : formatWireTime(instantOf(result.time, timeZone)),
  };
}
