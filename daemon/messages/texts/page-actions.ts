import { both, plural, rows } from "../rows.js";

export interface Count {
  readonly count: number;
}

export interface OrdinaryAndCorrections {
  readonly ordinary: number;
  readonly corrections: number;
}

export function documentsInRussian(count: number): string {
  return `${count} ${plural(count, "документ", "документа", "документов")}`;
}

export const pageActionTexts = rows({
  administratorActs: [
    "The administrator does this. His page is opened on the till's computer: on Windows by the Start menu, fiscald, Operator's page; on Linux by the link of `sudo fiscald console`.",
    "Это делает администратор. Его страницу открывают на кассовом компьютере: Windows — меню «Пуск», папка fiscald, «Страница оператора»; Linux — ссылка, которую печатает `sudo fiscald console`.",
  ],
  notRetried: [
    "Done but for {count} of them. The first: {why}",
    "Готово, кроме заказов: {count}. Первый из них: {why}",
  ],
  decisions: ["Decisions", "Решения"],
  forDeveloper: ["For the developer of the site", "Для разработчика сайта"],
  noDecisions: ["Nothing needs a decision.", "Решать нечего."],
  newestShown: [
    "The newest {count} are shown. Others may follow once these are settled.",
    "Показаны последние {count}, могут быть и другие: они появятся здесь, когда эти будут решены.",
  ],
  sinceLoss: [
    "Orders since the database was lost: printed already or not?",
    "База была потеряна: напечатаны ли эти заказы?",
  ],
  sinceLossNext: [
    "Each order may be one of the documents: compare them with the receipts' paper or the OFD's cabinet. An order that has its receipt here: open it and name the document. Then press “The other orders have no receipt: print them”.",
    "Каждый заказ может оказаться одним из документов: сверьте их с лентой или с кабинетом ОФД. Если чек заказа здесь есть, откройте заказ и укажите документ. Потом нажмите «У остальных чека нет: напечатать».",
  ],
  ordersOfLoss: ["Orders that wait", "Заказы ждут"],
  documentsOfLoss: ["Documents of that time", "Документы за то время"],
  acceptLoss: ["The other orders have no receipt: print them", "У остальных чека нет: напечатать"],
  askAcceptLoss: both(
    ({ register, count }: Count & { readonly register: string }) =>
      `${count} ${count === 1 ? "order is" : "orders are"} printed, and the documents that ${register} holds from that time keep no order waiting any more. Go on?`,
    ({ register, count }) =>
      `Будут напечатаны заказы: ${count}. Документы за то время (${register}) больше не задержат ни одного заказа. Продолжить?`,
  ),
  resend: ["Send again", "Отправить снова"],
  pausedFor: ["Paused", "На паузе"],
  pause: ["Pause", "Пауза"],
  resume: ["Go on printing", "Возобновить печать"],
  testSlip: ["Test slip", "Пробная печать"],
  xReport: ["X report", "X-отчёт"],
  zReport: ["Close the shift (Z)", "Закрыть смену (Z)"],
  sync: ["Send the list of registers", "Отправить список касс"],
  askPause: [
    "{register} prints no orders until you let it go on. A receipt in hand is finished; orders wait or go to another register of its group; the shift is closed as ever. Go on?",
    "{register} допечатает начатый чек и перестанет печатать заказы: они будут ждать или уйдут на другую кассу группы, пока вы не возобновите печать. Смена закроется как обычно. Продолжить?",
  ],
  askResume: ["{register} prints what waits for it. Go on?", "{register} начнёт печатать всё, что ждёт. Продолжить?"],
  askTestSlip: [
    "{register} prints a few lines that are no receipt. Go on?",
    "{register} напечатает несколько строк, это не чек. Продолжить?",
  ],
  askCopy: [
    "The register prints a copy of the receipt of order {order} once more; nothing is sold by it. Go on?",
    "Касса ещё раз напечатает копию чека заказа {order}; новой продажи не будет. Продолжить?",
  ],
  awayNow: [
    "The register is not ready now: this may be done later, when it is back.",
    "Касса сейчас не готова: это может быть сделано позже, когда она вернётся.",
  ],
  askX: [
    "{register} prints an X report; the shift stays open. Go on?",
    "{register} напечатает X-отчёт, смена останется открытой. Продолжить?",
  ],
  askZ: [
    "{register} closes its shift and prints the Z report. This cannot be taken back; the next receipt opens a new shift. Go on?",
    "{register} закроет смену и напечатает Z-отчёт. Отменить это нельзя: следующий чек откроет новую смену. Продолжить?",
  ],
  askSync: [
    "{site} is sent the list of its registers. Go on?",
    "Сайту {site} будет отправлен список его касс. Продолжить?",
  ],
  askRetry: [
    "The receipt of order {order} is queued and printed again. Go on?",
    "Чек заказа {order} снова встанет в очередь и будет напечатан. Продолжить?",
  ],
  askApprove: [
    "The receipt of order {order} is printed as it is. Go on?",
    "Чек заказа {order} будет напечатан как есть. Продолжить?",
  ],
  askAsCorrection: both(
    ({ count }: Count) =>
      `${count === 1 ? "The settlement was" : `${count} settlements were`} made without the register: ${count === 1 ? "a correction receipt is" : "correction receipts are"} printed with the day on which the order was paid. This cannot be taken back.`,
    ({ count }) =>
      `${count === 1 ? "Расчёт прошёл без кассы: будет напечатан чек коррекции" : `Расчёты прошли без кассы: ${count}. Будут напечатаны чеки коррекции`} за день оплаты заказа. Отменить это нельзя.`,
  ),
  askPrintThose: both(
    ({ ordinary, corrections }: OrdinaryAndCorrections) =>
      `${ordinary === 0 ? "" : `Ordinary receipts of today are printed: ${ordinary}. `}${corrections === 0 ? "" : `Corrections are printed: ${corrections}. `}Go on?`,
    ({ ordinary, corrections }) =>
      `${ordinary === 0 ? "" : `Будут напечатаны обычные чеки сегодняшним днём: ${ordinary}. `}${corrections === 0 ? "" : `Будут напечатаны чеки коррекции: ${corrections}. `}Продолжить?`,
  ),
  askSetThoseAside: [
    "They stay not printed, and their sites hear that: {count}. Go on?",
    "Печататься не будут, сайты об этом узнают. Заказов: {count}. Продолжить?",
  ],
  printOrdinary: ["Print an ordinary receipt", "Напечатать обычным чеком"],
  tickAll: ["All", "Все"],
  askReason: ["Why (for the journal):", "Причина (для журнала):"],
  askPaidDay: [
    "Day of the settlement, where the order does not say when it was paid:",
    "День расчёта, если в заказе не сказано, когда он оплачен:",
  ],
  askSetAside: [
    "Order {order} stays not printed and leaves the decisions. Go on?",
    "Заказ {order} останется ненапечатанным и уйдёт из решений. Продолжить?",
  ],
  askPrintAnother: [
    "Order {order} is printed as one receipt more, although an equal one is printed. Go on?",
    "По заказу {order} будет напечатан ещё один чек, хотя такой же уже напечатан. Продолжить?",
  ],
  askSameReceipt: [
    "Nothing is printed: the site gets the result of the receipt of order {order} again. Go on?",
    "Печати не будет: сайт снова получит результат напечатанного чека заказа {order}. Продолжить?",
  ],
  askReturn: [
    "The register prints a return of order {order}: what stands below. Give the money back yourself. How much of each line is returned (0 = nothing)?",
    "Касса напечатает возврат по заказу {order}: то, что указано ниже. Деньги покупателю верните сами. Сколько вернуть по каждой строке (0 — ничего)?",
  ],
  leftOfLine: ["{quantity} for {sum}", "{quantity} на {sum}"],
  returnTotal: ["Return of {sum}", "Возврат на {sum}"],
  returnFixes: [
    "The receipt was wrong: name its fiscal sign in the return (tag 1192)",
    "Чек был ошибочным: указать в возврате его фискальный признак (тег 1192)",
  ],
  askCancel: [
    "The receipt of order {order} will not be printed, and the site gets this as the result. Go on?",
    "Чек заказа {order} печататься не будет, сайт об этом узнает. Продолжить?",
  ],
  askNotPrinted: both(
    ({ order, unread }: { readonly order: string; readonly unread: number }) =>
      `The receipt of order ${order} will be printed. If it was registered already, the buyer pays twice in the tax office's eyes. ${
        unread === 0
          ? ""
          : unread === 1
            ? "One document could not be read: find it on the tape or in the OFD's cabinet, and tick it if it is another receipt. "
            : `${unread} documents could not be read: find them on the tape or in the OFD's cabinet, and tick those that are other receipts. `
      }Go on?`,
    ({ order, unread }) =>
      `Чек заказа ${order} будет напечатан. Если он уже зарегистрирован, получится второй чек на одну оплату. ${
        unread === 0
          ? ""
          : unread === 1
            ? "Один документ касса не прочитала: найдите его на ленте или в кабинете ОФД и отметьте, если это другой чек. "
            : `Касса не прочитала ${documentsInRussian(unread)}: найдите их на ленте или в кабинете ОФД и отметьте те, что оказались другими чеками. `
      }Продолжить?`,
  ),
  notPrintedRefusals: {
    "job.already-printed": [
      "The receipt was found in the fiscal drive: the order is printed, and the site will be told. It need not be printed.",
      "Чек нашёлся в накопителе кассы: заказ напечатан, сайт об этом узнает. Печатать его не нужно.",
    ],
    "job.document-unread": [
      "Nothing was done: a document that may be this receipt cannot be read. Find it on the tape or in the OFD's cabinet. If it is another receipt, press the button again and tick it.",
      "Ничего не сделано: документ, который может быть этим чеком, не читается. Найдите его на ленте или в кабинете ОФД. Если это другой чек, нажмите кнопку ещё раз и отметьте его.",
    ],
  },
  checkedDocument: ["I have checked document {fd}: it is another receipt", "Я проверил документ {fd}: это другой чек"],
  askPrinted: [
    "The number of its document (FD), from the paper or the OFD's cabinet:",
    "Номер его документа (ФД), с бумаги или из кабинета ОФД:",
  ],
  yes: ["Yes, go on", "Да, продолжить"],
  no: ["No", "Нет"],
  done: ["Done.", "Готово."],
  acting: ["Under way…", "Выполняется…"],
  noAnswer: [
    "No answer: it is not known whether this was done. Before you repeat it, look at the orders and the register.",
    "Ответа нет: неизвестно, выполнено ли это. Прежде чем повторять, посмотрите заказы и кассу.",
  ],
});
