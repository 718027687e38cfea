import { Fault, isFault, toFault } from "@fiscald/shared/fault.js";
import type { FaultCode } from "@fiscald/shared/fault-codes.js";
import type { Logger } from "@fiscald/shared/logger.js";
import type { ErrorRequestHandler, Request } from "express";
import { z } from "zod";
import { issueReason } from "../messages/reasons/issue-reasons.js";
import { type FaultView, faultView } from "./views.js";

const statusByCode: Partial<Record<FaultCode, number>> = {
  "usage.wrong": 400,
  "usage.repeated": 409,
  "job.not-found": 404,
  "job.wrong-state": 409,
  "job.already-printed": 409,
  "job.being-printed": 409,
  "job.document-mismatch": 409,
  "job.document-left-out": 409,
  "job.cancelled-by-order": 409,
  "order.wrong-inn": 409,
  "order.missing-value": 400,
  "order.wrong-value": 400,
  "receipt.unsupported": 409,
  "register.unknown-kkm": 409,
  "register.no-open-shift": 409,
  "register.fixed-kkm": 409,
  "register.no-register": 404,
  "register.offline": 503,
  "register.stopped": 503,
};

/** Parses a value of a request. Throws `usage.wrong` with the place inside the value. */
export function parseInput<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const place = issue?.path.join(".") ?? "";
  const at = place === "" ? "" : `${place}: `;
  const { en, ru } = issue === undefined ? { en: "is wrong", ru: "не то значение" } : issueReason(issue);
  throw new Fault("usage.wrong", { message: { en: `${at}${en}`, ru: `${at}${ru}` }, place });
}

/** The response body for a malformed or forbidden request. */
export function usageError(message: string): { readonly error: FaultView } {
  return { error: faultView(new Fault("usage.wrong", { message })) };
}

/** Answers every fault with its code, texts and hint. An internal fault is also logged. */
export function apiErrors(log: Logger): ErrorRequestHandler {
  return (error: unknown, _request, response, next) => {
    if (response.headersSent) {
      next(error);
      return;
    }
    const isBody = isBodyError(error);
    const fault = isBody ? new Fault("usage.wrong", { message: error.message }) : toFault(error, "internal");
    const status = isBody ? error.status : (statusByCode[fault.code] ?? (isFault(error) ? 503 : 500));
    if (fault.code === "internal") log.error("a console request failed", { fault });
    response.status(status).json({ error: faultView(fault) });
  };
}

/** Express's body parser throws such an error for a body that is not JSON or too large. */
function isBodyError(error: unknown): error is Error & { readonly status: number } {
  return error instanceof Error && "status" in error && typeof error.status === "number" && error.status < 500;
}

const idParam = z.coerce.number().int().min(1);

export function idOf(request: Request): number {
  return parseInput(idParam, request.params["id"]);
}

export function nameIn(request: Request): string {
  return parseInput(z.string(), request.params["id"]);
}
