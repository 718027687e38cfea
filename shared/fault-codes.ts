/**
 * Every fault there is: what it means, whether trying again helps, what the site is told (resultCode of the
 * print-server protocol), and what a person should do, in both languages.
 */

/** `repeat`: by itself. `after-help`: goes on once a person has helped. `never`. `unsure`: nobody knows yet. */
export type RetryClass = "repeat" | "after-help" | "never" | "unsure";
/** 0 success, 1 wrong value, 2 unknown action, 3 something missing, 4 anything else. */
export type ResultCode = 0 | 1 | 2 | 3 | 4;

export interface FaultText {
  readonly en: string;
  readonly ru: string;
}

export interface FaultRow {
  readonly retry: RetryClass;
  readonly resultCode: ResultCode;
  /** The cause, one sentence. */
  readonly text: FaultText;
  /** What to do, one sentence. */
  readonly hint: FaultText;
}

function row(
  retry: RetryClass,
  resultCode: ResultCode,
  text: readonly [string, string],
  hint: readonly [string, string],
): FaultRow {
  return { retry, resultCode, text: { en: text[0], ru: text[1] }, hint: { en: hint[0], ru: hint[1] } };
}

const fixOrder = [
  "Correct the order on the site and send it again.",
  "Исправьте заказ на сайте и отправьте его снова.",
] as const;
const fixRequest = ["Correct the request and send it again.", "Исправьте запрос и отправьте его снова."] as const;
const goesOn = ["Nothing: it is tried again by itself.", "Ничего делать не нужно: повтор произойдёт сам."] as const;
const callService = ["Call the service engineer of the register.", "Вызовите сервисного инженера ККТ."] as const;
const reportUs = [
  "Make a support bundle and send it to support.",
  "Соберите пакет диагностики (support-bundle) и отправьте в поддержку.",
] as const;

