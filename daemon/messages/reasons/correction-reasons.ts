import { reasons } from "../rows.js";

export const correctionReasons = reasons({
  notASale: [
    "only a sale is put right here: about a wrong return or correction ask an accountant",
    "здесь исправляют только приход: о неверном возврате или неверной коррекции спросите бухгалтера",
  ],
  notPrinted: [
    "job {job} is no printed receipt: it is {state}",
    "задание {job} - не напечатанный чек: состояние {state}",
  ],
  mayBePrinted: [
    "job {job} is {state}: a missed settlement is one whose order is surely not printed",
    "задание {job}: состояние {state}; пропущен только тот расчёт, чей заказ точно не напечатан",
  ],
  printedAfterAll: [
    "the register has a receipt of job {job}, which ended as not printed: retry that job, and nothing is printed twice",
    "в кассе есть чек задания {job}, которое числится ненапечатанным: повторите задание, второго чека не будет",
  ],
  asMissed: [
    "{said}; set the order aside, then put it right as a missed settlement (case `missed`) with the rate of its day",
    "{said}; нажмите «Не печатать», затем на странице заказа «Заказ оплачен, а чека нет» и укажите ставку того дня",
  ],
  nameWhat: [
    "name the receipt's job, or the settlement that was missed",
    "укажите задание чека или пропущенный расчёт",
  ],
  signNeeded: [
    "say the fiscal sign (FP) that stands on the receipt of the other program",
    "укажите ФП с лишнего чека, который пробила другая программа",
  ],
  ownReceipt: [
    "this program has printed that receipt: open job {job} and put it right there",
    "этот чек пробила эта программа: откройте задание {job} и исправьте его там",
  ],
  noInstruction: [
    "on this register ordinary receipts put it right, which have no number of an order of the tax office: leave it out",
    "на этой кассе чек исправляют обычными чеками, в них нет номера предписания: оставьте его пустым",
  ],
  nothingChanged: [
    "nothing is changed: say what is right in the receipt",
    "ничего не изменено: укажите, что в чеке должно быть иначе",
  ],
  dateNeeded: ["say on which day the settlement was", "укажите дату расчёта"],
  rateOnPaper: [
    "the register altered the VAT of job {job}: say the rates on its paper, by `fiscald correct --set 1.paper=RATE`",
    "касса изменила НДС в чеке задания {job}: укажите ставки с бумаги, командой `fiscald correct --set 1.paper=СТАВКА`",
  ],
  putRight: [
    "job {job} puts it right already and is {state}; if that is wrong too, correct that job",
    "его уже исправляет задание {job}, состояние {state}; если и там ошибка, исправьте то задание",
  ],
  noLine: ["the receipt has no line {line}", "строки {line} в чеке нет"],
  payments: [
    "payments of {paid} do not make the total of {total} exactly: say how it was paid",
    "оплата {paid} не равна итогу {total}: укажите, как заплатили",
  ],
  returnedSince: [
    "of this order {left} is left and the receipt is of {wanted}: something was returned since, so ask an accountant",
    "по заказу осталось {left}, а чек на {wanted}: часть уже вернули, спросите бухгалтера",
  ],
  neverIdentified: [
    "{register} was never connected: its format is not known",
    "{register} ещё не подключалась: её ФФД неизвестен",
  ],
});
