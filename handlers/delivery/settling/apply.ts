/** The only writer of account entries. No other code queues or withdraws orders' receipts in the kit's store. */

import { type Fault, isFault } from "@fiscald/shared/fault.js";
import { localTimeAt } from "@fiscald/shared/local-time.js";
import { insertRows } from "../../store/insert-rows.js";
import type { Account, AccountEntry, EntryState } from "../account/entries.js";
import { withRatesInForce } from "../account/order-receipt.js";
import type { Plan, Planned } from "../account/plan.js";
import type { CommitScope } from "../orders/order-change.js";

interface ToQueue {
  readonly saleId: string;
  readonly planned: Planned;
}

export interface RefusedReceipt extends ToQueue {
  readonly fault: Fault;
}

type NewEntry = Omit<AccountEntry, "seq" | "createdAt">;

interface Appended {
  readonly saleId: string;
  readonly entry: NewEntry;
  /** The entry's number, which the key of its receipt names. Absent: the next number. */
  readonly number?: number;
}

/** Carries out plans step by step, and holds the accounts as they are after each step. */
export class ApplyPlan {
  readonly #scope: CommitScope;
  readonly #accounts: Map<string, Account>;

  constructor(scope: CommitScope, accounts: readonly Account[]) {
    this.#scope = scope;
    this.#accounts = new Map(accounts.map((account) => [account.saleId, account]));
  }

  accountOf(saleId: string): Account {
    const account = this.#accounts.get(saleId);
    if (account === undefined) throw new Error(`account ${saleId} is not loaded`);
    return account;
  }

  /** Returns the receipts that the kit refuses, or whose rates are not in force. */
  async take(plans: readonly { readonly saleId: string; readonly plan: Plan }[]): Promise<readonly RefusedReceipt[]> {
    const toQueue: ToQueue[] = [];
    for (const { saleId, plan } of plans) {
      for (const entry of plan.withdraw) await this.#withdraw(saleId, entry);
      toQueue.push(...plan.enqueue.map((planned) => ({ saleId, planned })));
    }
    return this.#enqueue(toQueue);
  }

  /** If the kit withdraws nothing, a print server has the receipt already. */
  async #withdraw(saleId: string, { seq, receiptId }: AccountEntry): Promise<void> {
    const { backend, tx, resource } = this.#scope;
    const isTaken = receiptId !== null && (await backend.kit?.withdraw(tx, resource, receiptId)) === true;
    await this.move(saleId, seq, { state: isTaken ? "void" : "handed" });
  }

  async #enqueue(planned: readonly ToQueue[]): Promise<readonly RefusedReceipt[]> {
    const { backend, tx, resource, now } = this.#scope;
    if (backend.kit === null || planned.length === 0) return [];
    const day = localTimeAt(now, backend.rules.registerTimeZone).slice(0, 10);
    const toQueue: ToQueue[] = [];
    const refused: RefusedReceipt[] = [];
    for (const one of planned) {
      const receipt = withRatesInForce(one.planned.receipt, day);
      if (isFault(receipt)) refused.push({ ...one, fault: receipt });
      else toQueue.push({ ...one, planned: { ...one.planned, receipt } });
    }
    const numbers = this.#numbersOf(toQueue);
    const receipts = toQueue.map(({ saleId, planned: { receipt } }, index) => {
      const number = numbers[index] ?? 1;
      return { receipt, key: number === 1 ? null : `account ${saleId} ${number}` };
    });
    const results = await backend.kit.enqueue(tx, resource, receipts);
    const added: Appended[] = [];
    for (const [index, { saleId, planned }] of toQueue.entries()) {
      const queued = results[index] ?? null;
      if (isFault(queued)) refused.push({ saleId, planned, fault: queued });
      else {
        added.push({ saleId, entry: queuedEntry(planned, queued), number: numbers[index] ?? 1 });
      }
    }
    await this.append(added);
    return refused;
  }

  /** A refused receipt's number stays unused, and the next receipt keeps its own. */
  #numbersOf(toQueue: readonly ToQueue[]): readonly number[] {
    const next = new Map<string, number>();
    return toQueue.map(({ saleId }) => {
      const number = next.get(saleId) ?? this.#nextNumber(saleId);
      next.set(saleId, number + 1);
      return number;
    });
  }

  #nextNumber(saleId: string): number {
    return (this.accountOf(saleId).entries.at(-1)?.seq ?? 0) + 1;
  }

  async append(added: readonly Appended[]): Promise<void> {
    const { tx, resource, now } = this.#scope;
    const rows = added.map(({ saleId, entry: given, number }) => {
      const account = this.accountOf(saleId);
      const seq = number ?? this.#nextNumber(saleId);
      // A return that gets its refund order copies the entry that it replaces, but needs a number of its own.
      const entry: AccountEntry = { ...given, seq, createdAt: now };
      this.#accounts.set(saleId, { ...account, entries: [...account.entries, entry] });
      return {
        resource,
        sale_id: saleId,
        seq,
        kind: entry.kind,
        basis_seq: entry.basisSeq,
        refund_id: entry.refundId,
        issued_by: entry.by,
        state: entry.state,
        receipt_id: entry.receiptId,
        fn: entry.fn,
        fd: entry.fd,
        lines: JSON.stringify(entry.lines),
        payments: JSON.stringify(entry.payments),
        total: entry.total,
        tax_system: entry.taxSystem,
        is_assumed: entry.isAssumed ? 1 : 0,
        details: entry.details,
        created_at: now,
      };
    });
    await insertRows({ tx, table: "account_entries", rows });
  }

  async move(saleId: string, seq: number, to: NextState): Promise<void> {
    const account = this.accountOf(saleId);
    const entries = account.entries.map((entry) => (entry.seq === seq ? { ...entry, ...to } : entry));
    this.#accounts.set(saleId, { ...account, entries });
    await moveEntry(this.#scope, { saleId, seq }, to);
  }
}

interface NextState {
  readonly state: EntryState;
  readonly fn?: string;
  readonly fd?: string;
}

export async function moveEntry(
  { tx, resource }: CommitScope,
  { saleId, seq }: { readonly saleId: string; readonly seq: number },
  to: NextState,
): Promise<void> {
  await tx
    .updateTable("account_entries")
    .set(to)
    .where((is) => is.and({ resource, sale_id: saleId, seq }))
    .execute();
}

function queuedEntry(
  { wanted: { kind, basis, refundId }, content, details }: Planned,
  receiptId: string | null,
): NewEntry {
  const ofShop = { by: "shop", state: "queued", fn: null, fd: null, isAssumed: false } as const;
  return { kind, basisSeq: basis?.seq ?? null, refundId, receiptId, details, ...ofShop, ...content };
}
