/** Texts that say why an order that came again is not printed. */
import type { FaultText } from "../../fault-codes/fault-row.js";
import { type Given, sumInRussian, type Texts } from "../../texts.js";

export const repeatTexts = {
  job: (id: Given) => ({ en: `job ${id}`, ru: `задание ${id}` }),
  jobDone: (id: Given, done: Given) => ({ en: `job ${id} (done: ${done})`, ru: `задание ${id} (сделано: ${done})` }),
  document: (fd: Given, day: Given) => ({ en: `FD ${fd} of ${day}`, ru: `ФД ${fd} от ${day}` }),
  receipt: (id: Given, fd: string | null) => ({
    en: `receipt ${id}${fd === null ? "" : ` (FD ${fd})`}`,
    ru: `чек ${id}${fd === null ? "" : ` (ФД ${fd})`}`,
  }),
  beingPrinted: (name: FaultText) => ({
    en: `${name.en} of this order is still being printed`,
    ru: `${name.ru} этого заказа ещё печатается`,
  }),
  state: (name: FaultText, state: FaultText) => ({
    en: `${name.en} of this order is ${state.en}`,
    ru: `${name.ru} этого заказа: ${state.ru}`,
  }),
  halfDone: (name: FaultText) => ({
    en: `${name.en} of this order was half done`,
    ru: `${name.ru} этого заказа: сделано не всё`,
  }),
  printedOther: (name: FaultText) => ({
    en: `already printed as ${name.en} with other content`,
    ru: `уже напечатан с другим содержимым: ${name.ru}`,
  }),
  printed: (name: FaultText) => ({ en: `already printed as ${name.en}`, ru: `уже напечатан: ${name.ru}` }),
  equalReturn: (name: FaultText) => ({
    en: `an equal return is printed as ${name.en}: another equal return needs a receiptId of its own`,
    ru: `такой же возврат напечатан: ${name.ru}; ещё одному такому же нужен свой receiptId`,
  }),
  equalSale: (name: FaultText, back: FaultText) => ({
    en: `printed as ${name.en} and returned as ${back.en}: an equal sale needs a receiptId of its own, or the operator`,
    ru: `напечатан: ${name.ru}, и возвращён: ${back.ru}; такой же продаже нужен свой receiptId или решение оператора`,
  }),
  /** `id`: what the site gave, such as "key refund-17". */
  reusedId: (id: Given, known: FaultText, offered: FaultText) => ({
    en: `${id} belongs to ${known.en}; this is ${offered.en}: give it one of its own`,
    ru: `${id} принадлежит другому чеку: ${known.ru}; а это ${offered.ru}: ему нужен свой`,
  }),
  serviceJob: (order: Given) => ({ en: `a service job of order ${order}`, ru: `служебное задание заказа ${order}` }),
  sale: (total: Given, order: Given) => ({
    en: `a sale of ${total} of order ${order}`,
    ru: `продажа на ${sumInRussian(total)} по заказу ${order}`,
  }),
  return: (total: Given, order: Given) => ({
    en: `a return of ${total} of order ${order}`,
    ru: `возврат на ${sumInRussian(total)} по заказу ${order}`,
  }),
  beyondSale: (wanted: Given, sold: Given) => ({
    en: `returns of ${wanted} would exceed the ${sold} sold`,
    ru: `возвратов стало бы на ${sumInRussian(wanted)}, а продано на ${sumInRussian(sold)}`,
  }),
  correctedBy: (name: FaultText) => ({
    en: `${name.en} corrects that document already`,
    ru: `этот документ уже исправляет ${name.ru}`,
  }),
  correctsNothing: (name: FaultText) => ({
    en: `${name.en} is the sale of this order: a correction must name the fiscal sign of the document that it corrects`,
    ru: `расчёт этого заказа уже есть: ${name.ru}; коррекция должна назвать фискальный признак исправляемого документа`,
  }),
  aboveFixed: (name: FaultText) => ({
    en: `${name.en}, which this corrects, is of a smaller sum`,
    ru: `исправляемый чек на меньшую сумму: ${name.ru}`,
  }),
  notReturned: (name: FaultText) => ({
    en: `${name.en}, which this corrects, is not returned whole: print its return correction first; if a rest stays sold, set this correction aside, return the rest by an ordinary receipt and order the correction anew`,
    ru: `исправляемый чек ещё не возвращён целиком (${name.ru}): сначала напечатайте коррекцию возврата; если что-то останется, откажитесь от этой коррекции, верните остаток обычным чеком и закажите коррекцию заново`,
  }),
  soldAnew: (name: FaultText) => ({
    en: `${name.en} has sold the returned order anew: set this correction aside, and if that sale is wrong, put that sale right`,
    ru: `возвращённый заказ уже продан заново: ${name.ru}; откажитесь от этой коррекции, а если новый чек неверен, исправьте его`,
  }),
  cancelled: { en: "cancelled by the operator", ru: "отменил оператор" },
  waiting: { en: "waiting for a person", ru: "ждёт решения человека" },
  unsure: { en: "unknown: it may be printed", ru: "неясно, напечатан ли" },
  unreported: { en: "printed, its result is on its way", ru: "напечатан, результат в пути" },
} satisfies Texts;
