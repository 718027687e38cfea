import { z } from "zod";
import type { Database } from "./database/sqlite-file.js";
import { guardStore } from "./database/store-fault.js";

/** `lastAt` is wall clock in ms. */
export type FaultCount = Readonly<z.output<typeof rowSchema>>;

const rowSchema = z.object({ code: z.string(), count: z.int(), lastAt: z.int() });

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
