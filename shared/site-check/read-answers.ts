/** Reads an answer as the daemon reads it, and makes a finding of each fault. */
import { formatRoubles } from "../amounts.js";
import { type OrderProblem, type OrderWarning, problemsIn } from "../exchange/order-problem.js";
import { detailInRussian, type Fault } from "../fault.js";
import { parseJson } from "../http/decode-body.js";
import { statusFault } from "../http/http-faults.js";
import type { HttpAnswer } from "../http/post-json.js";
import type { Kkm, OrderId } from "../ids.js";
import { judgeAnswer } from "../outbox/classify-response.js";
import { readOrder } from "../receipt/formats/read-order.js";
import { type Receipt, totalOf } from "../receipt/receipt.js";
import { orderFault, unknownTaxFault } from "../receipt/register-fit.js";
import { findingTexts } from "./finding-texts.js";
import type { BothLanguages, Finding, FindingName } from "./findings.js";
import { finding } from "./findings.js";
import { mendProblem, nameOfProblem, nameOfWarning } from "./mend-receipt.js";
import type { Called } from "./site-caller.js";
import type { PlayedRegister, SiteToCheck, TestOrder } from "./site-to-check.js";

export interface ReadOffer {
  /** Null: the number cannot be read, so no result can name the order. */
  readonly orderId: string | null;
  /** Null: the order cannot be printed. */
  readonly receipt: Receipt | null;
  readonly findings: readonly Finding[];
}

export interface ReadPoll {
  readonly offer: ReadOffer | null;
  readonly findings: readonly Finding[];
  /** The answer says by the protocol that no order waits. */
  readonly isNothing: boolean;
}

export interface ReadPollOptions {
  readonly site: SiteToCheck;
  readonly register: PlayedRegister;
  readonly order: TestOrder;
  /** The registration number (kkm) that the poll named. */
  readonly polledFor: Kkm;
  /** The day, `2026-11-20`. */
  readonly today: string;
}

const notFound: BothLanguages = {
  en: "Set up a handler at this address, or give this call the address of its own that it has.",
  ru: "Сделайте обработчик по этому адресу или укажите для этого вызова его собственный адрес.",
};
const redirected: BothLanguages = {
  en: "Answer at the very address that is called: no login page, and scheme and slash as they were given.",
  ru: "Отвечайте по самому вызванному адресу: без страницы входа, со схемой и косой чертой как указано.",
};

/** Finds a status or network fault that leaves no answer to read; null = there is an answer. */
export function unanswered(call: Called, serverError?: BothLanguages): Finding | null {
  const { exchange, url } = call;
  if (call.answer === null) return finding("no-answer", { what: saidIn(call.fault), mend: call.fault.hint, exchange });
  const fault = statusFault(call.answer, url);
  if (fault === null) return null;
  const { status } = call.answer;
  if (fault.code === "site.unauthorized") return finding("secret-refused", { what: saidIn(fault), exchange });
  const mend = status >= 500 ? serverError : status === 404 ? notFound : status < 400 ? redirected : undefined;
  return finding("http-status", { what: saidIn(fault), mend, exchange });
}

/** The call expects only success. `mend`: how to mend a refusal or an error of the site. */
export function readHeard(call: Called, mend?: BothLanguages): readonly Finding[] {
  const missing = unanswered(call, mend);
  if (missing !== null) return [missing];
  if (call.answer === null) return [];
  const delivery = judgeAnswer(call.answer, call.url);
  if (delivery.kind === "delivered") return [];
  const { exchange } = call;
  const what = saidIn(delivery.fault);
  return isJson(call.answer) ? [finding("refusal", { what, mend, exchange })] : [notJson(call.answer, what, exchange)];
}

/** Whether the answer reports success, which is a mistake for a call that no site can understand. */
export function isSuccess({ answer, url }: Called): boolean {
  return answer !== null && judgeAnswer(answer, url).kind === "delivered";
}

export function isJson({ text }: HttpAnswer): boolean {
  return parseJson(text) !== undefined;
}

const phpNotice: BothLanguages = {
  en: "PHP writes its notices into the answer: set display_errors to Off, and mend what the notice names.",
  ru: "PHP пишет свои сообщения в ответ: выключите display_errors и исправьте то, о чём сообщение.",
};
const singleQuotes: BothLanguages = {
  en: "This is a program's own text of a value, no JSON: write it with json.dumps(...), json_encode(...) or the like.",
  ru: "Это внутренняя запись значения, а не JSON: используйте json.dumps(...), json_encode(...) и подобное.",
};
const html: BothLanguages = {
  en: 'This is an HTML page: let the handler answer before the page is drawn, {"resultCode":0} when nothing waits.',
  ru: 'Это страница HTML: обработчик должен ответить раньше страницы, {"resultCode":0}, когда заказов нет.',
};

