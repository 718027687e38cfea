import type { FaultText } from "@fiscald/shared/fault-codes.js";

export const atolTexts = {
  startService: {
    en: "ATOL: start the print service (ATOL Web Requests, port 16732) on this machine, or give the address of its machine",
    ru: "АТОЛ: запустите службу печати (ATOL Web Requests, порт 16732) на этом компьютере или укажите адрес её компьютера",
  },
  driverVersion: { en: "version of the ATOL driver", ru: "версия драйвера АТОЛ" },
  lacks22: {
    en: "A driver up to 10.10.7.21 has no rate of 22 %: receipts with it wait. Install 10.10.8.0 or newer, with the service ATOL Connect (UEM).",
    ru: "В драйвере до 10.10.7.21 нет ставки 22 %: чеки с ней ждут. Установите 10.10.8.0 или новее вместе со службой ATOL Connect (UEM).",
  },
  registration: { en: "registration, tag 1108", ru: "регистрация, тег 1108" },
  forInternet: {
    en: "1: the register is for settlements on the internet alone, receipts on paper do not belong on it. 0: it is not, internet receipts are printed with a warning. It changes by a re-registration.",
    ru: "1: касса только для расчётов в интернете, бумажные чеки на ней не пробивают. 0: нет, интернет-чеки печатаются с предупреждением. Меняется перерегистрацией.",
  },
  needsService: (message: FaultText, version: string): FaultText => ({
    en: `${message.en}; driver ${version} works only while the service ATOL Connect (UEM) runs`,
    ru: `${message.ru}; драйвер ${version} работает, только пока работает служба ATOL Connect (UEM)`,
  }),
} as const;

/** Names of the forms of payment by `typeClose`: the service has no table that the driver could read. */
export const paymentTitles = ["Наличными", "Безналичными", "Предоплата", "В кредит", "Иная форма"] as const;
