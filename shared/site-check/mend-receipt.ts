/** How to mend one problem of an order: what the field wants, in the words of the protocol. */
import type { OrderProblem } from "../exchange/order-problem.js";
import { Fault } from "../fault.js";
import type { Words } from "./site-report.js";

interface Advice {
  readonly applies: (problem: OrderProblem) => boolean;
  readonly mend: Words;
}

/** The field's own name: `price` of `taskTable[1].param.price`. */
function fieldOf({ path }: OrderProblem): string {
  return /([A-Za-z_]+)(\[\d+\])?$/.exec(path)?.[1] ?? "";
}

const at =
  (...fields: readonly string[]) =>
  (problem: OrderProblem) =>
    fields.includes(fieldOf(problem));

const isMissing = ({ code }: OrderProblem) => code === "order.missing-value";

/** The first that applies is taken. */
const advices: readonly Advice[] = [
  {
    applies: (problem) => isMissing(problem) && at("orderId", "external_id")(problem),
    mend: {
      en: "Send the order's number (`orderId`, `external_id` in the online format): the result names the order by it.",
      ru: "Передайте номер заказа (`orderId`, в онлайн-формате `external_id`): по нему результат называет заказ.",
    },
  },
  {
    applies: at("orderId", "external_id"),
    mend: {
      en: "Send the order's number as text in quotes, 1 to 64 characters: a long JSON number loses its last digits.",
      ru: "Передавайте номер заказа текстом в кавычках, 1–64 символа: длинное число JSON теряет последние цифры.",
    },
  },
  {
    applies: at("receiptId"),
    mend: {
      en: "`receiptId` is a UUID of the receipt, always the same for it; leave it out where the site keeps none.",
      ru: "`receiptId` это UUID чека, всегда один и тот же; не передавайте, если сайт его не хранит.",
    },
  },
  {
    applies: at("tax"),
    mend: {
      en: "`tax` is the number of a row in the list of `sync`, such as 1; text and percent are none.",
      ru: "`tax` это номер строки из списка `sync`, например 1; текст и процент не годятся.",
    },
  },
  {
    applies: (problem) => at("typeClose")(problem) || /payments\[\d+\]\.type$/.test(problem.path),
    mend: {
      en: "Use the payment types of the print server: 0 cash, 1 electronic, 2 prepayment, 3 credit, 4 counter-provision.",
      ru: "Виды оплаты протокола: 0 наличные, 1 безналичные, 2 предоплата, 3 кредит, 4 встречное предоставление.",
    },
  },
  {
    applies: at("price", "sum", "summ", "total"),
    mend: {
      en: 'Write roubles with a dot, at most two decimals and no spaces, as a number or as text: 1990 or "1990.00".',
      ru: 'Пишите рубли с точкой, не больше двух знаков, без пробелов, числом или текстом: 1990 или "1990.00".',
    },
  },
  {
    applies: at("quantity"),
    mend: {
      en: "Write the quantity as a number above 0 with a dot and at most 6 decimals: 2 or 0.355.",
      ru: "Пишите количество числом больше 0 с точкой, не больше 6 знаков: 2 или 0.355.",
    },
  },
  {
    applies: ({ message }) => message === "must be a list",
    mend: {
      en: "Send a JSON list, [...]. PHP writes an array with gaps in its keys as an object: array_values(...) closes them.",
      ru: "Нужен список JSON, [...]. Массив с пропусками в ключах PHP пишет объектом: примените array_values(...).",
    },
  },
  {
    applies: ({ message }) => message.startsWith("no such line type"),
    mend: {
      en: "Use a type of line of the protocol, spelt as there: OpenCheckSell, Registration, Payment, String, CloseCheck ...",
      ru: "Тип строки пишется как в протоколе: OpenCheckSell, Registration, Payment, String, CloseCheck ...",
    },
  },
  {
    applies: ({ code, message }) => code === "receipt.framing" && message.includes("begin with"),
    mend: {
      en: "Begin `taskTable` with the line OpenCheckSell, or OpenCheckReturn for a return.",
      ru: "Начните `taskTable` строкой OpenCheckSell, для возврата OpenCheckReturn.",
    },
  },
  {
    applies: ({ code, message }) => code === "receipt.framing" && message.includes("end with"),
    mend: {
      en: "End `taskTable` with the line CloseCheck.",
      ru: "Закончите `taskTable` строкой CloseCheck.",
    },
  },
  {
    applies: ({ code }) => code === "receipt.framing",
    mend: {
      en: "One table is one receipt: OpenCheckSell or OpenCheckReturn first, CloseCheck last, no reports or cash between.",
      ru: "Одна таблица это один чек: сначала OpenCheckSell или OpenCheckReturn, в конце CloseCheck, без отчётов внутри.",
    },
  },
  {
    applies: ({ code }) => code === "receipt.payments-mismatch" || code === "receipt.no-payments",
    mend: {
      en: "Let the payments be as much as the positions less their discounts; only of cash there may be more, for change.",
      ru: "Оплаты должны равняться сумме позиций за вычетом скидок; больше может быть только наличных, для сдачи.",
    },
  },
  {
    applies: ({ code, path }) => code === "receipt.internet" && !/url$/i.test(path),
    mend: {
      en: "Send the buyer's e-mail or phone with an internet payment: `clientContact`, or `email`, `phone` of `attributes`.",
      ru: "С интернет-платежом передайте e-mail или телефон покупателя: `clientContact` или `attributes`.",
    },
  },
  {
    applies: ({ code }) => code === "receipt.internet",
    mend: {
      en: "Send the shop's address in `internetPaymentUrl` with an internet payment.",
      ru: "С интернет-платежом передайте адрес магазина в `internetPaymentUrl`.",
    },
  },
  {
    applies: ({ code, message }) => code === "order.missing-value" || message === "is missing",
    mend: {
      en: "Add the named field: it is compulsory.",
      ru: "Добавьте указанное поле: оно обязательно.",
    },
  },
];

export function mendProblem(problem: OrderProblem): Words {
  const advice = advices.find(({ applies }) => applies(problem));
  return advice?.mend ?? new Fault(problem.code).hint;
}