function notJson({ text }: HttpAnswer, what: BothLanguages, exchange: number): Finding {
  const start = text.trimStart().slice(0, 300);
  const mend = /\b(Notice|Warning|Deprecated|Fatal error|Parse error)\b.*: /s.test(start)
    ? phpNotice
    : start.startsWith("<")
      ? html
      : /^[{[]\s*'/.test(start)
        ? singleQuotes
        : undefined;
  return finding("not-json", { what, mend, exchange });
}

export function readPoll(call: Called, options: ReadPollOptions): ReadPoll {
  const { exchange, answer } = call;
  const missing = unanswered(call);
  if (missing !== null || answer === null) return { ...none, findings: missing === null ? [] : [missing] };
  const guessed = orderIdIn(answer.text);
  if (answer.problem !== null) {
    const isCut = /\uFFFD/u.test(answer.text) && !/\uFFFD(?!")/u.test(answer.text);
    const found = isCut ? (["cut-text", findingTexts.cutCharacter] as const) : (["encoding", answer.problem] as const);
    return broken([finding(found[0], { what: found[1], exchange })], guessed);
  }
  const { site, register, today } = options;
  const { format, rules } = site;
  const read = readOrder(answer.text, { format, rules, taxes: register.tables.taxes, today });
  switch (read.kind) {
    case "empty":
      return { ...none, isNothing: true };
    case "refusal": {
      const what = findingTexts.refused(read.resultCode, read.resultInfo);
      return broken([finding("refusal", { what, exchange })], read.receiptWithheld ? guessed : null);
    }
    case "unknown":
      return broken([finding("not-an-order", { what: saidIn(read.fault), exchange })], guessed);
    case "broken": {
      if (!isJson(answer)) return broken([notJson(answer, saidIn(read.fault), exchange)], guessed);
      const findings = problemsIn(read.fault).map((problem) => found(problem, nameOfProblem(problem), exchange));
      const keys = (read.oversights ?? []).map((oversight) => found(oversight, oversight.kind, exchange));
      return { ...none, offer: { orderId: read.orderId ?? guessed, receipt: null, findings: [...findings, ...keys] } };
    }
    case "receipt": {
      const { receipt, warnings, oversights, taxPlaces } = read;
      const odd = warnings.map((warning) => found(warning, nameOfWarning(warning), exchange));
      const keys = oversights.map((oversight) => found(oversight, oversight.kind, exchange));
      const findings = [...misfits(receipt, taxPlaces, options, exchange), ...odd, ...keys];
      return { ...none, offer: { orderId: receipt.orderId, receipt, findings } };
    }
  }
}

function found(problem: OrderWarning | OrderProblem, name: FindingName, exchange: number): Finding {
  const mend = "code" in problem ? mendProblem(problem) : undefined;
  return finding(name, { place: problem.path || null, what: { en: problem.message, ru: problem.ru }, mend, exchange });
}

const none: ReadPoll = { offer: null, findings: [], isNothing: false };

/** `orderId`: the number that can still be found in the unreadable order; null = none. */
function broken(findings: readonly Finding[], orderId: string | null): ReadPoll {
  return orderId === null ? { ...none, findings } : { ...none, offer: { orderId, receipt: null, findings } };
}

/** Finds why a readable order does not fit its register, or is not the expected order. */
function misfits(
  receipt: Receipt,
  taxPlaces: readonly string[],
  options: ReadPollOptions,
  exchange: number,
): readonly Finding[] {
  const { register, order, polledFor } = options;
  const { kkm } = receipt;
  const findings: Finding[] = [];
  if (kkm !== null && kkm !== polledFor) {
    const name = kkm === register.kkm ? "foreign-kkm" : "other-kkm";
    const what = findingTexts.otherRegister(kkm, polledFor);
    findings.push(finding(name, { place: "kkm", what, exchange }));
  }
  const tax = unknownTaxFault(receipt, [register.tables.taxes], taxPlaces);
  if (tax !== null) findings.push(finding("tax-row", { place: tax.place, what: saidIn(tax), exchange }));
  const misfit = orderFault(receipt, register.inn);
  if (misfit !== null) {
    const name = misfit.code === "order.wrong-inn" ? "other-inn" : "odd-order";
    findings.push(finding(name, { place: misfit.place, what: saidIn(misfit), exchange }));
  }
  if (receipt.kind !== "receipt") return findings;
  if (receipt.internet !== null && receipt.payments.some(({ typeClose }) => typeClose === 0)) {
    findings.push(
      finding("cash-on-internet", { place: "isInternetPayment", what: findingTexts.cashOnInternet, exchange }),
    );
  }
  if (order.orderId !== null && order.orderId !== receipt.orderId) return findings;
  if (order.total !== null && totalOf(receipt) !== order.total) {
    const what = findingTexts.otherTotal(formatRoubles(totalOf(receipt)), formatRoubles(order.total));
    findings.push(finding("total-differs", { what, exchange }));
  }
  if (order.operation !== null && receipt.operation !== order.operation) {
    const what = order.operation === "sale" ? findingTexts.saleMeant : findingTexts.returnMeant;
    findings.push(finding("operation-differs", { what, exchange }));
  }
  return findings;
}

function saidIn(fault: Fault): BothLanguages {
  return { en: fault.message, ru: detailInRussian(fault) ?? fault.text.ru };
}

/** Finds the `receiptId` also in an answer that cannot be read. */
export const receiptIdIn = (text: string) => /"receiptId"\s*:\s*"([0-9a-f-]{36})"/i.exec(text)?.[1] ?? null;

/** Finds the order's number in an answer that cannot be read: the result has to name the order. */
export function orderIdIn(text: string): OrderId | string | null {
  const found = /["'](?:orderId|external_id)["']\s*(?::|=>)\s*["']?([^"',}\s]{1,64})/i.exec(text);
  return found?.[1] ?? null;
}
