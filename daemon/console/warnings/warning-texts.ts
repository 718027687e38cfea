import type { FaultText } from "@fiscald/shared/fault-codes.js";
import type { LogFields } from "@fiscald/shared/logger.js";

/** A problem, or the sign of a problem that a person can still prevent. */
export interface EarlyWarning {
  /** Stays the same as long as the problem lasts. */
  readonly key: string;
  readonly kind: WarningKind;
  readonly text: FaultText;
  readonly fields: LogFields;
  /** When the problem began, wall clock, where that is on record. */
  readonly since?: number;
  /** When the problem last happened, within a week, wall clock. Absent for a state that lasts. */
  readonly lastAt?: number;
}

/** All kinds of warnings, the worst first. The metrics use them as labels. */
export const warningKinds = [
  "daemon-down",
  "store-trouble",
  "lock-gone",
  "job-unsure",
  "job-held",
  "printed-twice",
  "printed-after-all",
  "same-kkm",
  "same-fn",
  "register-blocked",
  "register-offline",
  "receipt-altered",
  "register-paused",
  "job-failed",
  "answer-rejected",
  "job-refused",
  "site-unreachable",
  "event-refused",
  "event-waits",
  "site-left",
  "job-waits",
  "console-closed",
  "alert-failed",
  "printing-long",
  "setting-wrong",
  "receipt-differs",
  "receipt-not-compared",
  "drive-flag",
  "drive-days",
  "drive-documents",
  "ofd-queue",
  "clock-ahead",
  "paper-low",
] as const;
export type WarningKind = (typeof warningKinds)[number];

/**
 * Other kinds take their text from a drive's flag, from its days, from the trouble of a register or site
 * (describe-cause.ts), from a document that differs or from a setting (document-warnings.ts).
 */
export type KindWithText = Exclude<
  WarningKind,
  | ("drive-flag" | "drive-days" | "ofd-queue")
  | ("register-blocked" | "register-offline" | "register-paused" | "site-unreachable")
  | ("receipt-altered" | "receipt-differs" | "receipt-not-compared" | "setting-wrong")
>;