export const faultCodes = {
  // --- link: bytes between us and a register
  "link.not-found": row(
    "repeat",
    4,
    ["The port or address does not exist.", "Порт или адрес не найден."],
    ["Check the cable and the connection settings of the register.", "Проверьте кабель и настройки подключения кассы."],
  ),
  "link.busy": row(
    "repeat",
    4,
    ["The port is in use by another program.", "Порт занят другой программой."],
    ["Close the other program that uses this register.", "Закройте другую программу, которая работает с этой кассой."],
  ),
  "link.held": row(
    "repeat",
    4,
    [
      "Another fiscald on this machine has this register's port.",
      "Порт кассы занят другим fiscald на этом компьютере.",
    ],
    [
      "Stop the other daemon, or take the register out of one of the two configs: a register has one daemon.",
      "Остановите другой демон или уберите кассу из одной из двух настроек: у кассы один демон.",
    ],
  ),
  "link.forbidden": row(
    "repeat",
    4,
    ["The system does not let this user open the port.", "Система не разрешает этому пользователю открыть порт."],
    [
      "Add the user to the port's group (`dialout` on Debian), log in again, and start anew.",
      "Добавьте пользователя в группу порта (в Debian `dialout`), войдите в систему заново и повторите.",
    ],
  ),
  "link.timeout": row(
    "repeat",
    4,
    ["The register did not answer in time.", "Касса не ответила вовремя."],
    [
      "Check that the register is switched on and connected, and that port, speed and driver in the config are its own.",
      "Проверьте, что касса включена и подключена, а порт, скорость и драйвер в настройках указаны верно.",
    ],
  ),
  "link.corrupt": row(
    "repeat",
    4,
    ["The register's answer was damaged on the way.", "Ответ кассы пришёл с ошибками."],
    [
      "Check the cable and replace it if this repeats; when no answer is whole, check that the driver in the config is the register's own.",
      "Проверьте кабель, если повторяется, замените его; если испорчен каждый ответ, проверьте, что драйвер в настройках подходит к кассе.",
    ],
  ),
  "link.lost": row(
    "repeat",
    4,
    ["The connection to the register was lost.", "Связь с кассой потеряна."],
    ["Check the cable and the power of the register.", "Проверьте кабель и питание кассы."],
  ),
  "link.foreign": row(
    "after-help",
    4,
    [
      "The device on this port does not speak this driver's protocol.",
      "Устройство на этом порту не поддерживает протокол выбранного драйвера.",
    ],
    [
      "Check the driver and the port in the config; `fiscald discover` shows what is connected.",
      "Проверьте драйвер и порт в настройках; `fiscald discover` покажет, что подключено.",
    ],
  ),
  "link.aborted": row(
    "repeat",
    4,
    ["The exchange with the register was stopped.", "Обмен с кассой остановлен."],
    goesOn,
  ),

  // --- device: what a register says
  "device.paper-out": row(
    "after-help",
    4,
    ["The register is out of paper.", "В кассе закончилась бумага."],
    ["Load paper; the job continues by itself.", "Вставьте бумагу, печать продолжится сама."],
  ),
  "device.cover-open": row(
    "after-help",
    4,
    ["The register's cover is open.", "Открыта крышка кассы."],
    ["Close the cover; the job continues by itself.", "Закройте крышку, печать продолжится сама."],
  ),
  "device.printer-fault": row(
    "after-help",
    4,
    ["The register's printer reports a fault.", "Неисправность печатающего механизма кассы."],
    callService,
  ),
  "device.printing": row(
    "repeat",
    4,
    ["The register is still printing.", "Касса ещё печатает предыдущий документ."],
    goesOn,
  ),
  "device.print-unfinished": row(
    "after-help",
    4,
    ["A registered document has not been printed to its end.", "Зарегистрированный документ не допечатан."],
    [
      "Check paper and cover; the register finishes the print.",
      "Проверьте бумагу и крышку, касса допечатает документ.",
    ],
  ),
  "device.shift-expired": row(
    "repeat",
    4,
    ["The shift is older than 24 hours.", "Смена открыта более 24 часов."],
    [
      "Nothing: the shift is closed first, then the job is printed.",
      "Ничего: смена будет закрыта, затем чек напечатается.",
    ],
  ),
  "device.shift-closed": row("repeat", 4, ["The shift is closed.", "Смена закрыта."], goesOn),
  "device.shift-open": row(
    "repeat",
    4,
    ["The shift is open where it must be closed.", "Смена открыта, а должна быть закрыта."],
    ["Close the shift and repeat.", "Закройте смену и повторите."],
  ),
  "device.receipt-open": row(
    "after-help",
    4,
    ["A receipt that is not ours is open on the register.", "На кассе открыт чужой чек."],
    [
      "Finish or cancel it on the register or in the other program. After a loss of the database it may be ours: cancel it, its order is printed anew.",
      "Завершите или отмените его на кассе или в другой программе. После потери базы он может быть нашим: отмените его, заказ напечатается заново.",
    ],
  ),
  "device.receipt-stuck": row(
    "after-help",
    4,
    [
      "A receipt that we began stands open, and the register will not cancel it.",
      "Открыт чек, начатый нами, и касса не даёт его отменить.",
    ],
    [
      "Cancel it on the register or with its maker's program, or switch the register off and on. Do not close it there: its order is printed anew by itself.",
      "Отмените его на кассе или программой производителя либо выключите и включите кассу. Не закрывайте его там: заказ напечатается заново сам.",
    ],
  ),
  "device.wrong-mode": row(
    "repeat",
    4,
    ["The register is in a mode that does not allow this.", "Касса в режиме, в котором это действие невозможно."],
    ["Look at the register's state; the job is tried again.", "Посмотрите состояние кассы; задание будет повторено."],
  ),
  "device.wrong-password": row(
    "after-help",
    4,
    ["The register refused the password.", "Касса не приняла пароль."],
    ["Set the operator's password in the register's options.", "Укажите пароль оператора в настройках кассы."],
  ),
  "device.bad-value": row(
    "never",
    4,
    ["The register refused a value of the receipt.", "Касса не приняла значение в чеке."],
    fixOrder,
  ),
  "device.place-refused": row(
    "never",
    4,
    [
      "The register refused a receipt that names its own place of settlement (tag 1187), as every internet receipt does.",
      "Касса не приняла чек со своим местом расчётов (тег 1187), а оно есть в каждом интернет-чеке.",
    ],
    [
      "The register was most likely registered with an address and a place of settlement (tags 1009 and 1187). Have it registered again with both empty, or print internet receipts on another register; then retry the job.",
      "Скорее всего, касса зарегистрирована с адресом и местом расчётов (теги 1009 и 1187). Перерегистрируйте её с пустыми полями или печатайте интернет-чеки на другой кассе, затем повторите задание.",
    ],
  ),
  "device.not-supported": row(
    "never",
    4,
    ["The register does not support this command.", "Касса не поддерживает эту команду."],
    ["Use another register or leave this out.", "Используйте другую кассу или уберите это из чека."],
  ),
  "device.not-enough-cash": row(
    "after-help",
    4,
    ["There is not enough cash in the register's drawer counter.", "В кассе недостаточно наличных по счётчику."],
    ["Pay cash in (CashIncome), then retry the job.", "Внесите наличные (внесение), затем повторите задание."],
  ),
  "device.payments-below-total": row(
    "never",
    4,
    ["The payments do not cover the total.", "Оплата меньше суммы чека."],
    fixOrder,
  ),
  "device.cashless-above-total": row(
    "never",
    4,
    ["The cashless payments are above the total.", "Безналичная оплата больше суммы чека."],
    fixOrder,
  ),
  "device.zero-total": row(
    "never",
    4,
    ["The register does not accept a receipt with total zero.", "Касса не принимает чек с нулевой суммой."],
    fixOrder,
  ),
  "device.clock-jump": row(
    "never",
    4,
    [
      "The register's clock would be moved by more than ten minutes.",
      "Часы кассы пришлось бы перевести более чем на десять минут.",
    ],
    [
      "Set this computer's clock right. If the register's clock is wrong, `fiscald print-anyway JOB` sets it.",
      "Проверьте часы компьютера. Если неверны часы кассы, их переведёт `fiscald print-anyway JOB`.",
    ],
  ),
  "device.tax-unknown": row(
    "never",
    1,
    ["The register has no such tax row.", "В кассе нет такой налоговой ставки."],
    [
      "Use a tax id from the register's list in the sync call.",
      "Используйте номер ставки из списка кассы (вызов sync).",
    ],
  ),
  "device.clock": row(
    "after-help",
    4,
    ["The register's clock differs too much or is not set.", "Часы кассы не установлены или сильно расходятся."],
    ["Set the register's clock with the shift closed.", "Установите время на кассе при закрытой смене."],
  ),
  "device.fn-failure": row(
    "after-help",
    4,
    ["The fiscal drive failed.", "Неисправен фискальный накопитель."],
    callService,
  ),
  "device.fn-expired": row(
    "after-help",
    4,
    ["The fiscal drive's life or memory is used up.", "Ресурс или память фискального накопителя исчерпаны."],
    ["Replace the fiscal drive.", "Замените фискальный накопитель."],
  ),
  "device.fn-state": row(
    "after-help",
    4,
    [
      "The fiscal drive is in a state that does not allow this.",
      "Состояние фискального накопителя не позволяет выполнить операцию.",
    ],
    callService,
  ),
  "device.ofd-blocked": row(
    "after-help",
    4,
    [
      "Documents have waited for the OFD for 30 days: the drive accepts no more.",
      "Документы не переданы в ОФД 30 дней: накопитель заблокирован.",
    ],
    ["Restore the register's connection to the OFD.", "Восстановите связь кассы с ОФД."],
  ),
  "device.ofd-exchange": row(
    "after-help",
    4,
    ["The register cannot exchange documents with the OFD.", "Касса не может обменяться документами с ОФД."],
    ["Restore the register's connection to the OFD.", "Восстановите связь кассы с ОФД."],
  ),
  "device.marking-refused": row(
    "never",
    4,
    ["The marking code was refused.", "Код маркировки не принят."],
    ["Check the code of the item; it must not be sold.", "Проверьте код товара: продавать его нельзя."],
  ),
  "device.marking-unavailable": row(
    "repeat",
    4,
    ["The marking code could not be checked now.", "Код маркировки сейчас проверить не удалось."],
    goesOn,
  ),
  "device.not-registered": row(
    "after-help",
    4,
    ["The register is not registered with the tax office.", "Касса не зарегистрирована в ФНС."],
    callService,
  ),
  "device.hardware": row(
    "after-help",
    4,
    ["The register reports a hardware fault.", "Аппаратная неисправность кассы."],
    callService,
  ),
  "device.unknown-error": row(
    "after-help",
    4,
    ["The register reported an error that we do not know.", "Касса сообщила неизвестную ошибку."],
    reportUs,
  ),
  "device.subtotal-mismatch": row(
    "repeat",
    4,
    [
      "The register's subtotal differs from ours: a line was lost or doubled on the wire.",
      "Подытог кассы не совпал с нашим: строка потеряна или задвоена при обмене.",
    ],
    goesOn,
  ),
  "device.service-setup": row(
    "after-help",
    4,
    [
      "The register's print service is not set up: its settings, its driver or a licence.",
      "Служба печати кассы не настроена: параметры, драйвер или лицензия.",
    ],
    [
      "Check the settings and licences in the maker's driver; call the service centre if they are right.",
      "Проверьте параметры и лицензии в драйвере производителя; если они верны, обратитесь в сервисный центр.",
    ],
  ),
  "device.service-blocked": row(
    "unsure",
    4,
    [
      "The maker's print service is blocked with an unknown outcome.",
      "Служба печати производителя заблокирована, исход неизвестен.",
    ],
    [
      "Check paper, cable and drive of the register; the service goes on by itself.",
      "Проверьте бумагу, кабель и накопитель кассы; служба продолжит сама.",
    ],
  ),

  // --- register: what we know of a register as an object of ours
  "register.unknown-kkm": row(
    "never",
    1,
    ["No register with this kkm is configured.", "Касса с таким регистрационным номером не настроена."],
    ["Check `kkm` in the order against the list of registers.", "Сверьте kkm в заказе со списком касс."],
  ),
  "register.foreign-identity": row(
    "after-help",
    4,
    ["The device on this connection is not the register it was.", "На этом подключении другая касса."],
    ["Connect the right register or accept the new one.", "Подключите нужную кассу или подтвердите новую."],
  ),
  "register.no-register": row(
    "never",
    4,
    ["No register can print this receipt.", "Нет кассы, которая может напечатать этот чек."],
    ["Check the groups and the capabilities of the registers.", "Проверьте группы и возможности касс."],
  ),
  "register.stopped": row("repeat", 4, ["The register is being stopped.", "Касса останавливается."], goesOn),
  "register.offline": row(
    "repeat",
    4,
    ["The register cannot be reached.", "Касса недоступна."],
    ["Check that the register is switched on and connected.", "Проверьте, что касса включена и подключена."],
  ),

  // --- job: what became of a print job
  "job.outcome-unknown": row(
    "unsure",
    4,
    [
      "It is not known whether the document was registered; it is not printed again.",
      "Неизвестно, зарегистрирован ли документ; повторно он не печатается.",
    ],
    [
      "Look at the register's last documents and settle the job (`fiscald resolve`).",
      "Посмотрите последние документы кассы и закройте вопрос (`fiscald resolve`).",
    ],
  ),
  "job.already-printed": row(
    "never",
    4,
    ["This order is already printed.", "Этот заказ уже напечатан."],
    [
      "If a second receipt is really due, use `fiscald print-anyway`.",
      "Если второй чек действительно нужен, используйте `fiscald print-anyway`.",
    ],
  ),
  "job.being-printed": row(
    "never",
    4,
    ["This order is still being printed.", "Этот заказ ещё печатается."],
    ["Wait for its result.", "Дождитесь результата."],
  ),
  "job.cancelled": row(
    "never",
    4,
    ["The job was cancelled by the operator.", "Задание отменено оператором."],
    [
      "Enter the order again under a new number if it is still due.",
      "Если заказ ещё нужен, заведите его под новым номером.",
    ],
  ),
  "job.replaced": row(
    "never",
    4,
    [
      "The site sent the order again with other content before it was printed.",
      "Сайт прислал этот заказ с другим содержанием до печати.",
    ],
    ["Nothing: the newer content is printed.", "Ничего: печатается новое содержание."],
  ),
  "job.cancelled-by-order": row(
    "never",
    4,
    [
      "Cancelled by order: the table ends with CancelCheck.",
      "Отменено заказом: таблица кончается строкой CancelCheck.",
    ],
    ["Nothing: nothing was registered.", "Ничего: чек не регистрировался."],
  ),
  "job.return-exceeds-sale": row(
    "never",
    4,
    ["The returns of this order would exceed what was sold.", "Возвраты по заказу превысят проданное."],
    fixOrder,
  ),
  "job.wrong-state": row(
    "never",
    4,
    ["The job's state does not allow this action.", "Состояние задания не позволяет это действие."],
    ["Look at the job's story first.", "Сначала посмотрите историю задания."],
  ),
  "job.not-found": row(
    "never",
    4,
    ["There is no such job.", "Такого задания нет."],
    [
      "`fiscald jobs` lists the jobs, `fiscald-site receipts list` the receipts of a site.",
      "Список заданий: `fiscald jobs`; чеков сайта: `fiscald-site receipts list`.",
    ],
  ),
  "job.document-mismatch": row(
    "never",
    4,
    ["This document does not belong to the job.", "Этот документ не относится к заданию."],
    [
      "Compare the document's operation, total and lines with the job's.",
      "Сравните вид, сумму и позиции документа с заданием.",
    ],
  ),

  // --- order and receipt: what a site sent
  "order.unreadable": row("never", 1, ["The order cannot be read.", "Заказ не читается."], fixOrder),
  "order.wrong-value": row("never", 1, ["A value of the order is wrong.", "Неверное значение в заказе."], fixOrder),
  "order.missing-value": row(
    "never",
    3,
    ["Something compulsory is missing in the order.", "В заказе не хватает обязательного поля."],
    fixOrder,
  ),
  "order.too-large": row("never", 1, ["The order is larger than allowed.", "Заказ слишком большой."], fixOrder),
  "order.wrong-inn": row(
    "never",
    1,
    ["The order is for another taxpayer than the register.", "ИНН заказа не совпадает с ИНН кассы."],
    fixOrder,
  ),
  "receipt.framing": row(
    "never",
    1,
    ["The receipt's opening and closing lines are wrong.", "Неверные строки открытия и закрытия чека."],
    fixOrder,
  ),
  "receipt.total-mismatch": row("never", 1, ["The receipt's sums do not agree.", "Суммы чека не сходятся."], fixOrder),
  "receipt.payments-mismatch": row(
    "never",
    1,
    ["The payments do not fit the total.", "Оплата не соответствует сумме чека."],
    fixOrder,
  ),
  "receipt.discount": row(
    "never",
    1,
    ["The discount does not fit the line.", "Скидка не подходит к строке."],
    fixOrder,
  ),
  "receipt.no-items": row("never", 3, ["The receipt has no items.", "В чеке нет позиций."], fixOrder),
  "receipt.no-payments": row("never", 3, ["The receipt has no payments.", "В чеке нет оплаты."], fixOrder),
  "receipt.internet": row(
    "never",
    3,
    [
      "An internet receipt needs the site's address and the buyer's contact.",
      "Интернет-чеку нужны адрес сайта и контакт покупателя.",
    ],
    fixOrder,
  ),
  "receipt.unsupported": row(
    "never",
    4,
    ["The register cannot print something that the receipt needs.", "Касса не может напечатать то, чего требует чек."],
    [
      "Use a register that can, or change the register's settings.",
      "Используйте другую кассу или измените её настройки.",
    ],
  ),
  "receipt.image": row(
    "never",
    1,
    ["The picture cannot be used.", "Картинку нельзя использовать."],
    [
      "Put the picture into `images.folder` of the config: at most 5 MB and 25 million dots.",
      "Положите картинку в папку `images.folder` из настроек: не больше 5 МБ и 25 млн точек.",
    ],
  ),
  "receipt.barcode": row(
    "never",
    1,
    ["The barcode's data does not fit its type.", "Данные не подходят типу штрихкода."],
    fixOrder,
  ),

  // --- site: the integrator's web site
  "site.unreachable": row(
    "repeat",
    4,
    ["The site cannot be reached.", "Сайт недоступен."],
    ["Check the internet connection and the address.", "Проверьте интернет и адрес сайта."],
  ),
  "site.dns": row(
    "repeat",
    4,
    ["The site's name cannot be resolved.", "Имя сайта не находится (DNS)."],
    ["Check the address in the config and the DNS of this computer.", "Проверьте адрес в настройках и DNS компьютера."],
  ),
  "site.tls": row(
    "repeat",
    4,
    ["The site's certificate is not accepted.", "Сертификат сайта не принят."],
    [
      "Check the certificate, the clock of this computer, or set tls.caFile.",
      "Проверьте сертификат, часы компьютера или задайте tls.caFile.",
    ],
  ),
  "site.proxy": row(
    "repeat",
    4,
    ["A proxy between here and the site wants a login.", "Прокси-сервер перед сайтом требует вход."],
    [
      "Let this computer through to the site without a proxy login, or log in to the network.",
      "Откройте этому компьютеру прямой доступ к сайту или войдите в сеть.",
    ],
  ),
  "site.clock": row(
    "repeat",
    4,
    [
      "The site cannot be trusted or does not trust us because this computer's clock is wrong.",
      "Из-за неверных часов этого компьютера сайт не принимает вызовы или его сертификат не принимается.",
    ],
    [
      "Set the date, the time and the time zone of this computer; switch time synchronisation on.",
      "Проверьте дату, время и часовой пояс компьютера и включите синхронизацию времени.",
    ],
  ),
  "site.timeout": row("repeat", 4, ["The site did not answer in time.", "Сайт не ответил вовремя."], goesOn),
  "site.unauthorized": row(
    "repeat",
    4,
    ["The site refused our credentials.", "Сайт не принял наш ключ доступа."],
    ["Check the site's auth settings.", "Проверьте настройки доступа к сайту."],
  ),
  "site.http-status": row(
    "repeat",
    4,
    ["The site answered with an error status.", "Сайт ответил ошибкой."],
    ["Look at the site's own log.", "Посмотрите журнал самого сайта."],
  ),
  "site.bad-answer": row(
    "repeat",
    4,
    ["The site's answer is not what the protocol says.", "Ответ сайта не соответствует протоколу."],
    [
      "Check the handler on the site: the message says what is wrong with its answer.",
      "Проверьте обработчик на сайте: в сообщении сказано, что не так с его ответом.",
    ],
  ),
  "site.refused": row(
    "never",
    4,
    ["The site refused the event.", "Сайт отверг событие."],
    [
      "Look at the site's words; resend when it is mended.",
      "Прочитайте ответ сайта; после исправления отправьте снова.",
    ],
  ),
  "site.answer-lost": row(
    "after-help",
    4,
    [
      "A poll was sent but its answer did not arrive whole: an order may have been handed out.",
      "Опрос отправлен, но ответ не дошёл целиком: сайт мог уже отдать заказ.",
    ],
    [
      "Check on the site whether an order of this moment is still waiting.",
      "Проверьте на сайте, не остался ли заказ без чека.",
    ],
  ),

  // --- call: what reaches the site's handlers (the kit answers these with an HTTP status)
  "call.unreadable": row(
    "never",
    1,
    ["The body of the call cannot be read.", "Тело запроса не читается."],
    ["Send UTF-8 JSON or form fields.", "Отправляйте JSON или поля формы в UTF-8."],
  ),
  "call.wrong-type": row(
    "never",
    1,
    ["The call's content type is not supported.", "Тип содержимого запроса не поддерживается."],
    ["Send application/json or form fields, not compressed.", "Отправляйте application/json или форму без сжатия."],
  ),
  "call.too-large": row(
    "never",
    1,
    ["The call's body is larger than allowed.", "Тело запроса больше допустимого."],
    ["Raise `limitBytes` of the router if such calls are real.", "Если такие запросы нужны, увеличьте `limitBytes`."],
  ),
  "call.late": row(
    "repeat",
    4,
    ["The call or its answer did not come in time.", "Запрос или ответ на него не успел вовремя."],
    goesOn,
  ),
  "call.unauthorized": row(
    "never",
    4,
    ["The call carries no valid secret.", "В запросе нет верного ключа доступа."],
    [
      "Compare the site's auth settings of the print server with those of the handlers.",
      "Сверьте ключ в настройках сервера печати и в обработчиках сайта.",
    ],
  ),
  "call.forbidden": row(
    "never",
    4,
    ["Calls from this address are not allowed.", "Запросы с этого адреса запрещены."],
    ["Add the address to the allow list.", "Добавьте адрес в список разрешённых."],
  ),
  "call.unknown-action": row(
    "never",
    2,
    ["The action is unknown.", "Неизвестное действие (action)."],
    ["Compare the print server's action names with the site's.", "Сверьте имена действий сервера печати и сайта."],
  ),

  // --- api: what the delivery API answers with (the HTTP status stands in handlers/delivery/api-errors.ts)
  "api.bad-request": row("never", 1, ["The request cannot be read.", "Запрос не читается."], fixRequest),
  "api.unauthorized": row(
    "never",
    4,
    ["The access token is missing or not valid.", "Нет токена доступа или он недействителен."],
    ["Make a token with `fiscald-site token create`.", "Создайте токен: `fiscald-site token create`."],
  ),
  "api.forbidden": row("never", 4, ["This token may not do that.", "Недостаточно прав."], fixRequest),
  "api.not-found": row("never", 4, ["There is no such object.", "Объект не найден."], fixRequest),
  "api.invalid": row("never", 1, ["The data is not valid.", "Данные не прошли проверку."], fixRequest),
  "api.too-large": row("never", 1, ["The request is larger than allowed.", "Запрос слишком большой."], fixRequest),
  "api.too-many": row(
    "repeat",
    4,
    ["Too many requests.", "Слишком много запросов."],
    ["Wait as long as the Retry-After header says.", "Подождите столько, сколько указано в Retry-After."],
  ),

  // --- store, config, program
  "store.locked": row(
    "after-help",
    4,
    ["Another daemon uses this database.", "Эту базу уже использует другой демон."],
    ["Stop the other daemon, or use another database.", "Остановите другой демон или укажите другую базу."],
  ),
  "store.busy": row(
    "repeat",
    4,
    ["The database is held by another program.", "База занята другой программой."],
    goesOn,
  ),
  "store.full": row(
    "after-help",
    4,
    ["The disk is full.", "Диск заполнен."],
    ["Free disk space; no new orders are taken until then.", "Освободите место; до этого новые заказы не принимаются."],
  ),
  "store.damaged": row(
    "after-help",
    4,
    ["The database is damaged.", "База данных повреждена."],
    ["Restore the latest copy (`fiscald restore`).", "Восстановите последнюю копию (`fiscald restore`)."],
  ),
  "store.not-ready": row(
    "after-help",
    4,
    ["There is no database of this version yet.", "Базы этой версии ещё нет."],
    [
      "Start the daemon once (`fiscald run`), or name the right config with --config.",
      "Запустите демон один раз (`fiscald run`) или укажите верный файл настроек через --config.",
    ],
  ),
  "store.newer": row(
    "never",
    4,
    ["The database was written by a newer version.", "База создана более новой версией."],
    ["Install that version or a later one.", "Установите ту же или более новую версию."],
  ),
  "store.network-file-system": row(
    "never",
    4,
    ["The database is on a network file system.", "База лежит на сетевом диске."],
    ["Put the database on a local disk.", "Перенесите базу на локальный диск."],
  ),
  "log.failed": row(
    "repeat",
    4,
    ["The log cannot be written.", "Журнал нельзя записать."],
    [
      "Free disk space, and check the folder of the log and its rights. Receipts are printed all the same.",
      "Освободите место на диске, проверьте папку журнала и права на неё. Чеки печатаются и без журнала.",
    ],
  ),
  "store.library-missing": row(
    "never",
    4,
    ["The SQLite module for this Node is not installed.", "Модуль SQLite для этой версии Node не установлен."],
    [
      "Install python3, make and a C++ compiler, then repeat `npm ci` (or `npm i -g`) without --omit=optional.",
      "Установите python3, make и компилятор C++, затем повторите `npm ci` (или `npm i -g`) без --omit=optional.",
    ],
  ),
  "store.failed": row("repeat", 4, ["The database refused an operation.", "Ошибка базы данных."], reportUs),
  "config.invalid": row(
    "never",
    4,
    ["The config is wrong.", "Ошибка в настройках."],
    [
      "Correct the named places; `fiscald check-config` checks again.",
      "Исправьте указанные места; проверка: `fiscald check-config`.",
    ],
  ),
  "config.default-tax": row(
    "never",
    4,
    ["The register's default tax is not set or not in its table.", "Ставка по умолчанию не задана или её нет в кассе."],
    [
      "Set `defaultTax` of this register to an id of its tax list (`fiscald sync` shows it), or have the site name a tax.",
      "Укажите в `defaultTax` этой кассы номер ставки из её списка (его показывает `fiscald sync`) или передавайте ставку с сайта.",
    ],
  ),
  "config.not-found": row(
    "never",
    4,
    ["The config file cannot be read.", "Файл настроек не читается."],
    [
      "Give its path with --config, or make one with `fiscald init`.",
      "Укажите путь через --config или создайте файл: `fiscald init`.",
    ],
  ),
  "usage.wrong": row(
    "never",
    4,
    ["The command was used wrongly.", "Неверное использование команды."],
    ["The command's `--help` shows its use.", "Как ею пользоваться, показывает её `--help`."],
  ),
  "daemon.unreachable": row(
    "repeat",
    4,
    ["The running daemon cannot be reached.", "Работающий демон недоступен."],
    ["Check that it runs and that the token file can be read.", "Проверьте, что он запущен и файл токена читается."],
  ),
  "service.failed": row(
    "after-help",
    4,
    ["The system refused a step of installing the service.", "Система отказала в установке службы."],
    [
      "Look at the named command; `fiscald service install --dry-run` shows all steps.",
      "Проверьте названную команду; все шаги покажет `fiscald service install --dry-run`.",
    ],
  ),
  internal: row("unsure", 4, ["A mistake in the program.", "Ошибка в программе."], reportUs),
} as const satisfies Record<string, FaultRow>;

export type FaultCode = keyof typeof faultCodes;

export function isFaultCode(value: string): value is FaultCode {
  return Object.hasOwn(faultCodes, value);
}
