/** Says how to mend a problem of an order, if the problem's message does not say it already. */
import { fieldTexts } from "../exchange/field-texts.js";
import type { OrderProblem, OrderWarning } from "../exchange/order-problem.js";
import type { FaultText } from "../fault-codes/fault-row.js";
import { refusalTexts } from "../receipt/texts/refusal-texts.js";
import { asItIs } from "../texts.js";
import type { BothLanguages, FindingName } from "./findings.js";

type Advice = readonly [applies: (problem: OrderProblem) => boolean, en: string, ru: string];

function fieldOf({ path }: OrderProblem): string {
  return /([A-Za-z_]+)(\[\d+\])?$/.exec(path)?.[1] ?? "";
}

const at =
  (...fields: readonly string[]) =>
  (problem: OrderProblem) =>
    fields.includes(fieldOf(problem));

const isMissing = ({ code }: OrderProblem) => code === "order.missing-value";

/** The first advice that applies is taken. */
const advices: readonly Advice[] = [
  [
    (problem) => isMissing(problem) && at("orderId", "external_id")(problem),
    "Send the order's number (`orderId`, `external_id` in the online format): the result names the order by it.",
    "Передайте номер заказа (`orderId`, в онлайн-формате `external_id`): по нему результат называет заказ.",
  ],
  [
    at("tax"),
    "`tax` is the number of a row in the list of `sync`, such as 1; text and percent are none.",
    "`tax` это номер строки из списка `sync`, например 1; текст и процент не годятся.",
  ],
  [
    at("price", "sum", "summ", "total"),
    'Write roubles with a dot, at most two decimals and no spaces, as a number or as text: 1990 or "1990.00".',
    'Пишите рубли с точкой, не больше двух знаков, без пробелов, числом или текстом: 1990 или "1990.00".',
  ],
  [
    ({ message }) => message === fieldTexts.mustBeList.en,
    "Send a JSON list, [...]. PHP writes an array with gaps in its keys as an object: array_values(...) closes them.",
    "Нужен список JSON, [...]. Массив с пропусками в ключах PHP пишет объектом: примените array_values(...).",
  ],
  [
    ({ message }) => message.startsWith(fieldTexts.noLineType(asItIs("")).en),
    "Use a type of line of the protocol, spelt as there: OpenCheckSell, Registration, Payment, String, CloseCheck ...",
    "Тип строки пишется как в протоколе: OpenCheckSell, Registration, Payment, String, CloseCheck ...",
  ],
  [
    ({ code }) => code === "receipt.payments-mismatch" || code === "receipt.no-payments",
    "Let the payments be as much as the positions less their discounts; only of cash there may be more, for change.",
    "Оплаты должны равняться сумме позиций за вычетом скидок; больше может быть только наличных, для сдачи.",
  ],
  [
    ({ code, path }) => code === "receipt.internet" && !/url$/i.test(path),
    "Send the buyer's e-mail or phone with an internet payment: `clientContact`, or `email`, `phone` of `attributes`.",
    "С интернет-платежом передайте e-mail или телефон покупателя: `clientContact` или `attributes`.",
  ],
];

/** Whether a message is this text with any values in it. */
function says({ message }: OrderWarning, text: (one: string, other: string) => FaultText): boolean {
  const [start = "", ...others] = text("\0", "\0").en.split("\0");
  return message.startsWith(start) && message.endsWith(others.at(-1) ?? "");
}

export function nameOfWarning(warning: OrderWarning): FindingName {
  return says(warning, refusalTexts.nameWithEntity) ? "html-in-name" : "odd-order";
}

export function nameOfProblem(problem: OrderProblem): FindingName {
  return says(problem, (name) => refusalTexts.wronglyDecoded(name, "\0")) ? "cut-text" : "receipt";
}

export function mendProblem(problem: OrderProblem): BothLanguages | undefined {
  const found = advices.find(([applies]) => applies(problem));
  return found && { en: found[1], ru: found[2] };
}
