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

/** A text without Russian is for a developer only. */
export function problem(code: FaultCode, path: string, text: FaultText | string): OrderProblem {
  return {
    ...warning(path, typeof text === "string" ? asItIs(text) : text),
    code,
    resultCode: faultCodes[code].resultCode,
  };
}

/** A missing value has resultCode 3, any other issue 1. */
export function problemsOf(error: z.ZodError): readonly OrderProblem[] {
  return error.issues.map((issue) => {
    const missing = issue.code === "custom" && issue.params?.missing === true;
    const ru = issue.code === "custom" ? issue.params?.ru : null;
    const text = typeof ru === "string" ? { en: issue.message, ru } : asItIs(issue.message);
    return problem(missing ? "order.missing-value" : "order.wrong-value", pathText(issue.path), text);
  });
}

/** The path 2, goods, 0, price is `[2].goods[0].price`. */
export function pathText(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === "number") return `${text}[${step}]`;
    return text === "" ? String(step) : `${text}.${String(step)}`;
  }, "");
}

/** The fault has the code and place of the first problem, and all problems in `details.problems`. */
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

export function problemsOfOrder({ details }: { readonly details?: Fault["details"] }): readonly OrderProblem[] {
  const listed = details?.problems;
  return Array.isArray(listed) && listed.every(isProblem) ? listed : [];
}

/** A fault without a list of problems is itself the only problem. */
export function problemsIn(fault: Fault): readonly OrderProblem[] {
  const listed = problemsOfOrder(fault);
  return listed.length > 0
    ? listed
    : [problem(fault.code, fault.place ?? "", { en: fault.message, ru: detailInRussian(fault) ?? fault.text.ru })];
}

/**
 * Runs `read`, and gives each problem that `read` throws the place where the order's author wrote the value. `known`:
 * problems that were found before; no further problem is named at their places.
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

/** Throws one fault that names every problem. */
export function parseBy<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throwIfAny(problemsOf(parsed.error));
  throw new Fault("order.unreadable");
}
