import type { RegisterConfig } from "../config/register-schema.js";

type ConfigField =
  | ("id" | "sites" | "group" | "expectKkm" | "cashier" | "taxSystem" | "defaultTax" | "orderMark")
  | ("moveAfterSeconds" | "timeZone" | "closeShiftAt" | "printPaper" | "receiptLink");

export type RegisterSettings = Readonly<Pick<RegisterConfig, ConfigField>> & {
  readonly title: string;
  /** The driver names a cashier on every document. */
  readonly needsCashier: boolean;
};

/** Waiting times of one register in ms, all monotonic. */
export interface RegisterTimings {
  /** Time between two state reads while the register is idle, and while the register needs a person. */
  readonly stateReadMs: number;
  readonly blockedReadMs: number;
  /** Time between two state reads while the paper of an earlier job is coming out. */
  readonly printingReadMs: number;
  readonly reconnect: { readonly firstMs: number; readonly maxMs: number };
  /** The event KKMDisconnected is recorded after this many failures in a row that last this long. */
  readonly disconnectAfterFailures: number;
  readonly disconnectAfterMs: number;
  /** Time after which a block that the register's own state does not show is tried again. */
  readonly blockRetryMs: number;
  /** How long a job may be unsure, with its register unread, before its site gets "unknown". */
  readonly unknownAfterMs: number;
  /** Growing pause between two readings of unreadable documents while an unsure order waits for them. */
  readonly unreadable: { readonly firstMs: number; readonly maxMs: number };
  /** How often a closing that the register cannot begin is tried (54-fz 6: each minute). */
  readonly closingRetryMs: number;
  /** How long nothing is printed before a document is read to be compared with what was sent. */
  readonly compareIdleMs: number;
  readonly storeRetryMs: number;
}

export const defaultTimings: RegisterTimings = {
  stateReadMs: 10_000,
  blockedReadMs: 2_000,
  printingReadMs: 500,
  reconnect: { firstMs: 1_000, maxMs: 30_000 },
  disconnectAfterFailures: 3,
  disconnectAfterMs: 10_000,
  blockRetryMs: 60_000,
  unknownAfterMs: 15 * 60_000,
  unreadable: { firstMs: 60_000, maxMs: 60 * 60_000 },
  closingRetryMs: 60_000,
  compareIdleMs: 2_000,
  storeRetryMs: 1_000,
};

/** How long ago a sale of a site may have been paid when a register takes it. An older sale is warned of or held. */
export interface OrderAge {
  readonly warnAfterHours: number;
  readonly holdAfterHours: number;
}
