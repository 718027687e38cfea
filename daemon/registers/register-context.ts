import type { Bitmap, Capabilities, FiscalDriver } from "@fiscald/drivers/fiscal-driver.js";
import type { Clock } from "@fiscald/shared/clock.js";
import type { Kkm, RegisterId, SiteId } from "@fiscald/shared/ids.js";
import type { Logger } from "@fiscald/shared/logger.js";
import type { Receipt } from "@fiscald/shared/receipt/receipt.js";
import type { SiteEvents } from "../sites/site-events.js";
import type { AttemptStore } from "../store/attempt-store.js";
import type { DatabaseMemory } from "../store/database/meta-store.js";
import type { CheckStore } from "../store/document-checks.js";
import type { Issuers } from "../store/issuers.js";
import type { Job } from "../store/job.js";
import type { JobStore } from "../store/job-store.js";
import type { Journal } from "../store/journal.js";
import type { RegisterStore } from "../store/register-store.js";
import type { SiteOversights } from "../store/site-oversights.js";
import type { DocumentStore } from "../store/unowned-documents.js";
import type { OrderAge, RegisterSettings, RegisterTimings } from "./register-settings.js";

export interface Stores {
  readonly jobs: JobStore;
  readonly attempts: AttemptStore;
  readonly registers: RegisterStore;
  readonly documents: DocumentStore;
  readonly checks: CheckStore;
  readonly journal: Journal;
  readonly oversights: SiteOversights;
}

/** Each event is added inside the caller's transaction. */
export type SiteEventSink = Pick<
  SiteEvents,
  | "result"
  | "warningsChanged"
  | "connected"
  | "disconnected"
  | "shiftClosed"
  | "shiftNotClosed"
  | "tablesChanged"
  | "told"
  | "resendInPlaceOf"
>;

/** Loads the pictures of a receipt, scaled for a model. The key is `ImageLine.source`. */
export type LoadImages = (
  receipt: Receipt,
  capabilities: Pick<Capabilities, "paper">,
) => Promise<ReadonlyMap<string, Bitmap>>;

export interface Fleet {
  readonly ids: readonly RegisterId[];
  /** Whether that register may have printed the job's order while another database was in use. */
  couldHavePrinted(job: Job, register: RegisterId): boolean;
  /** The other register that has this registration number; null = there is none. */
  holderOf(kkm: Kkm): RegisterId | null;
}

export interface RegisterContext {
  readonly settings: RegisterSettings;
  readonly fleet: Fleet;
  readonly issuers: Issuers;
  readonly memory: Pick<DatabaseMemory, "isForgetful" | "remembersAll">;
  readonly driver: FiscalDriver;
  readonly stores: Stores;
  readonly events: SiteEventSink;
  readonly loadImages: LoadImages;
  /** Whether orders of the site may still be sold at 20 % VAT. `site` is null for a receipt of no site. */
  allows20(site: SiteId | null): boolean;
  /** The ages from which a sale of the site is warned of or held; null = a sale of any age is printed. */
  orderAge(site: SiteId | null): OrderAge | null;
  readonly timings: RegisterTimings;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Logger;
  readonly onIdentified?: () => void;
  /** Aborts when the register is being stopped; a receipt that is being printed is finished first. */
  readonly stopping: AbortSignal;
}
