import { formatQuantity, formatRoubles, parseQuantity, type Quantity } from "@fiscald/shared/amounts.js";
import express, { type Router } from "express";
import { z } from "zod";
import { NO_REASON } from "../../store/journal.js";
import { actionsOn, idOf, viewsOn } from "../api-errors.js";
import type { ConsoleParts } from "../console-parts.js";
import { jobView } from "../views.js";

export interface ReturnView {
  /** What is left of the receipt; empty: nothing is left, or the job is no printed sale. */
  readonly lines: readonly ReturnableLine[];
  /** The job of a return that is not finished yet; null: there is none. */
  readonly waits: number | null;
}

export interface ReturnableLine {
  /** The position's number in the receipt, from 1. */
  readonly position: number;
  readonly name: string;
  /** A decimal number. */
  readonly quantity: string;
  /** Roubles. */
  readonly total: string;
}

const amount = z.union([z.string(), z.number()]).transform((value, context): Quantity => {
  const quantity = parseQuantity(value);
  if (quantity !== null && quantity > 0) return quantity;
  context.addIssue({ code: "custom", message: "not a quantity like 1 or 0.5" });
  return z.NEVER;
});
const line = z.strictObject({ position: z.int().min(1), quantity: amount.nullable().default(null) });
const returnBody = z.strictObject({
  reason: z.string().trim().min(1).max(500).default(NO_REASON),
  lines: z.array(line).min(1).max(1000).nullable().default(null),
  fixes: z.boolean().default(false),
});

/** The console's router in front of this one reads the bodies. */
export function createReturnApi({ jobs, returns, clock }: Pick<ConsoleParts, "jobs" | "returns" | "clock">): Router {
  const router = express.Router();
  viewsOn(router)("/jobs/:id/returnable", (request): ReturnView => {
    const job = jobs.get(idOf(request));
    return {
      waits: returns.waiting(job),
      lines: returns.left(job).map(({ position, item: { name }, quantity, total }) => ({
        ...{ position, name, quantity: formatQuantity(quantity), total: formatRoubles(total) },
      })),
    };
  });
  actionsOn(router, clock, 202)("/jobs/:id/return", returnBody, (wanted, request) => ({
    job: jobView(returns.add(idOf(request), wanted)),
  }));
  return router;
}
