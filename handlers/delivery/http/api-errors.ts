import { Fault, type FaultOptions, isFault } from "@fiscald/shared/fault.js";
import type { FaultCode } from "@fiscald/shared/fault-codes.js";
import { z } from "zod";

export interface Problem {
  readonly place: string;
  readonly message: string;
}

/** Puts `place` (`[2].` or nothing) before the place of a problem. */
export function below(place: string, { place: field, message }: Problem): Problem {
  return { place: `${place}${field}`, message };
}

const MOST_PROBLEMS = 20;

export const errorSchema = z.strictObject({
  error: z.literal(true),
  message: z.string().meta({
    description: "What is wrong and where, e.g. `[2].goods[0].price: must be a sum`; up to 20 problems, one a line.",
  }),
});

export type ErrorStatus = 400 | 401 | 403 | 404 | 413 | 422 | 429 | 500;

const statusByCode: Partial<Record<FaultCode, ErrorStatus>> = {
  "api.bad-request": 400,
  "api.unauthorized": 401,
  "api.forbidden": 403,
  "api.not-found": 404,
  "api.too-large": 413,
  "api.invalid": 422,
  "api.too-many": 429,
};

export function httpStatusOf(fault: Fault): ErrorStatus {
  return statusByCode[fault.code] ?? 500;
}

export function bodyOf(fault: Fault): z.infer<typeof errorSchema> {
  if (httpStatusOf(fault) === 500) return { error: true, message: "Internal service error." };
  return { error: true, message: fault.place === null ? fault.message : `${fault.place}: ${fault.message}` };
}

export function invalid(place: string, message: string): Fault {
  return new Fault("api.invalid", { message, ...placeOf(place) });
}

export function throwIfProblems(problems: readonly Problem[]): void {
  if (problems.length > 0) throw invalidAll(problems);
}

export function invalidAll(problems: readonly Problem[]): Fault {
  return invalid(problems[0]?.place ?? "", problemLines(problems));
}

/** The problem inside a fault "api.invalid", to report it with further problems. Throws any other error. */
export function problemOf(error: unknown): Problem {
  if (!isFault(error) || error.code !== "api.invalid") throw error;
  return { place: error.place ?? "", message: error.message };
}

/** One problem a line. The first line has no place, because `bodyOf` writes that place before the message. */
export function problemLines(problems: readonly Problem[]): string {
  const lines = problems
    .slice(0, MOST_PROBLEMS)
    .map(({ place, message }, position) => (position === 0 ? message : `${place}: ${message}`));
  const more = problems.length - lines.length;
  return [...lines, ...(more > 0 ? [`and ${more} more`] : [])].join("\n");
}

export function badRequest(message: string, place = ""): Fault {
  return new Fault("api.bad-request", { message, ...placeOf(place) });
}

/** Status 404 with the text of the API's document. `hint`: what exists instead. */
export function missing(model: string, id: string, hint?: string): Fault {
  const end = hint === undefined ? "" : ` ${hint}`;
  return new Fault("api.not-found", { message: `The ${model} ${JSON.stringify(id)} does not exist.${end}` });
}

function placeOf(place: string): Pick<FaultOptions, "place"> {
  return place === "" ? {} : { place };
}
