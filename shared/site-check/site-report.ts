/** The checker's findings as plain data, from which the text, JSON and JUnit reports are written. */
import type { BothLanguages, Finding } from "./findings.js";

/** One request and its answer as they were on the wire, without secrets. */
export interface SiteExchange {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Null: no whole answer came. */
  readonly answer: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
  } | null;
  readonly failure: BothLanguages | null;
}

export type CheckState = "right" | "wrong" | "advice" | "skipped";

export interface Check {
  readonly name: string;
  readonly title: BothLanguages;
  readonly state: CheckState;
  /** Why the check was left out; null = it was done. */
  readonly skipped: BothLanguages | null;
  readonly findings: readonly Finding[];
  readonly exchanges: readonly number[];
}

export interface OfferedOrder {
  /** Null: the order has no number that a result could name. */
  readonly orderId: string | null;
  readonly reportedAs: "failed" | "printed" | null;
  /** Whether the site answered that it has accepted the result. */
  readonly taken: boolean;
}

export interface SiteReport {
  /** The address of the order poll, without its secret. */
  readonly site: string;
  readonly kkm: string;
  readonly encoding: "json" | "form";
  readonly ok: boolean;
  readonly checks: readonly Check[];
  readonly exchanges: readonly SiteExchange[];
  readonly paper: string | null;
  readonly orders: readonly OfferedOrder[];
  /** The site got foreign tax rows for its real register, so it needs the register's list once more. */
  readonly needsSync: boolean;
}
