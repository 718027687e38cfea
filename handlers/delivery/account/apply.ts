/** The only writer of account entries; only it puts receipts of orders into the kit's store, or withdraws them. */

import { type Fault, isFault } from "@fiscald/shared/fault.js";
import { insertRows } from "../../store/insert-rows.js";
import type { CommitScope } from "../orders/commit.js";
import type { MadeReceipt } from "../orders/receipt-problem-fields.js";
import type { StoredOrder } from "../orders/stored-order.js";
import type { Account, AccountEntry, EntryState } from "./entries.js";
import { detailsOf } from "./order-receipt.js";
import type { Plan, Planned, Wanted } from "./plan.js";
import { totalOfLines } from "./refundable-lines.js";

export interface RefusedReceipt {
  readonly saleId: string;
  readonly wanted: Wanted;
  readonly fault: Fault;
  readonly made: MadeReceipt;
}

interface ToQueue {
  readonly saleId: string;
  readonly planned: Planned;
}

type NewEntry = Omit<AccountEntry, "seq" | "createdAt" | "total">;

/** Holds the accounts as they are after each step. */
export class ApplyPlan {
  readonly #scope: CommitScope;
  readonly #accounts: Map<string, Account>;
  readonly #queued: StoredOrder[] = [];

  constructor(scope: CommitScope, accounts: readonly Account[]) {
    this.#scope = scope;
    this.#accounts = new Map(accounts.map((account) => [account.saleId, account]));
  }

  accountOf(saleId: string): Account {
    const account = this.#accounts.get(saleId);
    if (account === undefined) throw new Error(`account ${saleId} is not loaded`);
    return account;
  }

  /** The orders whose receipts were put into the kit's store. */
  get queuedOrders(): readonly StoredOrder[] {
    return this.#queued;
  }

  /** Returns the receipts that the kit refuses. */
  async take(plans: readonly { readonly saleId: string; readonly plan: Plan }[]): Promise<readonly RefusedReceipt[]> {
    const toQueue: ToQueue[] = [];
    for (const { saleId, plan } of plans) {
      for (const entry of plan.withdraw) await this.#withdraw(saleId, entry);
      toQueue.push(...plan.enqueue.map((planned) => ({ saleId, planned })));
    }
    return this.#enqueue(toQueue);
  }

  /** Where the kit withdraws nothing, a print server has the receipt. */
  async #withdraw(saleId: string, { seq, receiptId }: AccountEntry): Promise<void> {
    const { backend, tx, resource } = this.#scope;
    const isTaken = receiptId !== null && (await backend.kit?.withdraw(tx, resource, receiptId)) === true;
    await this.move(saleId, seq, { state: isTaken ? "void" : "handed" });
  }

  async #enqueue(toQueue: readonly ToQueue[]): Promise<readonly RefusedReceipt[]> {
    const { backend, tx, resource } = this.#scope;
    const { kit } = backend;
    if (kit === null || toQueue.length === 0) return [];
    const first = toQueue.filter(({ saleId }) => this.accountOf(saleId).entries.length === 0);
    const ids = await kit.enqueueFirst(
      tx,
      resource,
      first.map(({ planned }) => planned.receipt),
    );
    const added: { saleId: string; entry: NewEntry }[] = [];
    const refused: RefusedReceipt[] = [];
    const add = ({ saleId, planned }: ToQueue, receiptId: string) => {
      const { wanted, content, receipt } = planned;
      this.#queued.push(wanted.order);
      const entry: NewEntry = {
        kind: wanted.kind,
        basisSeq: wanted.basis?.seq ?? null,
        refundId: wanted.refundId,
        by: "shop",
        state: "queued",
        receiptId,
        fn: null,
        fd: null,
        ...content,
        isAssumed: false,
        details: detailsOf(receipt),
      };
      added.push({ saleId, entry });
    };
    for (const one of toQueue) {
      const known = ids[first.indexOf(one)] ?? null;
      if (known !== null) {
        add(one, known);
        continue;
      }
      const { receipt, wanted, content } = one.planned;
      try {
        add(one, await kit.enqueue(tx, resource, receipt, { isFirst: first.includes(one) }));
      } catch (fault) {
        if (!isFault(fault) || fault.code === "store.failed") throw fault;
        refused.push({
          saleId: one.saleId,
          wanted,
          fault,
          made: { order: wanted.order, receipt, lines: content.lines },
        });
      }
    }
    await this.append(added);
    return refused;
  }

  async append(
    added: readonly {
      readonly saleId: string;
      readonly entry: NewEntry & { readonly total?: AccountEntry["total"] };
    }[],
  ): Promise<void> {
    const { backend, tx, resource, now } = this.#scope;
    const rows = added.map(({ saleId, entry: given }) => {
      const account = this.accountOf(saleId);
      const seq = (account.entries.at(-1)?.seq ?? 0) + 1;
      const entry: AccountEntry = {
        ...given,
        seq,
        createdAt: now,
        total: given.total ?? totalOfLines(given.lines),
      };
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
    await insertRows({ tx, kind: backend.store.kind, table: "account_entries", rows });
  }

  async move(
    saleId: string,
    seq: number,
    to: { readonly state: EntryState; readonly fn?: string; readonly fd?: string },
  ): Promise<void> {
    const { tx, resource } = this.#scope;
    const account = this.accountOf(saleId);
    const entries = account.entries.map((entry) => (entry.seq === seq ? { ...entry, ...to } : entry));
    this.#accounts.set(saleId, { ...account, entries });
    await tx
      .updateTable("account_entries")
      .set(to)
      .where("resource", "=", resource)
      .where("sale_id", "=", saleId)
      .where("seq", "=", seq)
      .execute();
  }
}
