import { z } from "zod";
import type { Database } from "./database/sqlite-file.js";
import { guardStore } from "./database/store-fault.js";

/** How often a fault was met; `code` as it is in the table of faults. */
export interface FaultCount {
  readonly code: string;
  readonly count: number;
  /** Wall clock, ms, of the last one. */
  readonly lastAt: number;
}

const rowSchema = z.object({ code: z.string(), count: z.int(), lastAt: z.int() });

/** Faults of all jobs and of all attempts on record, the most frequent first: for support. */
export function countFaults(db: Database): {
  readonly jobs: readonly FaultCount[];
  readonly attempts: readonly FaultCount[];
} {
  const count = (table: "jobs" | "attempts", time: string) =>
    guardStore(() =>
      db
        .prepare(
          `SELECT fault_code AS code, count(*) AS count, max(${time}) AS lastAt FROM ${table}
           WHERE fault_code IS NOT NULL GROUP BY fault_code ORDER BY count DESC, code`,
        )
        .all()
        .map((row) => rowSchema.parse(row)),
    );
  return { jobs: count("jobs", "updated_at"), attempts: count("attempts", "started_at") };
}