/** Each text has one sentence about the problem and one about the remedy. */
export const warningTexts: Readonly<Record<KindWithText, FaultText>> = {
  "daemon-down": {
    en: "The daemon does not run: no order is taken and nothing is printed. Start it: its service, or `fiscald run`.",
    ru: "Демон не запущен: заказы не принимаются, чеки не печатаются. Запустите службу или `fiscald run`.",
  },
  "lock-gone": {
    en: "The lock file beside the database was deleted or replaced. Restart the daemon and leave the file alone.",
    ru: "Файл блокировки рядом с базой удалён или подменён. Перезапустите демон и не трогайте этот файл.",
  },
  "job-unsure": {
    en: "It is not known whether this job's receipt was registered; it is not printed again. Check the register's last documents and resolve the job with `fiscald resolve`.",
    ru: "Неизвестно, зарегистрирован ли чек этого задания; повторно он не печатается. Посмотрите последние документы кассы и закройте вопрос: `fiscald resolve`.",
  },
  "job-held": {
    en: "An order waits until a person approves it; the site hears nothing until then. `fiscald explain` says why; `fiscald approve` prints it, `fiscald set-aside` leaves it not printed.",
    ru: "Заказ ждёт решения человека; сайт до тех пор ничего не узнает. Почему, скажет `fiscald explain`; `fiscald approve` напечатает чек, `fiscald set-aside` оставит ненапечатанным.",
  },
  "printed-twice": {
    en: "An order was printed twice. Compare both documents, and undo one of them by a return or a correction receipt.",
    ru: "Заказ напечатан дважды. Сравните оба документа и отмените один чеком возврата или чеком коррекции.",
  },
  "printed-after-all": {
    en: "The register has the receipt of an order that was reported as not printed. Compare it with the order. If its job failed, printing it again only reports this receipt to the site; otherwise undo the receipt by a return.",
    ru: "На кассе есть чек заказа, о котором сообщено, что он не напечатан. Сверьте чек с заказом. Если его задание завершилось ошибкой, повторная печать лишь сообщит сайту этот чек; иначе отмените чек возвратом.",
  },
  "job-failed": {
    en: "Jobs failed and were not printed. `fiscald jobs --state failed` says why; after the cause is gone, `fiscald retry` prints them.",
    ru: "Задания завершились ошибкой, чеки по ним не напечатаны. Причины: `fiscald jobs --state failed`; устранив их, выполните `fiscald retry`.",
  },
  "job-refused": {
    en: "An order was refused and not printed. Its page says why; the site has the reason too.",
    ru: "Заказ отклонён и не напечатан. Причина указана на странице заказа; сайту она тоже сообщена.",
  },
  "answer-rejected": {
    en: "A site's answers could not be read as orders and are not printed. Correct the site's answers; the log has the reason for each.",
    ru: "Ответы сайта не удалось прочитать как заказы, чеки по ним не печатаются. Исправьте ответ сайта; причины есть в журнале.",
  },
  "event-refused": {
    en: "The site refuses results or reports of this daemon. `fiscald status` shows the site's answer; correct the site, then `fiscald resend`.",
    ru: "Сайт отвергает результаты или отчёты. Его ответ показывает `fiscald status`; исправьте сайт и выполните `fiscald resend`.",
  },
  "event-waits": {
    en: "Results or reports have not been delivered for long; they are sent automatically once the site accepts them. Check the site and this machine's network.",
    ru: "Результаты или отчёты долго не доставлены; они уйдут сами, когда сайт их примет. Проверьте сайт и сеть этого компьютера.",
  },
  "console-closed": {
    en: "The console is closed because of its token file; printing goes on. Correct or delete the file and restart the daemon.",
    ru: "Консоль закрыта из-за файла токена; печать продолжается. Исправьте или удалите файл и перезапустите демон.",
  },
  "alert-failed": {
    en: "A person was to be alerted, and could not be reached; it is tried again. Check `alerts` in the config and this machine's network.",
    ru: "Нужно было сообщить человеку о неполадке, но сообщение не отправлено; попытки продолжаются. Проверьте `alerts` в настройках и сеть этого компьютера.",
  },
  "job-waits": {
    en: "An order waits long for its receipt. Check the state of its register.",
    ru: "Заказ долго ждёт чека. Посмотрите, что с кассой.",
  },
  "drive-documents": {
    en: "The fiscal drive is nearly full. Order a new one and a service visit.",
    ru: "Память фискального накопителя почти заполнена. Закажите новый накопитель и вызовите сервис.",
  },
  "clock-ahead": {
    en: "The register's clock is ahead of this computer's. The fiscal drive refuses forever any document dated before its last one: check both clocks and the time zone before anything else is printed; the service engineer sets the register's clock back.",
    ru: "Часы кассы спешат относительно этого компьютера. Накопитель навсегда откажет документам с датой раньше последнего: проверьте обе пары часов и часовой пояс до следующей печати; перевести часы кассы назад может сервисный инженер.",
  },
  "paper-low": {
    en: "Paper is running low. Prepare a new roll.",
    ru: "Бумага заканчивается. Приготовьте новый рулон.",
  },
  "printing-long": {
    en: "The register has been printing for too long. Check its paper and cover; switch it off and on if it hangs.",
    ru: "Касса слишком долго печатает. Проверьте бумагу и крышку; если касса зависла, выключите и включите её.",
  },
  "same-kkm": {
    en: "Two registers of the config are one and the same device, or have one number. Keep one of them in the config.",
    ru: "Две кассы в настройках — одно и то же устройство или имеют один номер. Оставьте в настройках одну.",
  },
  "same-fn": {
    en: "Two registers report the same fiscal drive; their documents cannot be distinguished. Check what they are connected to.",
    ru: "Две кассы называют один фискальный накопитель, их документы не различить. Проверьте, к чему они подключены.",
  },
  "site-left": {
    en: "Results wait for a site that was removed from the config; they are not delivered. If the site has another id now, name the old id there as `renamedFrom` and restart fiscald.",
    ru: "Результаты ждут сайта, которого больше нет в настройках, их никто не получит. Если у сайта теперь другой id, впишите прежний в его `renamedFrom` и перезапустите программу.",
  },
  "store-trouble": {
    en: "The database cannot store a new order: no site is polled until it can. Free disk space, or close the program that locks the database file.",
    ru: "База данных не может сохранить заказ, сайты пока не опрашиваются. Освободите диск, закройте то, что держит файл базы.",
  },
};

/** Bits of the fiscal drive's warnings (54-fz 7) with their texts. */
export const driveFlags: readonly (readonly [bit: number, text: FaultText])[] = [
  [
    0x01,
    {
      en: "The fiscal drive must be replaced within days.",
      ru: "Фискальный накопитель пора менять: осталось несколько дней.",
    },
  ],
  [
    0x02,
    { en: "The fiscal drive's key resource ends soon.", ru: "Ресурс ключей фискального накопителя заканчивается." },
  ],
  [0x04, { en: "The fiscal drive's memory is nearly full.", ru: "Память фискального накопителя почти заполнена." }],
  [0x08, { en: "The OFD has not answered in time.", ru: "ОФД не отвечает слишком долго." }],
  [0x10, { en: "The OFD refused a document.", ru: "ОФД отверг документ." }],
  [
    0x20,
    {
      en: "The OFD reports that the register's settings must be renewed.",
      ru: "ОФД сообщает: нужно обновить настройки кассы.",
    },
  ],
  [0x40, { en: "The OFD's licence is annulled.", ru: "У ОФД отозвано разрешение." }],
  [0x80, { en: "The fiscal drive reports a critical error.", ru: "Критическая ошибка фискального накопителя." }],
];
