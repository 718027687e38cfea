import type { FaultText } from "@fiscald/shared/fault-codes.js";

/** What is warned of; also the label in the metrics. */
export type WarningKind =
  | "job-waits"
  | "ofd-queue"
  | "drive-days"
  | "drive-documents"
  | "drive-flag"
  | "paper-low"
  | "printing-long"
  | "same-kkm"
  | "same-fn"
  | "site-unreachable"
  | "site-left"
  | "store-trouble";

/** What is the matter and what to do, in one sentence each. */
export const warningTexts: Readonly<Record<Exclude<WarningKind, "drive-flag">, FaultText>> = {
  "job-waits": {
    en: "An order waits long for its receipt. See what its register says in `fiscald status`.",
    ru: "Заказ долго ждёт чека. Посмотрите в `fiscald status`, что с кассой.",
  },
  "ofd-queue": {
    en: "Documents do not reach the OFD; after 30 days the drive blocks. Check the register's network and its OFD settings.",
    ru: "Документы не уходят в ОФД, через 30 дней касса заблокируется. Проверьте сеть кассы и настройки ОФД в ней.",
  },
  "drive-days": {
    en: "The fiscal drive expires soon. Order a new one and a visit of the service.",
    ru: "Срок фискального накопителя скоро закончится. Закажите новый накопитель и вызовите сервис.",
  },
  "drive-documents": {
    en: "The fiscal drive is nearly full. Order a new one and a visit of the service.",
    ru: "Память фискального накопителя почти заполнена. Закажите новый накопитель и вызовите сервис.",
  },
  "paper-low": {
    en: "Paper is running low. Have a new roll at hand.",
    ru: "Бумага заканчивается. Приготовьте новый рулон.",
  },
  "printing-long": {
    en: "The register has been printing for too long. Look at its paper and cover; switch it off and on if it hangs.",
    ru: "Касса слишком долго печатает. Проверьте бумагу и крышку; если касса зависла, выключите и включите её.",
  },
  "same-kkm": {
    en: "Two registers of the config are one and the same device, or have one number. Keep one of them in the config.",
    ru: "Две кассы в настройках — одно и то же устройство или имеют один номер. Оставьте в настройках одну.",
  },
  "same-fn": {
    en: "Two registers say that they hold one fiscal drive; their documents cannot be told apart. Check what they are connected to.",
    ru: "Две кассы называют один фискальный накопитель, их документы не различить. Проверьте, к чему они подключены.",
  },
  "site-unreachable": {
    en: "The site cannot be asked for orders. The code says why.",
    ru: "Сайт нельзя спросить о заказах. Причина в коде.",
  },
  "site-left": {
    en: "Results wait for a site that is configured no longer: nobody hears of them. If it has another id now, name the old one there as `renamedFrom` and start anew.",
    ru: "Результаты ждут сайта, которого больше нет в настройках, их никто не получит. Если у сайта теперь другой id, впишите прежний в его `renamedFrom` и перезапустите программу.",
  },
  "store-trouble": {
    en: "The database cannot keep a new order: no site is asked until it can. Free disk space, end what locks its file.",
    ru: "База данных не может сохранить заказ, сайты пока не опрашиваются. Освободите диск, закройте то, что держит файл базы.",
  },
};

/** FN warning bits (domain 4.2) and what they say. */
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
      en: "The register's settings must be renewed, says the OFD.",
      ru: "ОФД сообщает: нужно обновить настройки кассы.",
    },
  ],
  [0x40, { en: "The OFD's licence is annulled.", ru: "У ОФД отозвано разрешение." }],
  [0x80, { en: "The fiscal drive reports a critical error.", ru: "Критическая ошибка фискального накопителя." }],
];
