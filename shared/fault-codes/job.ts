import { afterHelp, type FaultRow, never, unsure } from "./fault-row.js";

export const jobFaults = {
  "job.outcome-unknown": unsure(
    [
      "It is not known whether the document was registered; it is not printed again.",
      "Неизвестно, зарегистрирован ли документ; повторно он не печатается.",
    ],
    [
      "Look at the register's last documents and resolve the job (`fiscald resolve`).",
      "Посмотрите последние документы кассы и закройте вопрос (`fiscald resolve`).",
    ],
  ),
  "job.printed-twice": never(
    ["An order was printed twice.", "Заказ напечатан дважды."],
    [
      "Compare both documents (`fiscald explain`), and undo one of them by a return or a correction receipt.",
      "Сравните оба документа (`fiscald explain`) и отмените один чеком возврата или чеком коррекции.",
    ],
  ),
  "job.held-large": afterHelp(
    [
      "The sum of this receipt is above the site's `largestReceipt`; it waits for a person.",
      "Сумма этого чека больше `largestReceipt` сайта; он ждёт решения человека.",
    ],
    [
      "Compare the sum with the site's order: `fiscald approve` prints the receipt, `fiscald set-aside` leaves it not printed.",
      "Сверьте сумму с заказом на сайте: `fiscald approve` напечатает чек, `fiscald set-aside` оставит ненапечатанным.",
    ],
  ),
  "job.held-correction": afterHelp(
    ["A correction that the site ordered waits for a person.", "Сайт заказал чек коррекции; он ждёт решения человека."],
    [
      "Compare day, sums and rates with the settlement: `fiscald approve` prints the correction, `fiscald set-aside` leaves it not printed.",
      "Сверьте дату, суммы и ставки с расчётом: `fiscald approve` напечатает коррекцию, `fiscald set-aside` оставит ненапечатанной.",
    ],
  ),
  "job.held-old": afterHelp(
    [
      "The order was paid long before it came to the register; it waits for a person.",
      "Заказ оплачен задолго до передачи на кассу; он ждёт решения человека.",
    ],
    [
      "A settlement that was made without the register needs a correction of its day: `fiscald approve --as-correction`. Otherwise `fiscald approve` prints an ordinary receipt, `fiscald set-aside` leaves it not printed. How old is too old: `orderAge` of the site.",
      "Если расчёт прошёл без кассы, нужен чек коррекции за тот день: `fiscald approve --as-correction`. Иначе `fiscald approve` напечатает обычный чек, `fiscald set-aside` оставит ненапечатанным. Срок задаёт `orderAge` сайта.",
    ],
  ),
  "job.held-sold": afterHelp(
    [
      "A receipt without a site has this order number already; a person compares it with this order and says whether they are the same.",
      "С этим номером заказа уже есть чек без сайта; человек сверяет с ним заказ и решает, не за этот ли заказ тот чек.",
    ],
    [
      "Compare goods, sum and buyer with that receipt. It is the same order: `fiscald set-aside` leaves it not printed. It is another one: `fiscald approve` prints it. Of the same order the site hears that there is no receipt: note there that there is one.",
      "Сверьте товары, сумму и покупателя с тем чеком. Тот же заказ: `fiscald set-aside` оставит ненапечатанным. Другой: `fiscald approve` напечатает чек. О том же заказе сайт узнает, что чека нет: отметьте на сайте, что чек есть.",
    ],
  ),
  "job.held-second": afterHelp(
    [
      "The second document that puts a receipt right: a person has it printed after the first one.",
      "Второй документ исправления: его печатает человек, после первого.",
    ],
    [
      "Its page shows whether the first is printed; then `fiscald approve` prints this one.",
      "Вышел ли первый, показывает страница этого заказа. Тогда этот напечатает `fiscald approve`.",
    ],
  ),
  "job.correction-stopped": never(
    [
      "The correction was cut off and is proven not registered; a correction is not tried again by itself.",
      "Чек коррекции оборвался; доказано, что он не зарегистрирован. Сама коррекция не повторяется.",
    ],
    [
      "Look at register and firmware, then print it again. On the command line: `fiscald retry`.",
      "Проверьте кассу и прошивку, затем напечатайте снова. В командной строке: `fiscald retry`.",
    ],
  ),
  "job.already-printed": never(
    ["This order is already printed.", "Этот заказ уже напечатан."],
    ["If a second one is due: `fiscald print-anyway`.", "Если нужен второй чек: `fiscald print-anyway`."],
  ),
  "job.being-printed": never(
    ["This order is still being printed.", "Этот заказ ещё печатается."],
    ["Wait for its result.", "Дождитесь результата."],
  ),
  "job.half-done": never(
    ["An earlier table of this order was done in part.", "Предыдущее задание этого заказа выполнено частично."],
    [
      "Compare the drawer with what is named as done. If the rest is still wanted, repeat it with `fiscald retry`, or all of this one with `fiscald print-anyway`.",
      "Сверьте ящик с тем, что указано как сделанное. Если остальное ещё нужно, выполните `fiscald retry` для того задания или `fiscald print-anyway` для этого.",
    ],
  ),
  "job.cancelled": never(
    ["The job was cancelled by the operator.", "Задание отменено оператором."],
    ["If it is still due, enter it under a new number.", "Если заказ ещё нужен, заведите его под новым номером."],
  ),
  "job.replaced": never(
    ["The site sent other content before it was printed.", "Сайт прислал этот заказ с другим содержанием до печати."],
    ["Nothing: the newer content is printed.", "Ничего: печатается новое содержание."],
  ),
  "job.cancelled-by-order": never(
    ["Cancelled by order: the table ends with CancelCheck.", "Отменено заказом: таблица кончается на `CancelCheck`."],
    ["Nothing: nothing was registered.", "Ничего: чек не регистрировался."],
  ),
  "job.return-exceeds-sale": never(
    ["The returns of this order would exceed what was sold.", "Возвраты по заказу превысят проданное."],
    [
      "Compare with the receipts of the order: only what is left of them can be returned. If the site asked for more, correct it there.",
      "Сверьте с чеками заказа: вернуть можно только то, что по ним осталось. Если лишнее заказал сайт, исправьте заказ там.",
    ],
  ),
  "job.wrong-state": never(
    ["The job's state does not allow this action.", "Состояние задания не позволяет это действие."],
    ["Look at the job's story first.", "Сначала посмотрите историю задания."],
  ),
  "job.not-found": never(
    ["There is no such job.", "Такого задания нет."],
    [
      "`fiscald jobs` lists the jobs, `fiscald-site receipts list` the receipts of a site.",
      "Список заданий: `fiscald jobs`; чеков сайта: `fiscald-site receipts list`.",
    ],
  ),
  "job.document-mismatch": never(
    ["This document does not belong to the job.", "Этот документ не относится к заданию."],
    ["Compare its operation, total and lines with the job's.", "Сравните вид, сумму и позиции документа с заданием."],
  ),
  "job.document-unread": never(
    ["A document that may be this receipt cannot be read.", "Документ, который может быть этим чеком, не читается."],
    [
      "Look at that document on paper or in the OFD's cabinet. If it is this receipt, say `--printed FD`; if it is another one, say `--not-printed --checked FD`.",
      "Посмотрите этот документ на ленте или в кабинете ОФД. Если это тот самый чек, укажите `--printed ФД`; если другой, укажите `--not-printed --checked ФД`.",
    ],
  ),
  "job.document-left-out": never(
    [
      "The register leaves out a document that may be this job's receipt.",
      "Касса не показывает документ, который может быть чеком этого задания.",
    ],
    [
      "Ask again in a minute. If the register goes on leaving it out, ask again once another receipt or the shift's closing has taken that number (where the register is blocked because its drive counts lower than before: `fiscald accept-identity` first). Or take the register out of the config, restart fiscald, resolve the job and give it to another register with `fiscald move`.",
      "Повторите через минуту. Если касса так и не показывает его, повторите, когда на ней выйдет документ с этим номером: другой чек или закрытие смены (если касса остановлена, потому что номера её накопителя стали меньше прежних, сначала `fiscald accept-identity`). Либо уберите кассу из настроек, перезапустите fiscald, закройте вопрос и передайте задание другой кассе: `fiscald move`.",
    ],
  ),
} as const satisfies Record<`job.${string}`, FaultRow>;
