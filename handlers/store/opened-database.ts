import { EventEmitter } from "node:events";
import type { Dialect, QueryExecutorProvider } from "kysely";

export type StoreKind = "sqlite" | "postgres";

/** Tables of a store of which no part is known yet. Each part adds its own by `withTables`. */
export type NoTables = Record<never, never>;

export interface OpenedStoreDatabase {
  readonly kind: StoreKind;
  readonly dialect: Dialect;
  readonly signals: Signals;
  notifyAtCommit(tx: QueryExecutorProvider, channel: string, payloads: readonly string[]): Promise<void>;
  version(othersUnseenMs?: number): string | null;
  committed(): void;
  close(): Promise<void>;
}

/** Signals tell all nodes of one database that there is something to do. They may come late, twice or not at all. */
export interface Signals {
  subscribe(channel: string, listener: (payload: string) => void): () => void;
  close(): Promise<void>;
}

/** The last call makes each held poll query once more, and find the store closed. */
export function endListeners(listeners: ReturnType<typeof createListeners>): void {
  for (const channel of listeners.eventNames()) listeners.emit(channel, "");
  listeners.removeAllListeners();
}

/** Each poll that is held is a listener, so their number has no limit. */
export function createListeners(): EventEmitter<Record<string, [payload: string]>> {
  return new EventEmitter<Record<string, [payload: string]>>().setMaxListeners(0);
}
