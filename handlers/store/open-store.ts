import { Fault, isFault, toFault } from "@fiscald/shared/fault.js";
import { codeOfError } from "@fiscald/shared/files/folder-rights.js";
import { silentLogger } from "@fiscald/shared/logger.js";
import { Kysely, type Transaction } from "kysely";
import { type MigrationSet, migrate } from "./migrate.js";
import type { NoTables, OpenedStoreDatabase, Signals, StoreKind } from "./opened-database.js";
import { openPostgres } from "./postgres.js";
import { type SiteLogger, toLogger } from "./site-logger.js";
import { openSqlite } from "./sqlite.js";

/** One database of a site: an SQLite file, or a PostgreSQL database that several nodes share. */
export interface Store<Tables> {
  readonly kind: StoreKind;
  /** For reading. Everything that writes goes through `transaction`. */
  readonly db: Kysely<Tables>;
  /**
   * Runs `work` in a transaction. SQLite takes the write lock at once. PostgreSQL repeats `work` (up to 5 times) when
   * two nodes collide, so `work` must do nothing but queries: no network, no effects outside the database.
   */
  transaction<T>(work: (tx: Transaction<Tables>) => Promise<T>): Promise<T>;
  /** Notifies all nodes once `tx` is committed (SQLite: once it has ended), once for each payload of a list. */
  notifyAtCommit(tx: Transaction<Tables>, channel: string, payload?: string | readonly string[]): Promise<void>;
  /** Runs the effect after the commit of `tx`, never after a rollback. `tx` is the object that `transaction` passed. */
  afterCommit(tx: Transaction<Tables>, effect: () => void): void;
  /** Migrates the tables of one part. Fault `store.newer` when the database is newer than this program. */
  migrate(set: MigrationSet): Promise<void>;
  /** The same store with the tables of another part: `store.withTables<ReceiptTables>()`. */
  withTables<More extends object>(): Store<More>;
  /** Tells all nodes of this database that there is something to do, without any data that matters. */
  readonly signals: Signals;
  /**
   * A text that changes with every notified change (SQLite: with every change) of any process. A change of another node
   * shows when its signal comes, or ten seconds later if that is lost. On SQLite other processes may be unseen for
   * `othersUnseenMs` (default 0). Null = only a query can say whether something has changed.
   */
  version(othersUnseenMs?: number): string | null;
  close(): Promise<void>;
}

export interface OpenStoreOptions {
  /** Path of an SQLite file, `:memory:`, or `postgres://user:password@host/database`. */
  readonly address: string;
  /** Default: no log. */
  readonly logger?: SiteLogger;
}

const COLLISION_TRIES = 5;

/** Opens the database. The caller migrates its tables and closes the store. */
export async function openStore(options: OpenStoreOptions): Promise<Store<NoTables>> {
  const logger = toLogger(options.logger ?? silentLogger);
  refuseOtherKinds(options.address);
  const opened = isPostgresAddress(options.address)
    ? await openPostgres(options.address, logger)
    : openSqlite(options.address);
  return storeOver(opened);
}

/** `mysql://...` would become an SQLite file of that name. */
function refuseOtherKinds(address: string): void {
  const scheme = /^[a-z][\w+.-]+:\/\//i.exec(address)?.[0];
  if (scheme === undefined || isPostgresAddress(address)) return;
  const message =
    `${scheme}... is no database of this kit: give the path of an SQLite file, or postgres://... ` +
    "For another database there is handlers/OWN-STORE.md.";
  throw new Fault("config.invalid", { message, place: "database" });
}

export function isPostgresAddress(address: string): boolean {
  return /^postgres(ql)?:\/\//i.test(address);
}

function storeOver<Tables>(opened: OpenedStoreDatabase): Store<Tables> {
  const db = new Kysely<Tables>({ dialect: opened.dialect });
  return {
    kind: opened.kind,
    db,
    signals: opened.signals,
    version: (othersUnseenMs) => opened.version(othersUnseenMs),
    transaction: (work) => runTransaction(opened, db, work),
    notifyAtCommit: (tx, channel, payload = "") => opened.notifyAtCommit(tx, channel, [payload].flat()),
    afterCommit: (tx, effect) => effectsOf(tx).push(effect),
    migrate: (set) => migrate(new Kysely({ dialect: opened.dialect }), opened.kind, set),
    withTables: <More extends object>() => storeOver<More>(opened),
    async close() {
      await opened.close();
      await opened.signals.close();
    },
  };
}

const effects = new WeakMap<object, (() => void)[]>();

function effectsOf(tx: object): (() => void)[] {
  const known = effects.get(tx);
  if (known === undefined) throw new Error("not a transaction that this store has opened");
  return known;
}

async function runTransaction<Tables, T>(
  { committed }: Pick<OpenedStoreDatabase, "committed">,
  db: Kysely<Tables>,
  work: (tx: Transaction<Tables>) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    const afterwards: (() => void)[] = [];
    try {
      // At read committed, a transaction that has waited for a lock sees what the lock's holder has committed.
      const begun = db.transaction().setIsolationLevel("read committed");
      const result = await begun.execute((tx) => {
        effects.set(tx, afterwards);
        return work(tx);
      });
      committed();
      for (const effect of afterwards) effect();
      return result;
    } catch (error) {
      if (isFault(error)) throw error;
      // A deadlock or a serialization failure has written nothing, so the same work may be done again.
      if (["40P01", "40001"].includes(codeOfError(error)) && attempt < COLLISION_TRIES) continue;
      throw toFault(error, "store.failed");
    }
  }
}
