/** Buttons that end a trouble, with the question before each (console/troubles/decisions.ts). */
import { both, plural, rows } from "../rows.js";
import type { Count } from "./page-actions.js";

export interface OfRegister {
  readonly register: string;
}

export const stepTexts = rows({
  ofSum: ["{name} for {sum}", "{name} на {sum}"],
  andMore: ["{names} and {count} more", "{names} и ещё {count}"],
  retry: {
    name: ["Print those shown again", "Напечатать показанные снова"],
    ask: [
      "Queued and printed again: {orders}. Go on?",
      "Снова встанут в очередь и будут напечатаны: {orders}. Продолжить?",
    ],
  },
  setAside: {
    name: ["Take off the list, do not print", "Убрать из списка, не печатать"],
    ask: [
      "Not printed, and off this list: {orders}. Go on?",
      "Печататься не будет, из этого списка уйдёт: {orders}. Продолжить?",
    ],
  },
  print: {
    ask: [
      "An ordinary receipt of today is printed: {orders}. Go on?",
      "Сегодняшним днём будет напечатан обычный чек: {orders}. Продолжить?",
    ],
    askReturn: [
      "A return receipt is printed, and the money goes back to the buyer: {orders}. Go on?",
      "Будет напечатан чек возврата, деньги возвращаются покупателю: {orders}. Продолжить?",
    ],
    askCorrection: [
      "A correction receipt is printed: {orders}. Go on?",
      "Будет напечатан чек коррекции: {orders}. Продолжить?",
    ],
    askSecond: [
      "The second document, which puts the receipt right, is printed: {orders}. Is the first one printed?",
      "Будет напечатан второй документ исправления: {orders}. Первый уже напечатан?",
    ],
  },
  refuse: {
    ask: [
      "Not printed, and the site hears that: {orders}. Go on?",
      "Печататься не будет, сайт об этом узнает: {orders}. Продолжить?",
    ],
    askSecond: [
      "The second document is not printed: {orders}. The first has undone the receipt: the buyer is left without a right one. Go on?",
      "Второй документ не будет напечатан: {orders}. Первый отменил прежний чек: у покупателя не останется верного чека. Продолжить?",
    ],
  },
  acceptDevice: {
    name: ["It is the right register", "Это нужная касса"],
    ask: both(
      ({ register }: OfRegister) => `${register} will print on the device that answers now. Go on?`,
      ({ register }) => `${register} будет печатать на том устройстве, которое отвечает сейчас. Продолжить?`,
    ),
  },
  mended: {
    name: ["It is mended at the register", "На кассе исправлено"],
    ask: [
      "Receipts that wait on {register} are printed; the first ones are compared again with what was sent. Go on?",
      "Ожидающие чеки кассы {register} будут напечатаны, первые из них снова будут сверены с переданными. Продолжить?",
    ],
  },
  acceptDifference: {
    name: ["It is right so", "Так и должно быть"],
    ask: [
      "Receipts with this difference are taken as they are registered, until the register's firmware or registration changes. Go on?",
      "Чеки с таким отличием принимаются как есть, пока не сменится прошивка или регистрация кассы. Продолжить?",
    ],
  },
  resend: {
    name: ["Send again", "Отправить снова"],
    ask: both(
      ({ count }: Count) => `${count} ${count === 1 ? "message is" : "messages are"} sent to the site again. Go on?`,
      ({ count }) =>
        `${count} ${plural(count, "сообщение будет снова отправлено", "сообщения будут снова отправлены", "сообщений будут снова отправлены")} сайту. Продолжить?`,
    ),
  },
  putAway: {
    name: ["Take off the list", "Убрать из списка"],
    askEvents: [
      "The site will not be told of it any more: {count}. Go on?",
      "Сайт об этом больше не узнает. Сообщений: {count}. Продолжить?",
    ],
    askAnswers: [
      "They leave this list, and no receipt is printed for them: {count}. Go on?",
      "Уйдут из этого списка, чеки по ним не печатаются. Ответов сайта: {count}. Продолжить?",
    ],
    askDoubles: [
      "The second receipt is seen to (a return or a correction), and leaves this list: {orders}. Go on?",
      "С лишним чеком вы разобрались (возврат или коррекция), и он уйдёт из этого списка: {orders}. Продолжить?",
    ],
  },
});
