/** Why a wrong receipt is not put right as a person asked. */
import type { Given, Texts } from "@fiscald/shared/texts.js";
import { type JobStateName, stateInRussian } from "./job-states.js";

export const correctionReasons = {
  notASale: {
    en: "only a sale is put right here: about a wrong return or correction ask an accountant",
    ru: "здесь исправляют только приход: о неверном возврате или неверной коррекции спросите бухгалтера",
  },
  notPrinted: (job: Given, state: JobStateName) => ({
    en: `job ${job} is no printed receipt: it is ${state}`,
    ru: `задание ${job} - не напечатанный чек: состояние ${stateInRussian(state)}`,
  }),
  mayBePrinted: (job: Given, state: JobStateName) => ({
    en: `job ${job} is ${state}: a missed settlement is one whose order is surely not printed`,
    ru: `задание ${job}: состояние ${stateInRussian(state)}; пропущен только тот расчёт, чей заказ точно не напечатан`,
  }),
  printedAfterAll: (job: Given) => ({
    en: `the register has a receipt of job ${job}, which ended as not printed: retry that job, and nothing is printed twice`,
    ru: `в кассе есть чек задания ${job}, которое числится ненапечатанным: повторите задание, второго чека не будет`,
  }),
  nameWhat: {
    en: "name the receipt's job, or the settlement that was missed",
    ru: "укажите задание чека или пропущенный расчёт",
  },
  signNeeded: {
    en: "say the fiscal sign (FP) that stands on the receipt of the other program",
    ru: "укажите ФП с лишнего чека, который пробила другая программа",
  },
  ownReceipt: (job: Given) => ({
    en: `this program has printed that receipt: open job ${job} and put it right there`,
    ru: `этот чек пробила эта программа: откройте задание ${job} и исправьте его там`,
  }),
  noInstruction: {
    en: "on this register ordinary receipts put it right, which have no number of an order of the tax office: leave it out",
    ru: "на этой кассе чек исправляют обычными чеками, в них нет номера предписания: оставьте его пустым",
  },
  dateNeeded: { en: "say on which day the settlement was", ru: "укажите дату расчёта" },
  putRight: (job: Given, state: JobStateName) => ({
    en: `job ${job} puts it right already and is ${state}; if that is wrong too, correct that job`,
    ru: `его уже исправляет задание ${job}, состояние ${stateInRussian(state)}; если и там ошибка, исправьте то задание`,
  }),
  noLine: (line: Given) => ({ en: `the receipt has no line ${line}`, ru: `строки ${line} в чеке нет` }),
  payments: (paid: Given, total: Given) => ({
    en: `payments of ${paid} do not make the total of ${total} exactly: say how it was paid`,
    ru: `оплата ${paid} не равна итогу ${total}: укажите, как заплатили`,
  }),
  returnedSince: (left: Given, wanted: Given) => ({
    en: `of this order ${left} is left and the receipt is of ${wanted}: something was returned since, so ask an accountant`,
    ru: `по заказу осталось ${left}, а чек на ${wanted}: часть уже вернули, спросите бухгалтера`,
  }),
  neverIdentified: (register: Given) => ({
    en: `${register} was never connected: its format is not known`,
    ru: `${register} ещё не подключалась: её ФФД неизвестен`,
  }),
} satisfies Texts;
