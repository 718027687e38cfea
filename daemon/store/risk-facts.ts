import type { RegisterId } from "@fiscald/shared/ids.js";
import { toRegisterId } from "@fiscald/shared/ids.js";
import { z } from "zod";
import type { Database } from "./database/sqlite-file.js";
import { guarded } from "./database/store-fault.js";
import { firstIdFrom } from "./job-statements.js";

/** What a register printed in the last 30 days, as far as this daemon printed it. */
export interface RegisterMonth {
  readonly register: RegisterId;
  /** Receipts and corrections. */
  readonly receipts: number;
  readonly corrections: number;
  /** Kopecks. */
  readonly sales: number;
  readonly returns: number;
}

export type RiskFacts = ReturnType<typeof createRiskFacts>;

const DAY_MS = 24 * 3_600_000;
/** The days in which the tax office looks for signs of risk (54-fz 19). */
const RISK_DAYS = 30;
/** A month of receipts is read again no more often than that. */
const KEPT_MS = 10 * 60_000;

/** Facts for the signs of risk. Read only; `now`: wall clock in ms. */
export function createRiskFacts(db: Database) {
  const month = db.prepare(
    `SELECT register, count(*) AS receipts,
            count(*) FILTER (WHERE json_extract(receipt, '$.correction') IS NOT NULL) AS corrections,
            coalesce(sum(total) FILTER (WHERE operation = 'sale'), 0) AS sales,
            coalesce(sum(total) FILTER (WHERE operation = 'return'), 0) AS returns
     FROM jobs WHERE id >= ? AND state = 'printed' AND kind = 'receipt' GROUP BY register`,
  );
  const last = db
    .prepare("SELECT updated_at FROM jobs WHERE register = ? AND fd IS NOT NULL ORDER BY id DESC LIMIT 1")
    .pluck();
  let known: { readonly at: number; readonly months: readonly RegisterMonth[] } | null = null;
  return guarded({
    /** Of the registers that printed a receipt in these days. */
    lastMonth(now: number): readonly RegisterMonth[] {
      if (known === null || Math.abs(now - known.at) >= KEPT_MS) {
        const rows = month.all(firstIdFrom(db, now - RISK_DAYS * DAY_MS));
        known = { at: now, months: rows.map((row) => monthRow.parse(row)) };
      }
      return known.months;
    },
    /** When the register's last document was printed; null = this daemon printed none on it. */
    lastDocumentAt: (register: RegisterId): number | null =>
      z
        .int()
        .nullable()
        .parse(last.get(register) ?? null),
  });
}

const monthRow = z.object({
  register: z.string().transform(toRegisterId),
  receipts: z.int(),
  corrections: z.int(),
  sales: z.int(),
  returns: z.int(),
});
