import { EventEmitter } from "node:events";
import type { Dialect, QueryExecutorProvider } from "kysely";

export type StoreKind = "sqlite" | "postgres";

/** Tables of a store that no part has named yet: every part adds its own with `withTables`. */
export type NoTables = Record<never, never>;

/** What SQLite and PostgreSQL each provide below the common store. */
export interface OpenedStoreDatabase {
  readonly kind: StoreKind;
  /** Makes the connections of each `Kysely` over this database, whatever tables it knows. */
  readonly dialect: Dialect;
  readonly signals: Signals;
  notifyAtCommit(tx: QueryExecutorProvider, channel: string, payloads: readonly string[]): Promise<void>;
  version(othersUnseenMs?: number): string | null;
  /** Called when a transaction of this process is committed. */
  committed(): void;
  close(): Promise<void>;
}

/** "There is something to do", between the parts and nodes of one database: may come late, twice or not at all. */
export interface Signals {
  /** Calls the listener at each signal of the channel. Returns the function that ends the subscription. */
  subscribe(channel: string, listener: (payload: string) => void): () => void;
  close(): Promise<void>;
}

/** Calls each listener for the last time, so that a poll that is held queries, and finds the store closed. */
export function endListeners(listeners: ReturnType<typeof createListeners>): void {
  for (const channel of listeners.eventNames()) listeners.emit(channel, "");
  listeners.removeAllListeners();
}

/** The listeners of this process, by channel. Each poll that is held is a listener. */
export function createListeners(): EventEmitter<Record<string, [payload: string]>> {
  return new EventEmitter<Record<string, [payload: string]>>().setMaxListeners(0);
}
