/** Applies a print result: register log, fiscal record, the state of the entry; then the account is settled. */
import type { PrintResult } from "../../print-server/host-callbacks.js";
import { type CommitScope, queueCallback } from "../orders/commit.js";
import { recordResult } from "../orders/fiscal-records.js";
import { moveEntry } from "./apply.js";
import type { AccountEntry, EntryState } from "./entries.js";
import { findByDocument, findByReceipt } from "./load-accounts.js";
import { settleAccounts } from "./settle-accounts.js";

/** A result of the kit's receipt store. Results of receipts that are not of an order are ignored. */
export async function applyPrintResult(scope: CommitScope, result: PrintResult, timeZone: string): Promise<void> {
  const { tx, resource } = scope;
  const entry = result.receiptId === null ? null : await findByReceipt(tx, resource, result.receiptId);
  if (entry === null) return;
  const { saleId, seq, order, isActive } = entry;
  const operation = entry.kind === "return" ? "return" : "sale";
  const document = await recordResult(tx, scope, { result, order, operation, timeZone });
  const state = nextState(entry, result.outcome);
  if (state === null) return;
  const known = document === null ? null : await findByDocument(tx, resource, document);
  // A courier has reported this very document before its result came.
  const isSame = known?.by === "courier" && known.saleId === saleId && known.kind === entry.kind;
  if (known !== null && isSame) await moveEntry(scope, { saleId, seq: known.seq }, { state: "void" });
  // Another order's courier has reported this number, or a register counts its documents again: the entry has none.
  await moveEntry(scope, { saleId, seq }, { state, ...(known === null || isSame ? document : null) });
  const registered = state === "registered" ? seq : undefined;
  await settleAccounts(scope, { changes: [], saleIds: [saleId], registered });
  // A further receipt leaves the order's statuses as they are; the shop gets its callback.
  await queueCallback(scope, [{ before: order, after: order, isHidden: !isActive }]);
}

/** Results come late and out of order: a registered entry stays registered. Null where nothing changes. */
function nextState({ state }: Pick<AccountEntry, "state">, outcome: PrintResult["outcome"]): EntryState | null {
  const next = outcome === "printed" ? "registered" : outcome;
  return state === next || state === "registered" ? null : next;
}
