import { both, plural, rows } from "../../rows.js";
import {
  type Days,
  dayOf,
  daysOf,
  hoursOrDays,
  minutesOrMore,
  russianDays,
  russianHoursOrDays,
  russianMinutesOrMore,
} from "./trouble-words.js";

export const registerTroubleTexts = rows({
  unknownError: {
    text: [
      "The register reported error {number}, which is not in the reference.",
      "Касса сообщила ошибку № {number}, её нет в справочнике.",
    ],
    next: ["Send the support file to support.", "Отправьте файл для поддержки."],
  },
  driveOver: {
    text: both(
      ({ days }: Days) => `The fiscal drive ended ${daysOf(days)} ago: the register does not print.`,
      ({ days }) => `Накопитель закончился ${russianDays(days)} назад: касса не печатает.`,
    ),
    next: both(
      ({ register }: { readonly register: string }) =>
        `Call the service: the drive must be replaced. ${register === "" ? "" : `If the service finds the drive well, \`fiscald resume ${register}\` tries to print.`}`.trim(),
      ({ register }) =>
        `Вызовите сервис: накопитель нужно заменить. ${register === "" ? "" : `Если сервис скажет, что накопитель в порядке, наберите \`fiscald resume ${register}\`: касса попробует печатать.`}`.trim(),
    ),
  },
  ofdOver: {
    text: both(
      ({ days }: Days) => `Receipts have not reached the OFD for ${daysOf(days)}: the register does not print.`,
      ({ days }) => `Чеки не уходят в ОФД ${russianDays(days)}: касса не печатает.`,
    ),
    next: [
      "Restore the register's connection to the OFD (its network, its OFD settings) or call the service. It prints again once the receipts are there.",
      "Восстановите связь кассы с ОФД (её сеть и настройки ОФД) или вызовите сервис. Когда чеки уйдут, касса напечатает.",
    ],
  },
  driveDays: {
    text: both(
      ({ days, until }: Days & { readonly until: string | null }) =>
        `The fiscal drive has ${daysOf(days)} left${until === null ? "" : ` (until ${until})`}.`,
      ({ days, until }) => `Накопителю осталось ${russianDays(days)}${until === null ? "" : ` (до ${dayOf(until)})`}.`,
    ),
    next: ["Order a new one and a service visit.", "Закажите новый и визит сервиса."],
  },
  driveDocuments: [
    "The fiscal drive has room for {count} documents.",
    "В накопителе осталось место для документов: {count}.",
  ],
  ofdQueue: {
    text: both(
      ({ hours, left }: { readonly hours: number; readonly left: number }) =>
        `Receipts have not reached the OFD for ${hoursOrDays(hours)}. Unless this is mended, the register stops printing in ${daysOf(left)}.`,
      ({ hours, left }) =>
        `Чеки не уходят в ОФД ${russianHoursOrDays(hours)}. Если не починить, через ${russianDays(left)} касса перестанет печатать.`,
    ),
    next: ["Check its network and its OFD settings.", "Проверьте сеть кассы и настройки ОФД в ней."],
  },
  clockAhead: {
    text: both(
      ({ minutes }: { readonly minutes: number }) => `The register's clock is ahead by ${minutesOrMore(minutes)}.`,
      ({ minutes }) => `Часы кассы спешат на ${russianMinutesOrMore(minutes)}.`,
    ),
    next: [
      "Do not print; call the service. If this computer's clock is wrong, set it right.",
      "Не печатайте, вызовите сервис. Если неверны часы этого компьютера, исправьте их.",
    ],
  },
  paperLow: {
    text: ["Paper is running low.", "Бумага заканчивается."],
    next: ["Prepare a new roll.", "Приготовьте новый рулон."],
  },
  backAfterOutage: {
    text: both(
      ({ orders, days }: { readonly orders: number; readonly days: string }) =>
        `The register is back after an outage and takes up what waited: ${orders} ${orders === 1 ? "order" : "orders"} (${days}).`,
      ({ orders, days }) =>
        `Касса снова на связи после перерыва и разбирает то, что ждало: ${orders} ${plural(orders, "заказ", "заказа", "заказов")} (${days}).`,
    ),
    next: [
      "Orders paid long ago ask for a decision first. Then look at the page of the day: is anything missing?",
      "Давно оплаченные заказы сначала спросят решения. Потом посмотрите «День»: всё ли напечатано.",
    ],
  },
  shiftExpired: {
    text: [
      "The shift has been open for more than 24 hours; receipts wait until it is closed.",
      "Смена открыта больше 24 часов, чеки ждут её закрытия.",
    ],
    next: [
      "It is closed by itself before the next receipt. If it stays open, close it at the register (Z report).",
      "Перед следующим чеком она закроется сама. Если не закрывается, закройте её на кассе (Z-отчёт).",
    ],
  },
  receiptAltered: {
    all: ["All receipts wait.", "Все чеки на этой кассе ждут."],
    some: ["Receipts with that value wait.", "Чеки с этим значением ждут."],
    next: [
      "Correct the wrong receipt, and mend the register or accept what it does. The commands: `fiscald differences-mended {register}` or `fiscald accept-differences {register} {tag}`.",
      "Исправьте неверный чек и настройте кассу или примите, что она так делает. Команды: `fiscald differences-mended {register}` или `fiscald accept-differences {register} {tag}`.",
    ],
  },
  wrongReceipt: ["{name} (FD {fd})", "{name} (ФД {fd})"],
  wrongReceipts: ["Wrong receipts: {receipts}.", "Неверные чеки: {receipts}."],
  receiptDiffers: [
    "Check it on paper. If it is right so: `fiscald accept-differences {register}`.",
    "Сверьте с бумажным чеком. Если так и надо: `fiscald accept-differences {register}`.",
  ],
  returnsMany: {
    text: [
      "Returns are {percent} % of the sales of 30 days: from {risk} % the tax office may look into it.",
      "Возвраты — {percent} % продаж за 30 дней: от {risk} % налоговая считает это признаком риска.",
    ],
    next: ["Look whether all of them are real.", "Проверьте, все ли возвраты настоящие."],
  },
  correctionsMany: {
    text: [
      "Corrections are {percent} % of the receipts of 30 days: from {risk} % the tax office may look into it.",
      "Коррекции — {percent} % чеков за 30 дней: от {risk} % налоговая считает это признаком риска.",
    ],
    next: [
      "Mend what makes receipts wrong or missing, before more are corrected.",
      "Устраните причину неверных или пропущенных чеков, прежде чем исправлять дальше.",
    ],
  },
  registerIdle: {
    text: [
      "No document for {days} days: after 60 days the tax office may look into it.",
      "Документов нет {days} дн.: через 60 дней налоговая считает это признаком риска.",
    ],
    next: [
      "Print on it, or take it off the tax office's register if it is used no more.",
      "Пробейте на ней чек или снимите кассу с учёта, если она больше не нужна.",
    ],
  },
  receiptNotCompared: {
    text: [
      "Receipts are not compared with what was sent: their documents cannot be read.",
      "Чеки не сверены с переданными: документы кассы не читаются.",
    ],
    next: [
      "Check the first receipts on paper, their VAT rates above all.",
      "Проверьте первые чеки по бумаге, прежде всего ставки НДС.",
    ],
  },
});
