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

/**
 * Signals tell all nodes of one database that there is something to do. They may come late or twice. A signal that was
 * lost is made up for within ten seconds by one with the payload "", which may mean anything.
 */
export interface Signals {
  subscribe(channel: string, listener: (payload: string) => void): () => void;
  close(): Promise<void>;
}

export type Listeners = EventEmitter<Record<string, [payload: string]>>;

export function tellAll(listeners: Listeners): void {
  for (const channel of listeners.eventNames()) listeners.emit(channel, "");
}

/** The last call makes each held poll query once more, and find the store closed. */
export function endListeners(listeners: Listeners): void {
  tellAll(listeners);
  listeners.removeAllListeners();
}

/** Everything that waits is a listener, so their number has no limit. */
export function createListeners(): Listeners {
  return new EventEmitter<Record<string, [payload: string]>>().setMaxListeners(0);
}
