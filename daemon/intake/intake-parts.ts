/** The parts that the intake of one site works with, and the possible results of a polled answer. */
import type { Kopecks } from "@fiscald/shared/amounts.js";
import type { Clock } from "@fiscald/shared/clock.js";
import type { Fault } from "@fiscald/shared/fault.js";
import type { Kkm, RegisterId, SiteId } from "@fiscald/shared/ids.js";
import type { Logger } from "@fiscald/shared/logger.js";
import type { ReadOrderOptions } from "@fiscald/shared/receipt/formats/read-order.js";
import type { decideRepeat } from "@fiscald/shared/receipt/repeats/decide-repeat.js";
import type { PollAnswer } from "../sites/site-client.js";
import type { SiteEvents } from "../sites/site-events.js";
import type { Job } from "../store/job.js";
import type { JobStore } from "../store/job-store.js";
import type { Journal } from "../store/journal.js";
import type { SiteOversights } from "../store/site-oversights.js";
import type { RegistersOfSite } from "./registers-of-site.js";

export interface Polled extends PollAnswer {
  readonly kkm: Kkm;
  /** Wall clock in ms. */
  readonly askedAt: number;
  /** How many events had been delivered to sites when the poll was sent. */
  readonly deliveries: number;
}

export interface PolledAnswer extends Polled {
  readonly register: RegisterId;
}

export type RejectedAnswer =
  | { readonly kind: "repeat"; readonly job: null }
  | { readonly kind: "strange" }
  | { readonly kind: "refused"; readonly fault: Fault }
  | { readonly kind: "site-error"; readonly fault: Fault };

export interface OrderIntakeOptions {
  readonly site: SiteId;
  /** 8 hex digits. */
  readonly issuer: string;
  /** A receipt with a larger total waits until a person approves it. */
  readonly largestReceipt: Kopecks;
  /** Includes sites that the config no longer has. */
  otherSites(): readonly SiteId[];
  isConfigured(site: SiteId): boolean;
  readonly decideRepeat?: typeof decideRepeat;
  readonly jobs: JobStore;
  readonly journal: Journal;
  readonly oversights: Pick<SiteOversights, "note">;
  /** Every method runs inside the caller's transaction. */
  readonly events: Pick<SiteEvents, "addRefusal" | "addFormatError" | "resendResult" | "told" | "taxListDeliveredAt">;
  readonly read: Omit<ReadOrderOptions, "taxes" | "today">;
  readonly registers: RegistersOfSite;
  /** The database was lost, and not every register's documents have been read since. */
  isForgetful(): boolean;
  readonly clock: Clock;
  readonly log: Logger;
  wake(): void;
}

export type AcceptResult =
  | { readonly kind: "empty" }
  | { readonly kind: "order"; readonly job: Job }
  | { readonly kind: "repeat"; readonly job: Job | null }
  | RejectedAnswer;
