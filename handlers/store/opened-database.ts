import type { Kysely, QueryExecutorProvider } from "kysely";
import type { Signals } from "./signals.js";

export type StoreKind = "sqlite" | "postgres";

/** Tables of a store that no part has named yet: every part adds its own with `withTables`. */
export type NoTables = Record<never, never>;

/** What each of the two kinds provides below the common store. */
export interface OpenedDatabase {
  readonly kind: StoreKind;
  readonly db: Kysely<NoTables>;
  readonly signals: Signals;
  notifyAtCommit(tx: QueryExecutorProvider, channel: string, payloads: readonly string[]): Promise<void>;
  version(): string | null;
  /** A transaction of this process is committed. */
  committed(): void;
}
