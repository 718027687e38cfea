/** Settings that change receipts, as the service reports them: the version of its driver, and the registration. */
import { Fault } from "@fiscald/shared/fault.js";
import type { ReceiptSetting } from "../../receipt-setting.js";
import type { RegisterFacts } from "../protocol/models.js";

/** The last version that is known to have no rate of 22 %. */
const LAST_WITHOUT_22 = [10, 10, 7, 21];
/** The first version that works only while another service of the maker (UEM) runs. */
const FIRST_WITH_UEM = [10, 10, 8, 0];
/** Codes of the rates 22 % and 22/122 in tag 1199. */
const MAIN_RATES = [11, 12];

export function settingsOf(
  { registeredForInternet }: Pick<RegisterFacts, "registeredForInternet">,
  driverVersion: string | null,
): readonly ReceiptSetting[] {
  const lacks22 = driverVersion !== null && compare(driverVersion, LAST_WITHOUT_22) <= 0;
  return [
    {
      place: { en: "version of the ATOL driver", ru: "версия драйвера АТОЛ" },
      value: driverVersion,
      right: lacks22 || driverVersion === null ? ["10.10.8.0"] : [driverVersion],
      effect: {
        en: "A driver up to 10.10.7.21 has no rate of 22 %: receipts with it wait. Install 10.10.8.0 or newer, with the service ATOL Connect (UEM).",
        ru: "В драйвере до 10.10.7.21 нет ставки 22 %: чеки с ней ждут. Установите 10.10.8.0 или новее вместе со службой ATOL Connect (UEM).",
      },
      changes: lacks22 ? { kind: "rates", rates: MAIN_RATES } : null,
    },
    {
      place: { en: "registration, tag 1108", ru: "регистрация, тег 1108" },
      value: registeredForInternet === null ? null : String(Number(registeredForInternet)),
      right: [],
      effect: {
        en: "1: the register is for settlements on the internet alone, receipts on paper do not belong on it. 0: it is not, internet receipts are printed with a warning. It changes by a re-registration.",
        ru: "1: касса только для расчётов в интернете, бумажные чеки на ней не пробивают. 0: нет, интернет-чеки печатаются с предупреждением. Меняется перерегистрацией.",
      },
      changes: null,
      isUsual: true,
    },
  ];
}

/**
 * Adds a hint to a fault: a register that cannot be reached behind a newer driver may only need the maker's other
 * service.
 */
export function withNeededService(fault: Fault, driverVersion: string | null): Fault {
  const isOlder = driverVersion === null || compare(driverVersion, FIRST_WITH_UEM) < 0;
  if (isOlder || fault.area === "internal" || fault.code === "link.aborted") return fault;
  const { code, message, ru, details, place } = fault;
  return new Fault(code, {
    message: {
      en: `${message}; driver ${driverVersion} works only while the service ATOL Connect (UEM) runs`,
      ru: `${ru ?? message}; драйвер ${driverVersion} работает, только пока работает служба ATOL Connect (UEM)`,
    },
    details,
    cause: fault,
    ...(place === null ? {} : { place }),
  });
}

function compare(version: string, limit: readonly number[]): number {
  const parts = version.split(".").map(Number);
  const differs = limit.findIndex((part, index) => (parts[index] ?? 0) !== part);
  return differs === -1 ? 0 : (parts[differs] ?? 0) - (limit[differs] ?? 0);
}
