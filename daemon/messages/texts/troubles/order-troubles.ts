import { both, plural, rows } from "../../rows.js";
import {
  type Caused,
  type Counted,
  commandsForJobs,
  english,
  inEnglish,
  inRussian,
  isJob,
  type OfJobs,
  russian,
} from "./trouble-words.js";

export const orderTroubleTexts = rows({
  unsure: {
    text: both(
      (counted: Counted & { readonly doubt: string }) =>
        `It is not known whether ${counted.count === 1 ? `the receipt of ${inEnglish(counted)} was` : `the receipts of ${counted.count} orders were`} registered${counted.count === 1 ? "" : `: ${inEnglish(counted)}`}. ${counted.doubt}`.trim(),
      (counted) =>
        `${
          counted.count === 1
            ? `Непонятно, вышел ли чек ${isJob(counted) ? "задания" : "заказа"} ${inRussian(counted)}.`
            : `Непонятно, вышли ли чеки ${counted.count} ${plural(counted.count, "заказа", "заказов", "заказов")}: ${inRussian(counted)}.`
        } ${counted.doubt}`.trim(),
    ),
    next: both(
      (given: Counted & OfJobs) =>
        `Compare with the register's last documents. Until you answer, receipts of ${given.count === 1 ? "this order wait" : "these orders wait"}; others are printed. The answer: ${commandsForJobs("resolve", given)} with \`--printed FD\` or \`--not-printed\`.`,
      (given) =>
        `Сравните с последними документами кассы. Пока вы не ответите, чеки ${given.count === 1 ? "этого заказа" : "этих заказов"} ждут, остальные печатаются. Ответ: ${commandsForJobs("resolve", given)} с \`--printed ФД\` или \`--not-printed\`.`,
    ),
  },
  doubt: {
    "in-progress": [
      "The maker's print service may still print it; it is asked until it has ended.",
      "Служба печати производителя ещё может его напечатать; её опрашивают, пока она не закончит.",
    ],
    unreadable: [
      "A document that may be this one could not be read. The register is asked for it again and again.",
      "Документ, который может быть этим чеком, касса пока не прочитала; программа спрашивает её снова.",
    ],
    "no-evidence": [
      "Neither the fiscal drive nor the register's counters show whether it was done.",
      "Ни фискальный накопитель, ни счётчики кассы не показывают, выполнено ли это.",
    ],
    ambiguous: [
      "The documents that were read leave more than one answer.",
      "Прочитанные документы допускают больше одного ответа.",
    ],
  },
  held: {
    text: both(
      (given: Caused) => `${english(given, "waits for your decision", "wait for your decision")} ${given.text}`,
      (given) =>
        `${russian(given, ["ждёт вашего решения", "ждёт вашего решения"], "ждут вашего решения")} ${given.text}`,
    ),
    next: both(
      (given: OfJobs) =>
        `Compare it with the site's order, then print it or do not. To print it: ${commandsForJobs("approve", given)}; to leave it not printed: ${commandsForJobs("set-aside", given)}.`,
      (given) =>
        `Сверьте с заказом на сайте и напечатайте или откажитесь от печати. Напечатать: ${commandsForJobs("approve", given)}; оставить ненапечатанным: ${commandsForJobs("set-aside", given)}.`,
    ),
  },
  heldOld: both(
    (given: OfJobs) =>
      `If the goods were handed over without a receipt, it takes a correction; if you hand them over today, an ordinary receipt. The ordinary receipt: ${commandsForJobs("approve", given)}; the correction of the day of payment: the same with \`--as-correction\`; to leave it not printed: ${commandsForJobs("set-aside", given)}.`,
    (given) =>
      `Товар уже отдан без чека — коррекция; отдаёте сегодня — обычный чек. Обычный чек: ${commandsForJobs("approve", given)}; коррекция за день оплаты: то же с \`--as-correction\`; оставить ненапечатанным: ${commandsForJobs("set-aside", given)}.`,
  ),
  largeSum: [
    "The sum is larger than the settings allow for the site.",
    "Сумма чека больше разрешённой для этого сайта.",
  ],
  heldSecond: both(
    (given: OfJobs) =>
      `Print it once the first document is printed: that one undid the receipt, and without this one the buyer has no right receipt. To print it: ${commandsForJobs("approve", given)}; to leave the buyer without it: ${commandsForJobs("set-aside", given)}.`,
    (given) =>
      `Напечатайте его, когда первый уже вышел: первый отменил прежний чек, и без второго у покупателя не будет верного чека. Напечатать: ${commandsForJobs("approve", given)}; оставить покупателя без чека: ${commandsForJobs("set-aside", given)}.`,
  ),
  siteStuck: [
    "The site offers nothing else as long as this order has no result: none of its orders behind it is printed.",
    "Пока по этому заказу нет результата, сайт не предлагает других: заказы сайта, которые стоят за ним, не печатаются.",
  ],
  failed: {
    text: both(
      (given: Caused) => `${english(given, "is not printed", "are not printed")} ${given.text}`,
      (given) => `${russian(given, ["не напечатан", "не напечатано"], "не напечатаны")} ${given.text}`,
    ),
    retry: both(
      (given: OfJobs) => `Once the cause is gone, type ${commandsForJobs("retry", given)}.`,
      (given) => `Устраните причину и наберите ${commandsForJobs("retry", given)}.`,
    ),
  },
  refused: both(
    (given: Caused) => `${english(given, "was refused", "were refused")} ${given.text}`,
    (given) => `${russian(given, ["отклонён", "отклонено"], "отклонены")} ${given.text}`,
  ),
  wrongKkm: {
    text: both(
      (given: Counted & { readonly kkm: string; readonly asked: string }) =>
        `${english(given, "was refused", "were refused")} It is for the register with number ${given.kkm}, which the site has not. Registers of the site: ${given.asked}.`,
      (given) =>
        `${russian(given, ["отклонён", "отклонено"], "отклонены")} На сайте указана касса с рег. № ККТ ${given.kkm}, а здесь такой нет. Кассы сайта: ${given.asked}.`,
    ),
    next: [
      "Correct the register's number (`kkm`) in the site's order, or connect that register and bind it to the site.",
      "Исправьте номер кассы (`kkm`) в заказе на сайте или подключите эту кассу и укажите для неё сайт.",
    ],
  },
  cancelled: ["The order will not be printed. {text}", "Этот чек печататься не будет. {text}"],
  unreadable: {
    text: both(
      (given: Caused) =>
        given.names === ""
          ? `The site sent ${given.count === 1 ? "an order" : `${given.count} orders`} that cannot be read. ${given.text}`
          : `${english(given, "could not be read", "could not be read")} ${given.text}`,
      (given) =>
        given.names === ""
          ? `Сайт прислал ${given.count === 1 ? "заказ, который" : `${given.count} ${plural(given.count, "заказ", "заказа", "заказов")}, которые`} не удалось прочитать. ${given.text}`
          : `${russian(given, ["не удалось прочитать", "не удалось прочитать"], "не удалось прочитать")} ${given.text}`,
    ),
    next: ["No receipt was printed. Tell the site's developer.", "Чек не напечатан. Сообщите разработчику сайта."],
  },
  printedTwice: {
    text: both(
      (counted: Counted) => english(counted, "was printed twice", "were printed twice"),
      (counted) => russian(counted, ["напечатан дважды", "выполнено дважды"], "напечатаны дважды"),
    ),
    next: [
      "Compare both documents, and undo one of them by a return or a correction receipt.",
      "Сравните оба документа и отмените один чеком возврата или чеком коррекции.",
    ],
  },
  printedAfterAll: {
    text: both(
      (counted: Counted) =>
        english(
          counted,
          "was reported as not printed, but the register has its receipt",
          "were reported as not printed, but the register has their receipts",
        ),
      (counted) =>
        russian(
          counted,
          ["числится ненапечатанным, но его чек есть в кассе", "числится невыполненным, но его чек есть в кассе"],
          "числятся ненапечатанными, но их чеки есть в кассе",
        ),
    ),
    next: [
      "Compare the receipt with the order. If its job failed, printing it again only reports this receipt to the site; otherwise undo the receipt by a return.",
      "Сверьте чек с заказом. Если его задание завершилось ошибкой, повторная печать лишь сообщит сайту этот чек; иначе отмените чек возвратом.",
    ],
  },
  registerStarting: {
    text: ["It is being connected and checked.", "Касса подключается и проверяется."],
    next: [
      "Nothing: it prints in some seconds. If this lasts, check its power and cable.",
      "Ничего делать не нужно: печать начнётся через несколько секунд. Если это затянулось, проверьте питание и кабель кассы.",
    ],
  },
  registerStopped: {
    text: ["The register was stopped with the daemon.", "Касса остановлена вместе с программой."],
    next: ["Start the daemon again.", "Запустите программу снова."],
  },
  registerRemoved: {
    text: ["The register is not in the config any more.", "Этой кассы больше нет в настройках."],
    next: both(
      (given: OfJobs) =>
        `Give the order to another register or cancel it. The command: ${commandsForJobs("move", given)} with the register's id.`,
      (given) =>
        `Передайте заказ другой кассе или отмените его. Команда: ${commandsForJobs("move", given)} с именем кассы.`,
    ),
  },
  shiftClosing: {
    text: ["The shift is being closed; receipts wait until that is done.", "Закрывается смена, чеки ждут закрытия."],
    next: [
      "Nothing: the receipt is printed after the closing. If this lasts, check the register's paper and cover.",
      "Ничего делать не нужно: чек напечатается после закрытия. Если оно затянулось, проверьте бумагу и крышку кассы.",
    ],
  },
  printing: {
    text: ["It is being printed now.", "Чек печатается сейчас."],
    next: [
      "Nothing: wait some seconds. If this lasts, check the register's paper, cover and power.",
      "Подождите несколько секунд. Если печать затянулась, проверьте бумагу, крышку и питание кассы.",
    ],
  },
  waitsForTurn: {
    text: both(
      ({ ahead }: { readonly ahead: number }) =>
        ahead === 0 ? "It is next in the queue." : `Receipts are printed in turn; before it: ${ahead}.`,
      ({ ahead }) => (ahead === 0 ? "Чек следующий в очереди." : `Чеки печатаются по очереди, впереди: ${ahead}.`),
    ),
    next: ["Nothing: it is printed in its turn.", "Ничего делать не нужно: чек напечатается в свою очередь."],
  },
  waitsForEarlier: {
    text: both(
      (given: Counted) =>
        `${english(given, "waits", "wait")} An earlier receipt of the order waits for a person's decision; this one follows it.`,
      (given) =>
        `${russian(given, ["ждёт", "ждёт"], "ждут")} Более ранний чек заказа ждёт решения человека, этот напечатается после него.`,
    ),
    next: ["Decide about the earlier receipt.", "Примите решение о более раннем чеке."],
    held: both(
      (given: OfJobs) =>
        `The commands: ${commandsForJobs("approve", given)} or ${commandsForJobs("set-aside", given)}.`,
      (given) => `Команды: ${commandsForJobs("approve", given)} или ${commandsForJobs("set-aside", given)}.`,
    ),
    unsure: both(
      (given: OfJobs) =>
        `The command: ${commandsForJobs("resolve", given)} with \`--printed FD\` or \`--not-printed\`.`,
      (given) => `Команда: ${commandsForJobs("resolve", given)} с \`--printed ФД\` или \`--not-printed\`.`,
    ),
    asked: both(
      (given: Counted) =>
        `${english(given, "waits", "wait")} The register is asked about an earlier receipt of the order; this one follows it.`,
      (given) =>
        `${russian(given, ["ждёт", "ждёт"], "ждут")} У кассы выясняется судьба более раннего чека заказа, этот напечатается после него.`,
    ),
  },
  waitsForOther: [
    "It cannot print this receipt: {text} The receipt waits for register {other} of the same group.",
    "Она не может напечатать этот чек: {text} Чек ждёт кассу {other} той же группы.",
  ],
  waitsForReading: {
    text: [
      "It waits until register {other} was read: this order may be printed there already.",
      "Она ждёт ответа кассы {other}: возможно, этот чек уже напечатан на ней.",
    ],
    gone: [
      "If register {other} is gone for good, remove it from the config.",
      "Если кассы {other} больше нет, уберите её из настроек.",
    ],
  },
  triedAgain: [
    "The last try failed; it is tried again by itself. {text}",
    "Прошлая попытка не удалась, печать повторится сама. {text}",
  ],
  waitsUntilMended: ["{text} The setting: {setting}.", "{text} Настройка: {setting}."],
  settling: {
    text: [
      "The register is asked whether the last try was registered; the answer decides what happens. {text}",
      "У кассы выясняется, зарегистрирован ли чек прошлой попытки; от ответа зависит, что дальше. {text}",
    ],
    next: [
      "Nothing: it goes on by itself once the register has answered.",
      "Ничего делать не нужно: печать продолжится сама, когда касса ответит.",
    ],
  },
  notOffered: {
    text: [
      "The site has not offered this order. It is asked for: {asked}.",
      "Сайт этот заказ не отдавал. Его спрашивают о заказах для касс: {asked}.",
    ],
    next: [
      "Check on the site that the order is released for printing and that its register (`kkm`) is one of these.",
      "Проверьте на сайте, что заказ отправлен на печать и в нём указана одна из этих касс (`kkm`).",
    ],
  },
});
