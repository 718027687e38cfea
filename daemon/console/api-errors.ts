import type { Clock } from "@fiscald/shared/clock.js";
import { Fault, isFault, toFault } from "@fiscald/shared/fault.js";
import type { FaultCode } from "@fiscald/shared/fault-codes.js";
import type { Logger } from "@fiscald/shared/logger.js";
import type { ErrorRequestHandler, Request, Router } from "express";
import { z } from "zod";
import { issueReason } from "../messages/reasons/issue-reasons.js";
import { repairTexts } from "../messages/texts/page-repair.js";
import { retryWhileBusy } from "../store/database/retry-while-busy.js";
import { type FaultView, faultView } from "./views.js";

const codesByStatus: Readonly<Record<number, readonly FaultCode[]>> = {
  400: ["usage.wrong", "order.missing-value", "order.wrong-value"],
  404: ["job.not-found", "register.no-register"],
  409: [
    ...(["usage.repeated", "job.wrong-state", "job.already-printed", "job.being-printed"] as const),
    ...(["job.document-mismatch", "job.document-left-out", "job.cancelled-by-order", "order.wrong-inn"] as const),
    ...([
      "receipt.unsupported",
      "receipt.no-correction",
      "register.unknown-kkm",
      "register.no-open-shift",
      "register.fixed-kkm",
    ] as const),
  ],
};

/** Another fault is a trouble that may pass; what is no fault is a mistake of the program. */
function statusOf(code: FaultCode, isKnown: boolean): number {
  const known = Object.entries(codesByStatus).find(([, codes]) => codes.includes(code));
  return known === undefined ? (isKnown ? 503 : 500) : Number(known[0]);
}

/** Parses a value of a request. Throws `usage.wrong` with the place inside the value. */
export function parseInput<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const place = issue?.path.join(".") ?? "";
  const at = place === "" ? "" : `${place}: `;
  const { en, ru } = issue === undefined ? { en: "is wrong", ru: "не то значение" } : issueReason(issue);
  const field = placeOnForm(issue?.path.findLast((part) => typeof part === "string"));
  throw new Fault("usage.wrong", { message: { en: `${at}${en}`, ru: `${field ?? at}${ru}` }, place });
}

/** Russian readers know the fields of the dialog, not the names in its request. */
function placeOnForm(field: unknown): string | null {
  const named: Readonly<Record<string, unknown>> = { ...repairTexts, vat: repairTexts.rate };
  const row = typeof field === "string" ? named[field] : undefined;
  return Array.isArray(row) ? `«${row[1]}»: ` : null;
}

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
    const status = isBody ? error.status : statusOf(fault.code, isFault(error));
    if (fault.code === "internal") log.error("a console request failed", { fault });
    response.status(status).json({ error: faultView(fault) });
  };
}

/** Express's body parser throws such an error for a body that is not JSON or too large. */
function isBodyError(error: unknown): error is Error & { readonly status: number } {
  return error instanceof Error && "status" in error && typeof error.status === "number" && error.status < 500;
}

/**
 * Adds actions to the router: each checks its body, acts, and answers with what that returns. An action is repeated while
 * a backup tool locks the database for some seconds.
 */
export function actionsOn(router: Router, clock: Pick<Clock, "sleep">, status = 200) {
  return <Body>(
    path: string,
    schema: z.ZodType<Body>,
    act: (body: Body, request: Request) => object | Promise<object>,
  ): void => {
    router.post(path, async (request, response) => {
      const body = parseInput(schema, request.body ?? {});
      response.status(status).json(await retryWhileBusy(clock, undefined, () => act(body, request)));
    });
  };
}

const idParam = z.coerce.number().int().min(1);

export function idOf(request: Request): number {
  return parseInput(idParam, request.params["id"]);
}

export function nameIn(request: Request): string {
  return parseInput(z.string(), request.params["id"]);
}
