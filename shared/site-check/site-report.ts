/** What the checker found, as plain data that the text, JSON and JUnit reports are written from. */
import type { BothLanguages, Finding } from "./findings.js";

/** One request and its answer as they were on the wire, without secrets. */
export interface SiteExchange {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The answer; null: no whole answer came. */
  readonly answer: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
  } | null;
  /** Why no answer came; null = an answer came. */
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
  /** The numbers of the exchanges that the check made. */
  readonly exchanges: readonly number[];
}

export interface OfferedOrder {
  /** The order's number; null: it has none that a result could name. */
  readonly orderId: string | null;
  readonly reportedAs: "failed" | "printed" | null;
  /** Whether the site answered that it has the result. */
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
  /** The order as paper; null = no order could be read. */
  readonly paper: string | null;
  readonly orders: readonly OfferedOrder[];
  /** The site got tax rows of a real register that are not its own: it needs the register's list once more. */
  readonly needsSync: boolean;
}
