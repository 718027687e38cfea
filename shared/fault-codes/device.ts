/** Faults that a register reports. */
import {
  afterHelp,
  callService,
  type FaultRow,
  fixOrder,
  never,
  repeat,
  reportUs,
  retriesByItself,
  unsure,
} from "./fault-row.js";

export const deviceFaults = {
  "device.paper-out": afterHelp(
    ["The register is out of paper.", "В кассе закончилась бумага."],
    ["Load paper; the job continues by itself.", "Вставьте бумагу, печать продолжится сама.", "goes-on"],
  ),
  "device.cover-open": afterHelp(
    ["The register's cover is open.", "Открыта крышка кассы."],
    ["Close the cover; the job continues by itself.", "Закройте крышку, печать продолжится сама.", "goes-on"],
  ),
  "device.printer-fault": afterHelp(
    ["The register's printer reports a fault.", "Неисправность печатающего механизма кассы."],
    ["Switch the register off and on, or call its engineer.", "Выключите и включите кассу или вызовите инженера."],
  ),
  "device.printing": repeat(
    ["The register is still printing.", "Касса ещё печатает предыдущий документ."],
    retriesByItself,
  ),
  "device.print-unfinished": afterHelp(
    ["A registered document has not been printed to its end.", "Зарегистрированный документ не допечатан."],
    ["Check paper and cover; the register goes on printing.", "Проверьте бумагу и крышку, касса допечатает документ."],
  ),
  "device.shift-expired": repeat(
    ["The shift is older than 24 hours.", "Смена открыта более 24 часов."],
    ["Nothing: the shift is closed, then the job is printed.", "Ничего: смена будет закрыта, затем чек напечатается."],
  ),
  "device.shift-stuck": afterHelp(
    [
      "The register calls its shift expired although it was closed just before.",
      "Касса считает смену просроченной, хотя её только что закрыли.",
    ],
    [
      "Check the register's clock and switch the register off and on. No further Z report is made for it.",
      "Проверьте часы кассы, выключите и включите кассу. Нового Z-отчёта из-за этого не будет.",
    ],
  ),
  "device.shift-closed": repeat(["The shift is closed.", "Смена закрыта."], retriesByItself),
  "device.shift-open": repeat(
    ["The shift is open where it must be closed.", "Смена открыта, а должна быть закрыта."],
    ["Close the shift and repeat.", "Закройте смену и повторите."],
  ),
  "device.receipt-open": afterHelp(
    ["A receipt that is not ours is open on the register.", "На кассе открыт чужой чек."],
    [
      "Finish or cancel it on the register or in the other program. After a loss of the database, or an empty one after a broken connection, it may be ours: cancel it, its order is printed again.",
      "Завершите или отмените его на кассе или в другой программе. После потери базы он может быть нашим, как и пустой чек после обрыва связи: отмените его, заказ напечатается заново.",
    ],
  ),
  "device.receipt-stuck": afterHelp(
    ["Our receipt stands open, and cannot be cancelled.", "Открыт чек, начатый нами, и касса не даёт его отменить."],
    [
      "Cancel it on the register or with its maker's program, or switch the register off and on. Do not close it there: it may lack positions of the order.",
      "Отмените его на кассе или программой производителя либо выключите и включите кассу. Не закрывайте его там: в нём могут быть не все позиции заказа.",
    ],
  ),
  "device.wrong-mode": repeat(
    ["The register is in a mode that does not allow this.", "Касса в режиме, в котором это действие невозможно."],
    ["Look at the register; the job is tried again.", "Посмотрите состояние кассы; будет повтор.", "goes-on"],
  ),
  "device.wrong-password": afterHelp(
    ["The register refused the password.", "Касса не приняла пароль."],
    ["Set the operator's password in the register's options.", "Укажите пароль оператора в настройках кассы."],
  ),
  "device.bad-value": never(
    ["The register refused a value of the receipt.", "Касса не приняла значение в чеке."],
    fixOrder,
  ),
  "device.order-mark-refused": repeat(
    ["The register does not take the order mark (tag 1084).", "Касса не принимает отметку заказа (тег 1084)."],
    ["Receipts go without it; `orderMark: false` says so.", "Чеки печатаются без неё; это задаёт `orderMark: false`."],
  ),
  "device.place-refused": never(
    [
      "The register refused a receipt that names its own place of settlement (tag 1187), as every internet receipt does.",
      "Касса не приняла чек со своим местом расчётов (тег 1187), а оно есть в каждом интернет-чеке.",
    ],
    [
      "The register was most likely registered with an address and a place of settlement (tags 1009 and 1187). Have it registered again with both empty, or print internet receipts on another register; then retry the job.",
      "Скорее всего, касса зарегистрирована с адресом и местом расчётов (теги 1009 и 1187). Перерегистрируйте её с пустыми полями или печатайте интернет-чеки на другой кассе, затем повторите задание.",
    ],
  ),
  "device.not-supported": never(
    ["The register does not support this command.", "Касса не поддерживает эту команду."],
    ["Use another register or leave this out.", "Используйте другую кассу или уберите это из чека."],
  ),
  "device.no-copy": never(
    ["The register prints no copy of this receipt.", "Касса не печатает копию этого чека."],
    [
      "Give the buyer the link or the QR code of the order's page.",
      "Дайте покупателю ссылку или QR-код со страницы заказа.",
    ],
  ),
  "device.not-enough-cash": afterHelp(
    ["There is not enough cash in the register's drawer counter.", "В кассе недостаточно наличных по счётчику."],
    ["Pay cash in (CashIncome), then retry the job.", "Внесите наличные (внесение), затем повторите задание."],
  ),
  "device.payments-below-total": repeat(
    ["The payments do not cover the total.", "Оплата меньше суммы чека."],
    retriesByItself,
  ),
  "device.cashless-above-total": repeat(
    ["The cashless payments are above the total.", "Безналичная оплата больше суммы чека."],
    retriesByItself,
  ),
  "device.zero-total": never(
    ["The register does not accept a receipt with total zero.", "Касса не принимает чек с нулевой суммой."],
    fixOrder,
  ),
  "device.clock-jump": never(
    [
      "The register's clock would be moved by more than ten minutes.",
      "Часы кассы пришлось бы перевести более чем на десять минут.",
    ],
    [
      "Set this computer's clock right. If the register's clock is wrong, `fiscald print-anyway JOB` sets it.",
      "Проверьте часы компьютера. Если неверны часы кассы, их переведёт `fiscald print-anyway ЗАДАНИЕ`.",
    ],
  ),
  "device.tax-unknown": never(
    ["The register has no such tax row.", "В кассе нет такой налоговой ставки."],
    ["Tell the site's developer, then place the order again.", "Сообщите разработчику сайта и оформите заказ снова."],
    1,
  ),
  "device.tax-changed": never(
    ["The tax row of the order has changed in the register.", "Налоговая ставка заказа в кассе изменилась."],
    ["Send the order again when the site has the new list.", "Отправьте заказ снова, когда сайт примет новый список."],
  ),
  "device.clock": afterHelp(
    ["The register's clock differs too much or is not set.", "Часы кассы не установлены или сильно расходятся."],
    ["Set the register's clock with the shift closed.", "Установите время на кассе при закрытой смене."],
  ),
  "device.fn-failure": afterHelp(["The fiscal drive failed.", "Неисправен фискальный накопитель."], callService),
  "device.fn-expired": afterHelp(
    ["The fiscal drive's life or memory is used up.", "Ресурс или память фискального накопителя исчерпаны."],
    [
      "Replace the fiscal drive. If it prints nevertheless, `fiscald resume` tries it.",
      "Замените фискальный накопитель. Если он всё же печатает, `fiscald resume` попробует.",
    ],
  ),
  "device.fn-state": afterHelp(
    ["The fiscal drive's state does not allow this.", "Состояние фискального накопителя этого не позволяет."],
    callService,
  ),
  "device.ofd-blocked": afterHelp(
    ["Documents have waited for the OFD for 30 days.", "Документы не переданы в ОФД 30 дней: накопитель заблокирован."],
    ["Restore the register's connection to the OFD.", "Восстановите связь кассы с ОФД."],
  ),
  "device.ofd-exchange": afterHelp(
    ["The register cannot exchange documents with the OFD.", "Касса не может обменяться документами с ОФД."],
    ["Restore the register's connection to the OFD.", "Восстановите связь кассы с ОФД."],
  ),
  "device.marking-refused": never(
    ["The marking code was refused.", "Код маркировки не принят."],
    ["Check the code of the item; it must not be sold.", "Проверьте код товара: продавать его нельзя."],
  ),
  "device.marking-unparsed": never(
    ["The register cannot parse the marking code.", "Касса не может разобрать код маркировки."],
    [
      "Scan the item again. Where all codes of a site fail, it loses the separators (GS) within them.",
      "Отсканируйте товар ещё раз. Если не проходит ни один код сайта, он теряет в кодах разделители (GS).",
    ],
  ),
  "device.marking-unavailable": repeat(
    ["The marking code could not be checked now.", "Код маркировки сейчас проверить не удалось."],
    retriesByItself,
  ),
  "device.not-registered": afterHelp(
    ["The register is not registered with the tax office.", "Касса не зарегистрирована в ФНС."],
    callService,
  ),
  "device.hardware": afterHelp(
    ["The register reports a hardware fault.", "Аппаратная неисправность кассы."],
    callService,
  ),
  "device.unknown-error": afterHelp(
    ["The register reported an error that is not in our tables.", "Касса сообщила ошибку, которой нет в справочнике."],
    reportUs,
  ),
  "device.closing-refused": repeat(
    ["The register refused to close the receipt: bad parameters.", "Касса не закрыла чек: неверные параметры."],
    [
      "It is tried once more after a reconnect. If that fails too, check payments and tax system of the order, then retry the job.",
      "После нового соединения чек пробивается ещё раз. Если касса снова откажет, проверьте оплаты и систему налогообложения заказа и повторите задание.",
    ],
  ),
  "device.subtotal-mismatch": repeat(
    [
      "The register's subtotal differs from ours: a line was lost or doubled on the wire.",
      "Подытог кассы не совпал с нашим: строка потеряна или задвоена при обмене.",
    ],
    retriesByItself,
  ),
  "device.cash-unproven": unsure(
    [
      "The register answered that cash was moved, but its drawer counters do not show it.",
      "Касса ответила, что деньги внесены или выплачены, но её счётчики этого не показывают.",
    ],
    [
      "Look at the slip and count the drawer, then resolve the job: `fiscald resolve JOB --printed 0` or `--not-printed`. After one `--printed 0` the answer of this model is believed without its counters.",
      "Проверьте квитанцию, пересчитайте ящик и закройте вопрос: `fiscald resolve ЗАДАНИЕ --printed 0` или `--not-printed`. После одного `--printed 0` ответу этой модели верят без счётчиков.",
    ],
  ),
  "device.service-setup": afterHelp(
    [
      "The register's print service is not set up: its settings, its driver or a licence.",
      "Служба печати кассы не настроена: параметры, драйвер или лицензия.",
    ],
    ["Check them in the maker's driver, or call the service.", "Проверьте их в драйвере или обратитесь в сервис."],
  ),
  "device.service-blocked": unsure(
    ["The print service is blocked, the outcome unknown.", "Служба печати заблокирована, исход неизвестен."],
    ["Check paper, cable and drive; it then goes on.", "Проверьте бумагу, кабель и накопитель; печать продолжится."],
  ),
} as const satisfies Record<`device.${string}`, FaultRow>;
