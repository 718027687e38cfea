/** Reads the settings that change receipts: the version of the maker's driver, and the registration. */
import { Fault } from "@fiscald/shared/fault.js";
import type { ReceiptSetting } from "../../receipt-setting.js";
import { atolTexts } from "../protocol/atol-texts.js";
import type { RegisterFacts } from "../protocol/models.js";

/** The last version that is known to lack the VAT rate of 22 %. */
const LAST_WITHOUT_22 = [10, 10, 7, 21];
/** The first version that works only while another service of the maker (UEM) runs. */
const FIRST_WITH_UEM = [10, 10, 8, 0];
/** 22 % and 22/122 in tag 1199 (VAT rate). */
const MAIN_RATES = [11, 12];

export function settingsOf(
  { registeredForInternet }: Pick<RegisterFacts, "registeredForInternet">,
  driverVersion: string | null,
): readonly ReceiptSetting[] {
  const lacks22 = driverVersion !== null && compare(driverVersion, LAST_WITHOUT_22) <= 0;
  return [
    {
      place: atolTexts.driverVersion,
      value: driverVersion,
      right: lacks22 || driverVersion === null ? ["10.10.8.0"] : [driverVersion],
      effect: atolTexts.lacks22,
      changes: lacks22 ? { kind: "rates", rates: MAIN_RATES } : null,
    },
    {
      place: atolTexts.registration,
      value: registeredForInternet === null ? null : String(Number(registeredForInternet)),
      right: [],
      effect: atolTexts.forInternet,
      changes: null,
      isUsual: true,
    },
  ];
}

/** Adds the hint that newer versions of the maker's driver work only while the maker's other service (UEM) runs. */
export function withNeededService(fault: Fault, driverVersion: string | null): Fault {
  const isOlder = driverVersion === null || compare(driverVersion, FIRST_WITH_UEM) < 0;
  if (isOlder || fault.area === "internal" || fault.code === "link.aborted") return fault;
  const { code, message, ru, details, place } = fault;
  return new Fault(code, {
    message: atolTexts.needsService({ en: message, ru: ru ?? message }, driverVersion),
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
