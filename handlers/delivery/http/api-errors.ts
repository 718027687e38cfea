import { Fault, type FaultOptions, isFault } from "@fiscald/shared/fault.js";
import type { FaultCode } from "@fiscald/shared/fault-codes.js";
import { z } from "zod";

/** A part of a request that cannot be taken. */
export interface Problem {
  /** `[2].goods[0].price` */
  readonly place: string;
  readonly message: string;
}

/** The same with its place below another one: `[2].` or empty. */
export function below(place: string, { place: field, message }: Problem): Problem {
  return { place: `${place}${field}`, message };
}

/** Limit of problems in one answer. */
const MOST_PROBLEMS = 20;

/** The error body of every status from 400 up. */
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

/** Anything that is not the caller's doing is 500. */
export function statusOf(fault: Fault): ErrorStatus {
  return statusByCode[fault.code] ?? 500;
}

/** The error body; a 500 shows nothing internal. */
export function bodyOf(fault: Fault): z.infer<typeof errorSchema> {
  if (statusOf(fault) === 500) return { error: true, message: "Internal service error." };
  return { error: true, message: fault.place === null ? fault.message : `${fault.place}: ${fault.message}` };
}

/** 422 at a path of the body such as `[2].goods[0].price`. */
export function invalid(place: string, message: string): Fault {
  return new Fault("api.invalid", { message, ...placeOf(place) });
}

/** Fault "api.invalid" when there are problems. */
export function refuse(problems: readonly Problem[]): void {
  if (problems.length > 0) throw invalidAll(problems);
}

/** 422 for all problems of a body at once, one a line. */
export function invalidAll(problems: readonly Problem[]): Fault {
  return invalid(problems[0]?.place ?? "", problemLines(problems));
}

/** Of a fault "api.invalid", so that further problems can be named with it; any other error is thrown. */
export function problemOf(error: unknown): Problem {
  if (!isFault(error) || error.code !== "api.invalid") throw error;
  return { place: error.place ?? "", message: error.message };
}

/** The lines of a message whose first place stands before it (`bodyOf`). */
export function problemLines(problems: readonly Problem[]): string {
  const lines = problems
    .slice(0, MOST_PROBLEMS)
    .map(({ place, message }, position) => (position === 0 ? message : `${place}: ${message}`));
  const more = problems.length - lines.length;
  return [...lines, ...(more > 0 ? [`and ${more} more`] : [])].join("\n");
}

/** 400: the request cannot be read. */
export function badRequest(message: string, place = ""): Fault {
  return new Fault("api.bad-request", { message, ...placeOf(place) });
}

/** 404 with the document's message: the model does not exist. */
export function missing(model: string, id: string): Fault {
  return new Fault("api.not-found", { message: `The ${model} ${JSON.stringify(id)} does not exist.` });
}

function placeOf(place: string): Pick<FaultOptions, "place"> {
  return place === "" ? {} : { place };
}
