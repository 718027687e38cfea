/** Errors of the sidecar: by code and place for a program, in the shop's language for a person. */
import {
  type OrderProblem,
  type OrderWarning,
  problem,
  problemsIn,
  problemsOfOrder,
} from "@fiscald/shared/exchange/order-problem.js";
import { detailInRussian, Fault, isFault } from "@fiscald/shared/fault.js";
import type { FaultCode, FaultText } from "@fiscald/shared/fault-codes.js";
import { z } from "zod";
import { httpStatusOf } from "../delivery/http/api-errors.js";

export type Language = "en" | "ru";

const oneProblem = z.strictObject({ code: z.string(), path: z.string(), message: z.string() });

export const sidecarError = z.strictObject({
  error: z.literal(true),
  message: z.string().meta({
    description: "All problems, one a line, in the language of Accept-Language (en, ru), else that of `serve --lang`.",
  }),
  code: z.string().meta({ description: "What is wrong, for a program; it never changes its meaning." }),
  path: z.string().meta({ description: "The place in the request; empty where no field is meant." }),
  problems: z.array(oneProblem).optional().meta({ description: "All that is wrong with the order, the first too." }),
  receiptId: z.string().optional().meta({ description: "The receipt that stands in the way." }),
  fdNumber: z.string().optional().meta({ description: "The document of that receipt (tag 1040), once it is known." }),
});

/** One refusal with all problems of `fault`, then the unknown keys, and the receipt that stands in the way. */
export function refusal(fault: Fault, unread: readonly OrderWarning[] = []): Fault {
  const misspelt = unread.map(({ path, message: en, ru }) => problem("order.wrong-value", path, { en, ru }));
  const problems = [...problemsIn(fault), ...misspelt];
  const [first] = problems;
  const { receiptId, fdNumber } = fault.details;
  const message = { en: lines(problems, "en"), ru: lines(problems, "ru") };
  const place = first?.path ?? "";
  return new Fault("api.invalid", {
    ...(place === "" ? {} : { place }),
    message,
    details: { problems, receiptId, fdNumber },
  });
}

export function refuseAt(code: FaultCode, path: string, message: FaultText, details: Fault["details"] = {}): Fault {
  return refusal(new Fault(code, { message, details, ...(path === "" ? {} : { place: path }) }));
}

/** A fault of the receipt store becomes an answer of status 422; any other error is thrown as it is. */
export function refuseOrder(error: unknown, unread: readonly OrderWarning[] = []): never {
  if (!isFault(error) || error.code.startsWith("store.") || error.code.startsWith("api.")) throw error;
  throw refusal(error, unread);
}

/** The body of an answer from status 400 up. Status 500 shows nothing internal. */
export function errorBodyIn(language: Language) {
  return (fault: Fault): z.output<typeof sidecarError> => {
    if (httpStatusOf(fault) === 500) {
      const message = language === "ru" ? "Внутренняя ошибка сервиса." : "Internal service error.";
      return { error: true, code: "internal", path: "", message };
    }
    const said = language === "ru" ? inRussian(fault) : fault.message;
    const problems = problemsOfOrder(fault);
    const path = fault.place ?? "";
    const { receiptId, fdNumber } = fault.details;
    return {
      error: true,
      code: problems[0]?.code ?? fault.code,
      path,
      message: path === "" ? said : `${path}: ${said}`,
      ...(problems.length === 0
        ? {}
        : { problems: problems.map((one) => ({ code: one.code, ...shownWarning(one, language) })) }),
      ...(typeof receiptId === "string" ? { receiptId } : {}),
      ...(typeof fdNumber === "string" ? { fdNumber } : {}),
    };
  };
}

/** A detail that exists in English alone follows the general Russian text. */
function inRussian(fault: Fault): string {
  const { text, ru } = fault;
  const detail = detailInRussian(fault);
  return ru ?? (detail === null ? text.ru : `${text.ru} (${detail})`);
}

export function shownWarning({ path, message, ru }: OrderWarning, language: Language) {
  return { path, message: language === "ru" ? ru : message };
}

/** One problem a line. The answer writes the place of the first problem before the message. */
function lines(problems: readonly OrderProblem[], language: Language): string {
  const shown = problems.map((one) => shownWarning(one, language));
  return shown.map(({ path, message }, position) => (position === 0 ? message : `${path}: ${message}`)).join("\n");
}

/** The language that the request prefers, if it is English or Russian; else `preset`. */
export function languageOf(header: string | undefined, preset: Language): Language {
  const wanted = /^\s*(en|ru)\b/i.exec(header ?? "")?.[1]?.toLowerCase();
  return wanted === "ru" || wanted === "en" ? wanted : preset;
}
