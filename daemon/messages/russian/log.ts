/**
 * Lines of the log, in Russian: the English text in the code is the key. A test finds all of them in the source
 * (test/daemon/words-in-source.slow.test.ts). Names of fields, codes and values stay English.
 */
export const russianLogTexts: Readonly<Record<string, string>> = {
  // The daemon
  started: "демон запущен",
  stopped: "демон остановлен",
  "the daemon cannot run": "демон не может работать",
  "a part did not stop cleanly": "одна из частей остановилась с ошибкой",
  "systemd cannot be notified about the daemon": "не удалось сообщить systemd о состоянии демона",
  "the config may miss something": "в настройках, возможно, чего-то не хватает",
  "the config was changed: starting again": "настройки изменены: демон запускается заново",
  "this register is an emulator: nothing fiscal happens": "эта касса — эмулятор: фискальных документов не будет",
  "console listens": "страница оператора открыта",
  "a console request failed": "запрос к странице оператора завершился ошибкой",
  "the console is closed, printing goes on": "страница оператора закрыта, печать продолжается",
  "lines of the log are lost": "строки журнала потеряны",
  // Warnings and the word to a person
  "a warning began": "новое предупреждение",
  "a warning is over": "предупреждение снято",
  "early warnings could not be checked": "не удалось проверить предупреждения",
  "an alert could not be sent; it is tried again": "сообщение человеку не отправлено, попытка повторится",
  "alerts are sent again": "сообщения человеку снова отправляются",
  // The database
  "the database was checked after an unclean end": "база проверена после аварийного завершения",
  "the database could not be checked after an unclean end": "не удалось проверить базу после аварийного завершения",
  "the database lacks earlier prints: it was deleted or replaced by an older copy":
    "в базе нет прежних чеков: её удалили или заменили старой копией",
  "database made": "база создана",
  "database migrated": "база обновлена до новой версии",
  "database copied": "копия базы сделана",
  "database could not be copied": "не удалось сделать копию базы",
  "old order texts removed": "старые тексты заказов удалены",
  "old order texts could not be removed": "не удалось удалить старые тексты заказов",
  "the database's log could not be moved yet": "журнал базы пока не удалось перенести в неё",
  "the database's log could not be preallocated": "не удалось заранее выделить место для журнала базы",
  // Orders of a site
  "accepted an order": "заказ принят",
  "refused an order": "заказ отклонён",
  "an order cannot be read": "заказ не удалось прочитать",
  "an order waits until a person approves it": "заказ ждёт решения человека",
  "an order is odd": "в заказе есть странность",
  "known order, nothing to do": "заказ уже известен, делать ничего не нужно",
  "a known order came again: its result is sent again": "заказ пришёл повторно: результат отправляется снова",
  "a failed order came again: it is tried again": "неудавшийся заказ пришёл повторно: печать повторяется",
  "an order is not taken a second time": "заказ второй раз не принят",
  "the site's answer is neither an order nor an empty one": "ответ сайта — не заказ и не пустой ответ",
  "the site sent an error and a receipt: the receipt is not printed":
    "сайт прислал ошибку вместе с чеком: чек не печатается",
  "site cannot be asked for orders": "сайт не удаётся опросить",
  "site is asked for orders again": "сайт снова опрашивается",
  "answer to an order poll lost": "ответ сайта на опрос потерян",
  "answer to an order poll lost: the site offers it again": "ответ сайта на опрос потерян: сайт отдаст заказ снова",
  "answer to an order poll may be lost": "ответ сайта на опрос, возможно, потерян",
  "order polls may have been on their way when the daemon was cut off: the site offers them again":
    "во время аварийного завершения могли идти опросы: сайт отдаст заказы снова",
  "cannot store an order: no site is polled until it is stored":
    "заказ не записывается в базу: пока он не записан, сайты не опрашиваются",
  "stored the answer that waited for the database": "ответ сайта, который ждал базу, записан",
  "a poller ended": "опрос сайта прекратился",
  // Results for a site
  "event delivered": "событие доставлено",
  "event not delivered": "событие не доставлено",
  "event not delivered, tried again": "событие не доставлено, попытка повторится",
  "event set aside": "событие отложено: сайт его отвергает",
  "events wait": "события ждут отправки",
  "events go out again": "события снова отправляются",
  "the first list of registers cannot be sent yet": "первый список касс пока не отправляется",
  "outbox could not be read": "не удалось прочитать очередь событий",
  "delivery could not be recorded": "не удалось записать, что событие доставлено",
  // The queue
  "the dispatcher failed": "распределение заданий завершилось ошибкой",
  "the queue cannot be read": "не удаётся прочитать очередь",
  "moved to another register": "задание передано другой кассе",
  "the register lacks something for the order: it waits for another one of its group":
    "касса не может напечатать этот заказ: он ждёт другую кассу группы",
  "this register lacks something for the receipt: another of its group is asked":
    "касса не может напечатать этот чек: он передаётся другой кассе группы",
  "the database was put back or deleted: orders wait until these registers were read":
    "база восстановлена из копии или удалена: заказы ждут, пока не прочитаны эти кассы",
  "all registers were read: what the database had forgotten is known":
    "все кассы прочитаны: то, чего не было в базе, известно",
  "a waiting job belongs to a register that is not configured: move it to another one, or cancel it":
    "задание ждёт кассу, которой нет в настройках: передайте его другой кассе или отмените",
  "an unsure job belongs to a register that is not configured":
    "задание с неизвестным исходом относится к кассе, которой нет в настройках",
  // A register
  connected: "касса на связи",
  disconnected: "нет связи с кассой",
  "connection lost": "связь с кассой прервана",
  "cannot connect": "не удаётся подключиться к кассе",
  "register blocked": "касса ждёт человека",
  "register changed": "состояние кассы изменилось",
  "paused by the operator": "касса поставлена на паузу оператором",
  "resumed by the operator": "печать на кассе возобновлена оператором",
  "a mailbox item failed": "действие с кассой завершилось ошибкой",
  "the shift is not closed yet; it is tried each minute": "смена ещё не закрыта, попытка повторяется каждую минуту",
  "nothing to close": "закрывать нечего",
  // A print
  printed: "напечатано",
  "the register refuses the totals of its shift": "ККТ не сообщает итоги смены",
  "printed, but not quite as wanted": "напечатано, но не совсем так, как заказано",
  "nothing to print": "печатать нечего",
  "not printed, queued again": "не напечатано, снова в очереди",
  "not printed, given up": "не напечатано, попыток больше не будет",
  "a job was broken off": "задание прервано ошибкой программы",
  "a picture is left out": "картинка не печатается",
  "texts are printed plain": "текст печатается без оформления",
  "this model refuses the order mark (tag 1084): its receipts go without it, as with orderMark: false":
    "модель не принимает метку заказа (тег 1084): чеки печатаются без неё, как при orderMark: false",
  "the outcome of a job cannot be recorded; it is tried until it can":
    "исход задания не записывается в базу, попытки продолжаются",
  // What became of a print
  "the outcome is unknown: the register is read": "исход неизвестен: проверяются документы кассы",
  "a job was cut off; its register is asked": "печать прервана: проверяются документы кассы",
  "compared an unsure job with documents": "исход задания проверен по документам кассы",
  "it is unknown whether the job was printed": "по документам кассы не понять, напечатан ли чек",
  "a waiting job was printed already": "задание из очереди уже напечатано",
  "a waiting job may be printed already": "задание из очереди, возможно, уже напечатано",
  "an order was printed twice": "заказ напечатан дважды",
  "an order that ended as not printed has a receipt": "у заказа, закрытого как ненапечатанный, найден чек",
  "cash may have been moved already: the database was put back or deleted":
    "наличные, возможно, уже внесены или выплачены: база восстановлена из копии или удалена",
  "the lost database may have moved cash: orders to move cash become unsure in this shift":
    "до потери базы наличные могли быть внесены или выплачены: в этой смене исход таких заказов неизвестен",
  "the register has receipts from before it was known here, and its receipts carry no order mark: an order that another daemon printed on it is not recognised":
    "на кассе есть чеки, пробитые до знакомства с ней, а метки заказа в её чеках нет: заказ, который напечатал другой демон, узнать нельзя",
  "the receipt could not be read back; it is tried with the next one":
    "напечатанный чек не удалось прочитать из кассы, проверка повторится на следующем",
  "the register altered a receipt: receipts with that value wait":
    "касса изменила чек: чеки с этим значением ждут решения человека",
  "the register refused a receipt with an unconfirmed tag: receipts with it wait":
    "касса отвергла чек с неподтверждённым тегом: чеки с ним ждут",
  "a receipt read back from the register is not quite what was sent":
    "чек, прочитанный из кассы, не вполне совпал с отправленным",
  "a receipt was not compared with what was sent: its document cannot be read":
    "чек не сверен с отправленным: его документ не читается",
  "a document was not compared": "документ не сверен",
};

const englishLogTexts: ReadonlyMap<string, string> = new Map(
  Object.entries(russianLogTexts).map(([english, russian]) => [russian, english]),
);

/** The text as it stands in the code, of a line in either language. */
export function englishLogText(text: string): string {
  return englishLogTexts.get(text) ?? text;
}
