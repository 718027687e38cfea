import type { WireFrame } from "@fiscald/drivers/fiscal-driver.js";
import type { Clock } from "@fiscald/shared/clock.js";
import type { Fault } from "@fiscald/shared/fault.js";
import type { RegisterId, SiteId } from "@fiscald/shared/ids.js";
import type { Config } from "../config/config-schema.js";
import type { Repairs } from "../corrections/repairs.js";
import type { WhatWaited } from "../dispatch/dispatcher.js";
import type { OperatorReturns } from "../intake/operator-return.js";
import type { OperatorActions } from "../registers/operator/operator-actions.js";
import type { RegisterSnapshot } from "../registers/register-snapshot.js";
import type { SiteHealth } from "../sites/site-health.js";
import type { AttemptStore } from "../store/attempt-store.js";
import type { DayFacts } from "../store/day-facts.js";
import type { CheckStore } from "../store/document-checks.js";
import type { JobStore } from "../store/job-store.js";
import type { Journal } from "../store/journal.js";
import type { OutboxStore } from "../store/outbox-store.js";
import type { RawOrders } from "../store/raw-orders.js";
import type { DocumentStore } from "../store/unowned-documents.js";
import type { SetRow } from "./how-set/state-rows.js";
import type { LiveUpdates } from "./live-updates.js";
import type { SeenTrouble } from "./troubles/found.js";

export interface RegisterFrames {
  readonly register: RegisterId;
  readonly frames: readonly WireFrame[];
}

export interface SupportFile {
  readonly name: string;
  readonly data: Uint8Array;
}

/** What the console reads and calls. The console itself decides nothing. */
export interface ConsoleParts {
  readonly snapshots: () => readonly RegisterSnapshot[];
  readonly howSet: (snapshot: RegisterSnapshot) => readonly SetRow[];
  readonly emulated: readonly string[];
  readonly siteHealth: () => readonly SiteHealth[];
  /** Null: the database can store new orders. */
  readonly storeFault: () => Fault | null;
  /** The register that must be read before this register prints an order; null: there is none. */
  readonly awaited: (register: RegisterId) => RegisterId | null;
  /** What waited for a register that came back from an outage some time ago; null: there was no outage. */
  readonly whatWaited: (register: RegisterId) => WhatWaited | null;
  /** The worst trouble comes first. */
  readonly troubles: () => readonly SeenTrouble[];
  readonly limits: Config["warnings"];
  /** The last frames (bytes sent and received) on each register's connection, masked. */
  readonly frames: () => readonly RegisterFrames[];
  readonly jobs: JobStore;
  readonly attempts: AttemptStore;
  readonly journal: Journal;
  readonly outbox: OutboxStore;
  readonly rawOrders: RawOrders;
  readonly documents: DocumentStore;
  readonly checks: Pick<CheckStore, "open" | "notCompared">;
  readonly dayFacts: DayFacts;
  readonly repairs: Pick<Repairs, "plan" | "carryOut" | "tryCorrection" | "tryApproved">;
  readonly actions: OperatorActions;
  readonly returns: OperatorReturns;
  /** Sends the list of registers; null: to all sites. */
  readonly sync: (site: SiteId | null) => void;
  readonly poll: (site: SiteId) => void;
  readonly copyDatabase: () => Promise<string>;
  /** Null: the command line did not start this daemon, and only the command line can make the file. */
  readonly makeSupportFile: (() => Promise<SupportFile>) | null;
  /** Ends the daemon after the receipt that is being printed; null: the command line did not start this daemon. */
  readonly stop: (() => void) | null;
  readonly live: LiveUpdates;
  readonly clock: Clock;
}
