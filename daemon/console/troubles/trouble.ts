/**
 * One thing that is wrong. The page's light, its first view and its decisions, `status`, `explain`, alerts and metrics
 * filter one list of troubles (find-troubles.ts), and have no rules of their own.
 */
import type { FaultCode, FaultText } from "@fiscald/shared/fault-codes.js";

/** The worst kind comes first. Each kind is about orders, a register, its receipts, a site, or something else. */
export const troubleKinds = {
  "daemon-down": "other",
  "store-trouble": "other",
  "lock-gone": "other",
  unsure: "order",
  held: "order",
  "waits-for-decision": "order",
  "printed-twice": "order",
  "printed-after-all": "order",
  "register-blocked": "register",
  "register-offline": "register",
  "register-paused": "register",
  "register-removed": "other",
  "receipt-altered": "receipt",
  failed: "order",
  refused: "order",
  "wrong-kkm": "order",
  unreadable: "order",
  "site-unreachable": "site",
  "site-refuses-us": "site",
  "site-not-found": "site",
  "site-error": "site",
  "site-html": "site",
  "site-unreadable": "site",
  "nobody-polls": "site",
  "event-refused": "other",
  "clock-ahead": "register",
  "waits-for-reading": "other",
  "waits-for-other": "other",
  settling: "other",
  "tried-again": "other",
  "shift-closing": "other",
  "waits-for-turn": "order",
  printing: "order",
  "register-starting": "other",
  "register-stopped": "other",
  "event-waits": "other",
  "site-left": "other",
  "unknown-answer": "site",
  "alert-failed": "other",
  "back-after-outage": "register",
  "shift-expired": "register",
  "setting-wrong": "register",
  "receipt-differs": "receipt",
  "receipt-not-compared": "register",
  "drive-days": "register",
  "drive-documents": "register",
  "drive-flag": "register",
  "ofd-queue": "register",
  "paper-low": "register",
  "returns-many": "other",
  "corrections-many": "other",
  "register-idle": "other",
  cancelled: "order",
  "not-offered": "order",
} as const;
export type TroubleKind = keyof typeof troubleKinds;

/**
 * `person`: something is not printed now, or a person must decide. `look`: printing will stop at a known time
 * (`until`), or a person should look. `nobody`: the trouble passes without a person.
 */
export type Needs = "person" | "look" | "nobody";

export const toneOf: Readonly<Record<Needs, "red" | "yellow" | "green">> = {
  person: "red",
  look: "yellow",
  nobody: "green",
};

export interface Trouble {
  readonly key: string;
  readonly kind: TroubleKind;
  readonly needs: Needs;
  readonly about: About;
  /** When the trouble began or was first seen, in ISO 8601. */
  readonly since: string;
  /** When printing will stop unless somebody acts, in ISO 8601; null: no such time is known. */
  readonly until: string | null;
  /** What is wrong, with the number of orders and the first orders. The text names neither register nor site. */
  readonly text: FaultText;
  /** What to do; empty: nothing. */
  readonly next: FaultText;
  /** How many orders wait for the trouble's end or were not printed because of it, or how many messages; 0: none. */
  readonly count: number;
  readonly examples: readonly Example[];
  readonly code: FaultCode | null;
  readonly detail: string | null;
  /** True: the page of decisions shows the trouble, with buttons that end it. */
  readonly isDecision: boolean;
}

export interface About {
  /** At most three titles with ids, or the site; empty: the program itself. */
  readonly name: FaultText;
  readonly registers: readonly string[];
  readonly site: string | null;
}

export interface Example {
  /** The order's id, or `#` and the job's number. */
  readonly name: string;
  /** Null: the order never became a job. */
  readonly job: number | null;
}

export interface Decision {
  readonly trouble: Trouble;
  /** One entry for each thing to decide, the newest first. The page shows all entries. */
  readonly entries: readonly DecisionEntry[];
  readonly steps: readonly OfferedStep[];
  /** What a person may do with ticked entries; empty: the entries cannot be ticked. */
  readonly offers: readonly OrderOffer[];
}

export type OrderOffer = "print" | "as-correction" | "set-aside";

export interface DecisionEntry {
  /** The order, or the kind of the message; empty: the entry has no name. */
  readonly name: FaultText;
  /** The job whose order has a page; null: there is no job. */
  readonly job: number | null;
  /** What the job prints, such as `sale` or `sale-correction`; empty: there is no job. */
  readonly what: string;
  /** The day on which the order was paid, as `2026-07-14`; null: the order does not say. */
  readonly paidOn: string | null;
  readonly total: string | null;
  readonly at: string | null;
  /** The details of this entry: a difference, the two devices, the site's own words. */
  readonly text: FaultText;
  /** A site's answer as it came, masked; empty: there is none. */
  readonly body: string;
}

/** The page shows a button, asks the question, and then sends `body` to `path`. */
export interface OfferedStep {
  readonly name: FaultText;
  readonly question: FaultText;
  readonly path: string;
  readonly body: object;
  /** No order waits for this action, so a role that may not do the action sees no word of it. */
  readonly isOptional: boolean;
}
