/** Buttons that end a trouble, with the question before each (console/troubles/decisions.ts). */
import { both, plural, rows } from "../rows.js";
import type { Count } from "./page-actions.js";

export interface OfRegister {
  readonly register: string;
}

export const stepTexts = rows({
  retry: {
    name: ["Print those shown again", "Напечатать показанные снова"],
    ask: both(
      ({ count }: Count) => `${count} ${count === 1 ? "receipt is" : "receipts are"} queued and printed again. Go on?`,
      ({ count }) =>
        `${count} ${plural(count, "чек снова встанет в очередь и будет напечатан", "чека снова встанут в очередь и будут напечатаны", "чеков снова встанут в очередь и будут напечатаны")}. Продолжить?`,
    ),
  },
  setAside: {
    name: ["Take off the list, do not print", "Убрать из списка, не печатать"],
    ask: [
      "They stay not printed and leave this list: {count}. Go on?",
      "Останутся ненапечатанными и уйдут из этого списка заказы: {count}. Продолжить?",
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
      "The second receipt is seen to (a return or a correction), and leaves this list: {count}. Go on?",
      "С лишним чеком вы разобрались (возврат или коррекция), и он уйдёт из этого списка. Заказов: {count}. Продолжить?",
    ],
  },
});
