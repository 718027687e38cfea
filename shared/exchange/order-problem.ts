/** Problems of an order or a call, each named by the field in it; all of them become one fault. */
import type { z } from "zod";
import { detailInRussian, Fault, isFault } from "../fault.js";
import { type FaultCode, type FaultText, faultCodes, type ResultCode } from "../fault-codes.js";
import { asItIs } from "../texts.js";
import { answerTexts } from "./answer-texts.js";

/** Something that does not stop the print but should be looked at. */
export interface OrderWarning {
  /** The field: `taskTable[3].param.price`, `receipt.items[0].sum`. */
  readonly path: string;
  /** The reason as English text that continues "path: ...". */
  readonly message: string;
  readonly ru: string;
}

export interface OrderProblem extends OrderWarning {
  readonly code: FaultCode;
  /** The code for the site: 1 for a wrong value, 3 for something missing. */
  readonly resultCode: ResultCode;
}

const MOST_PROBLEMS = 50;

export function warning(path: string, { en, ru }: FaultText): OrderWarning {
  return { path, message: en, ru };
}

/** Makes a problem. A text without Russian is for a developer only. */
export function problem(code: FaultCode, path: string, text: FaultText | string): OrderProblem {
  return {
    ...warning(path, typeof text === "string" ? asItIs(text) : text),
    code,
    resultCode: faultCodes[code].resultCode,
  };
}

/** The issues of a schema as problems: a missing value has resultCode 3, any other 1. */
export function problemsOf(error: z.ZodError): readonly OrderProblem[] {
  return error.issues.map((issue) => {
    const missing = issue.code === "custom" && issue.params?.missing === true;
    const ru = issue.code === "custom" ? issue.params?.ru : null;
    const text = typeof ru === "string" ? { en: issue.message, ru } : asItIs(issue.message);
    return problem(missing ? "order.missing-value" : "order.wrong-value", pathText(issue.path), text);
  });
}

/** A path as text: 2, goods, 0, price is `[2].goods[0].price`. */
export function pathText(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === "number") return `${text}[${step}]`;
    return text === "" ? String(step) : `${text}.${String(step)}`;
  }, "");
}

/** One fault for all problems, with the code and place of the first, and the whole list in `details.problems`. */
export function faultOfProblems(problems: readonly [OrderProblem, ...OrderProblem[]]): Fault {
  const [first] = problems;
  return new Fault(first.code, {
    message: answerTexts.problems(first, problems.length - 1),
    place: first.path,
    details: { problems: problems.slice(0, MOST_PROBLEMS) },
  });
}

export function throwIfAny(problems: readonly OrderProblem[]): void {
  const [first, ...others] = problems;
  if (first !== undefined) throw faultOfProblems([first, ...others]);
}

/** The problems inside a fault of this module; any other fault has none. */
export function problemsOfOrder({ details }: { readonly details?: Fault["details"] }): readonly OrderProblem[] {
  const listed = details?.problems;
  return Array.isArray(listed) && listed.every(isProblem) ? listed : [];
}

/** The problems inside a fault. A fault without a list is itself the only problem. */
export function problemsIn(fault: Fault): readonly OrderProblem[] {
  const listed = problemsOfOrder(fault);
  return listed.length > 0
    ? listed
    : [problem(fault.code, fault.place ?? "", { en: fault.message, ru: detailInRussian(fault) ?? fault.text.ru })];
}

/**
 * Runs `read`, and names each problem that it throws as the order's author knows the place. `known`: problems found
 * before; at their places no further problem is named.
 */
export function underNames<T>(
  placeOf: (problem: OrderProblem) => string,
  read: () => T,
  known: readonly OrderProblem[] = [],
): T {
  const isNew = ({ path }: OrderProblem) => known.every((one) => one.path !== path);
  let result: T;
  try {
    result = read();
  } catch (error) {
    if (!isFault(error)) throw error;
    throwIfAny([
      ...known,
      ...problemsIn(error)
        .map((one) => ({ ...one, path: placeOf(one) }))
        .filter(isNew),
    ]);
    throw error;
  }
  throwIfAny(known);
  return result;
}

const problemKeys = ["path", "message", "ru", "code", "resultCode"];

function isProblem(value: unknown): value is OrderProblem {
  return typeof value === "object" && value !== null && problemKeys.every((key) => key in value);
}

/** Parses by a schema; throws one fault that names every problem. */
export function parseBy<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throwIfAny(problemsOf(parsed.error));
  throw new Fault("order.unreadable");
}
