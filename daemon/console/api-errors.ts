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

/** The status of each fault of the caller. Any other fault may end by itself, and is answered with 503. */
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
  "receipt.no-correction": 409,
  "register.unknown-kkm": 409,
  "register.no-open-shift": 409,
  "register.fixed-kkm": 409,
  "register.no-register": 404,
};

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

/** Russian readers do not know the names of the request's fields, so they get the field's name on the form. */
function placeOnForm(field: unknown): string | null {
  const named: Readonly<Record<string, unknown>> = { ...repairTexts, vat: repairTexts.rate };
  const row = typeof field === "string" ? named[field] : undefined;
  return Array.isArray(row) ? `«${row[1]}»: ` : null;
}

export function usageError(message: string): { readonly error: FaultView } {
  return { error: faultView(new Fault("usage.wrong", { message })) };
}

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

/** Express's body parser throws this error for a body that is not JSON or is too large. */
function isBodyError(error: unknown): error is Error & { readonly status: number } {
  return error instanceof Error && "status" in error && typeof error.status === "number" && error.status < 500;
}

export function viewsOn(router: Router) {
  return (path: string, view: (request: Request) => object | Promise<object>): void => {
    router.get(path, async (request, response) => void response.json(await view(request)));
  };
}

/** An action is repeated while a backup tool locks the database for some seconds. */
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
