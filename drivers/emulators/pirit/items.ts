/** The register's settings, which the maker calls items. */
import { vatRates } from "@fiscald/shared/receipt/vat.js";
import type { PiritDevice } from "./device.js";

/** Items that are bit masks and have index 0 only. */
const masks = [1, 2, 3, 4, 5, 6, 10, 11, 79, 80];
const PASSWORD = 20;
const DEFAULT_PASSWORD = "PIRI";
const LISTED_IN_MANUAL = 6;

/** Value of a setting. Null: no such item or index. */
export function readSetting(device: PiritDevice, item: number, index: number): string | null {
  const written = device.core.makerSetting(`item.${item}.${index}`);
  return written ?? initialValue(device, item, index);
}

/** Writes a setting. False: there is none, or it cannot be changed. */
export function writeSetting(device: PiritDevice, item: number, index: number, value: string): boolean {
  if (initialValue(device, item, index) === null || readOnly(item, index)) return false;
  // Item 30 (name and address) belongs to the registration: it is taken, and not changed.
  if (item !== 30) device.core.setMakerSetting(`item.${item}.${index}`, value);
  return true;
}

export function linkPassword({ core }: PiritDevice): string {
  return core.makerSetting(`item.${PASSWORD}.0`) ?? DEFAULT_PASSWORD;
}

function readOnly(item: number, index: number): boolean {
  return item === 40 || item === 41 || (item === 32 && [0, 1, 13, 14, 15].includes(index));
}

function initialValue(device: PiritDevice, item: number, index: number): string | null {
  const { registration } = device.core;
  const values: Readonly<Record<number, string | null | undefined>> = {
    [PASSWORD]: index === 0 ? DEFAULT_PASSWORD : null,
    30: [registration.user, "", registration.address, ""][index],
    31: index <= 9 ? "" : null,
    32: registration.paymentNames[index],
    40: taxValue(device, 40, index),
    41: taxValue(device, 41, index),
    50: index >= 1 && index <= 16 ? `ОТДЕЛ ${index}` : null,
    52: index >= 1 && index <= 5 ? "" : null,
    71: registration.ofd.inn,
    81: registration.ofd.name,
    85: registration.place,
  };
  return values[item] ?? (index === 0 && masks.includes(item) ? "0" : null);
}

function taxValue(device: PiritDevice, item: 40 | 41, index: number): string | null {
  if (device.settings["listed-tax-rows"] === "6" && index >= LISTED_IN_MANUAL) return null;
  const row = device.core.registration.taxes.find((candidate) => candidate.row === index);
  if (row === undefined) return null;
  return item === 40 ? row.name : String(vatRates[row.vat].percent ?? 0);
}
