/** Opens the database and the services that the routers of the delivery API share. */
import { type Clock, systemClock } from "@fiscald/shared/clock.js";
import { Fault } from "@fiscald/shared/fault.js";
import { consoleLogger } from "@fiscald/shared/logger.js";
import { receiptMigrations } from "../print-server/receipt-tables.js";
import { openStore, type Store } from "../store/open-store.js";
import type { NoTables } from "../store/opened-database.js";
import { type SiteLogger, toLogger } from "../store/site-logger.js";
import type { Backend, BackendRules } from "./backend/backend.js";
import { createPrintBridge, type PrintBridge } from "./backend/print-bridge.js";
import { createCallbackService } from "./callbacks/deliver-callbacks.js";
import { type Resolve, systemResolve } from "./callbacks/public-address.js";
import { DEFAULT_PASSWORD_COST } from "./catalog/password-hash.js";
import { createLoginLimit } from "./http/login-limit.js";
import type { PageBase } from "./http/paging.js";
import { deliveryMigrations } from "./store/delivery-migrations.js";
import type { DeliveryStore } from "./store/delivery-store.js";
import type { DeliveryTables } from "./store/delivery-tables.js";

export interface DeliveryOptions {
  /** Path of an SQLite file, `postgres://...`, or a store that is open already (and stays open). */
  readonly database: string | Store<NoTables>;
  /** The site's address for print servers, `https://shop.example`; without it `/printServerSettings` answers 404. */
  readonly publicUrl?: string;
  /** Where print servers find the fiscal router below `publicUrl`; default: where it is mounted. */
  readonly fiscalPath?: string;
  /** Whether delivery statuses change only along the arrows in README.md; default false. */
  readonly strictTransitions?: boolean;
  /** Whether a prepayment gets a receipt when it is paid; default false: the shop's payment page prints it. */
  readonly printPrepaymentReceipt?: boolean;
  /** Whether orders become receipts for the print server; default true. */
  readonly printReceipts?: boolean;
  /** Whether callbacks may go to private addresses; default false. */
  readonly allowPrivateCallbacks?: boolean;
  /** The number of the first page: 1 (0 then means the first page too), or 0; for `/locations` always 1. Default 1. */
  readonly pageBase?: PageBase;
  /** Time zone of the shops' registers; default Europe/Moscow. */
  readonly registerTimeZone?: string;
  readonly clock?: Clock;
  /** Default: warnings and errors on the console. */
  readonly logger?: SiteLogger;
  /** Looks up the addresses of callback hosts; default: the system's DNS. */
  readonly resolve?: Resolve;
}

/** Options that only tests change. */
export interface OpenDeliveryOptions extends DeliveryOptions {
  /** Changes of one order within this time (ms) are one callback; default 1000. */
  readonly coalesceMs?: number;
  /**
   * How often to look for callbacks that no signal announced, in ms; default 10 000; null: never. A process on SQLite
   * gets no signals of other processes, and signals of PostgreSQL are lost while the connection is broken.
   */
  readonly replayCheckMs?: number | null;
  /** How many days a courier's session lasts before the next login; default 30. */
  readonly sessionDays?: number;
  /** Wrong passwords of one courier from one address in a minute, counted by each node for itself; default 10. */
  readonly wrongPasswordsPerMinute?: number;
  /** Cost N of scrypt for couriers' passwords; default 16384, which takes about 50 ms a login. */
  readonly passwordCost?: number;
}

export interface OpenDelivery {
  readonly backend: Backend;
  /** Null where orders do not become receipts (`printReceipts: false`). */
  readonly bridge: PrintBridge | null;
  close(): Promise<void>;
}

/** Also starts to deliver callbacks. `fiscalMount` returns the path of the fiscal router. */
export async function openDelivery(
  options: OpenDeliveryOptions,
  fiscalMount: () => string = () => "/fiscal",
): Promise<OpenDelivery> {
  const { clock = systemClock, replayCheckMs = 10_000 } = options;
  const logger = toLogger(options.logger ?? consoleLogger);
  const { database } = options;
  const opened = typeof database === "string" ? await openStore({ address: database, logger }) : database;
  const closeOwn = async () => {
    if (typeof database === "string") await opened.close();
  };
  const store = await migrated(opened).catch(async (error: unknown) => {
    await closeOwn();
    throw error;
  });
  const rules = rulesOf(options);
  const callbacks = createCallbackService({
    store,
    clock,
    logger: logger.child({}, "delivery"),
    resolve: options.resolve ?? systemResolve,
    allowPrivate: options.allowPrivateCallbacks ?? false,
    checkEveryMs: replayCheckMs,
  });
  const bridge = options.printReceipts === false ? null : createPrintBridge({ store, clock, logger });
  const loginLimit = createLoginLimit({ limit: options.wrongPasswordsPerMinute ?? 10, clock });
  callbacks.start();
  const backend: Backend = {
    store,
    clock,
    logger,
    rules,
    kit: bridge,
    loginLimit,
    fiscalUrl: (resource) => fiscalUrl(options.publicUrl, options.fiscalPath ?? fiscalMount(), resource),
    testCallback: (call) => callbacks.test(call),
  };
  return {
    backend,
    bridge,
    async close() {
      await callbacks.stop(5000);
      await bridge?.close();
      await closeOwn();
    },
  };
}

/** Fails without a public address, because the `Host` of a request is not trusted. */
function fiscalUrl(publicUrl: string | undefined, path: string, resource: number): string {
  if (publicUrl === undefined) {
    throw new Fault("api.not-found", { message: "The site does not say its public address (publicUrl)." });
  }
  const parts = [publicUrl, path].map((part) => part.replace(/^\/+|\/+$/g, ""));
  return [...parts.filter((part) => part !== ""), resource].join("/");
}

export async function migrated(opened: Store<NoTables>): Promise<DeliveryStore> {
  const store = opened.withTables<DeliveryTables>();
  await store.migrate(deliveryMigrations);
  await store.migrate(receiptMigrations);
  return store;
}

const DAY_MS = 24 * 60 * 60 * 1000;

function rulesOf(options: OpenDeliveryOptions): BackendRules {
  return {
    strictTransitions: options.strictTransitions ?? false,
    printPrepaymentReceipt: options.printPrepaymentReceipt ?? false,
    coalesceMs: options.coalesceMs ?? 1000,
    sessionMs: (options.sessionDays ?? 30) * DAY_MS,
    pageBase: options.pageBase ?? 1,
    registerTimeZone: options.registerTimeZone ?? "Europe/Moscow",
    passwordCost: options.passwordCost ?? DEFAULT_PASSWORD_COST,
  };
}
