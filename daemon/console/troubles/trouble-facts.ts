/** Troubles are found in these facts, which come from the running daemon or, when none runs, from its database. */
import type { Fault } from "@fiscald/shared/fault.js";
import type { RegisterId, SiteId } from "@fiscald/shared/ids.js";
import type { MoveParty } from "../../registers/printing/move-obstacle.js";
import type { RegisterSnapshot } from "../../registers/register-snapshot.js";
import type { SiteHealth } from "../../sites/site-health.js";
import type { DoubtReason } from "../../store/attempt-store.js";
import type { FoundDifference } from "../../store/document-checks.js";
import type { BriefJob } from "../../store/job.js";
import type { ConsoleParts } from "../console-parts.js";
import type { SetRow } from "../how-set/state-rows.js";
import type { Titles } from "./found.js";
import type { RiskQuestion } from "./risk-troubles.js";

/** The facts of this moment suffice to say why one order is not printed. */
export interface PresentFacts extends Pick<ConsoleParts, "limits" | "awaited" | "whatWaited"> {
  readonly isRunning: boolean;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly storeFault: Fault | null;
  readonly registers: readonly PresentRegister[];
  readonly sites: readonly SiteFacts[];
  /** These registers close their shift before they print anything else. */
  readonly closing: ReadonlySet<RegisterId>;
  readonly queue: readonly { readonly id: number; readonly register: RegisterId }[];
  /** Jobs that wait for a person. A later receipt of the same order waits for the job. */
  readonly undecided: readonly Pick<BriefJob, "id" | "state" | "site" | "orderId" | "register">[];
  readonly titles: Titles;
  /** Title and id, for sentences that name a further register. */
  title(register: RegisterId): string;
  /** Null: the job's register has not been read yet. */
  doubtReason(job: number): DoubtReason | null;
}

type SnapshotFacts = "phase" | "fault" | "identity" | "tables" | "state" | "stateAt" | "jobInHand" | "pausedSince";

export interface PresentRegister extends Pick<RegisterSnapshot, SnapshotFacts> {
  readonly settings: Pick<RegisterSnapshot["settings"], "id" | "title" | "sites" | "timeZone"> & MoveParty["settings"];
}

export type SiteFacts = Omit<SiteHealth, "lostAnswers">;

/** What the running program observes of itself and its registers. Nothing of this is known while no daemon runs. */
export interface ProgramFacts {
  /** The lock file keeps a second daemon from starting. False: the file is gone. */
  readonly hasLock: boolean;
  /** Why a person cannot be alerted; null: alerts can be sent. */
  readonly alertFault: Fault | null;
  readonly howSet: (register: RegisterId) => readonly SetRow[];
}

/** The database shows these facts even while no daemon runs. */
export interface StoredFacts {
  /** Receipts of the last week that were found in addition to the receipt of their order, newest first. */
  readonly doubles: readonly DoubleReceipt[];
  /** Answers of the last week that did not become a job, newest first. */
  readonly unread: readonly UnreadAnswer[];
  readonly outbox: readonly UndeliveredEvents[];
  readonly removedSites: readonly RemovedSite[];
  readonly risks: Omit<RiskQuestion, "now">;
  readonly differences: readonly (FoundDifference & { readonly documents?: readonly WrongDocument[] })[];
  /** Registers with documents that could not be read for the comparison. */
  readonly notCompared: readonly RegisterId[];
}

/** An order's receipt that differs from what was sent and that no person has put right. */
export interface WrongDocument {
  readonly job: number;
  readonly name: string;
  readonly fd: number;
}

export interface DoubleReceipt {
  readonly kind: "printed-twice" | "printed-after-all";
  readonly at: number;
  readonly job: number;
  readonly name: string;
  readonly register: RegisterId | null;
}

export interface UnreadAnswer {
  /** The row of the answer in the database. */
  readonly raw: number;
  /** True: the answer was an order that could not be read. False: the answer was no order. */
  readonly isOrder: boolean;
  readonly site: SiteId;
  /** The answer came first then, and last at `at`. */
  readonly since: number;
  readonly at: number;
  /** The order's id; empty: it could not be read. */
  readonly order: string;
  readonly details: Readonly<Record<string, unknown>>;
}

export interface UndeliveredEvents {
  readonly site: SiteId;
  readonly pending: number;
  readonly refused: number;
  /** When the oldest pending event was made, in milliseconds since 1970. `refusedAt` is the same for refused events. */
  readonly oldestAt: number | null;
  readonly refusedAt: number | null;
}

export interface RemovedSite {
  readonly site: SiteId;
  readonly results: number;
}
