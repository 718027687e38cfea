/** The register's settings, which the maker calls items. */
import { vatRates } from "@fiscald/shared/receipt/vat.js";
import type { PiritDevice } from "./device.js";

/** Items that are bit masks and have index 0 only. */
const masks = [1, 2, 3, 4, 5, 6, 10, 11, 79, 80];
const PASSWORD = 20;
const DEFAULT_PASSWORD = "PIRI";
const LISTED_IN_MANUAL = 6;

export function readSetting(device: PiritDevice, item: number, index: number): string | null {
  const written = device.core.makerSetting(`item.${item}.${index}`);
  return written ?? initialValue(device, item, index);
}

export function writeSetting(device: PiritDevice, item: number, index: number, value: string): boolean {
  if (initialValue(device, item, index) === null || readOnly(item, index)) return false;
  // Item 30 (name and address) belongs to the registration: a new value is accepted and ignored.
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
  switch (item) {
    case PASSWORD:
      return index === 0 ? DEFAULT_PASSWORD : null;
    case 30:
      return [registration.user, "", registration.address, ""][index] ?? null;
    case 31:
      return index <= 9 ? "" : null;
    case 32:
      return registration.paymentNames[index] ?? null;
    case 40:
    case 41:
      return taxValue(device, item, index);
    case 50:
      return index >= 1 && index <= 16 ? `ОТДЕЛ ${index}` : null;
    case 52:
      return index >= 1 && index <= 5 ? "" : null;
    case 71:
      return registration.ofd.inn;
    case 81:
      return registration.ofd.name;
    case 85:
      return registration.place;
    default:
      return index === 0 && masks.includes(item) ? "0" : null;
  }
}

function taxValue(device: PiritDevice, item: 40 | 41, index: number): string | null {
  if (device.settings["listed-tax-rows"] === "6" && index >= LISTED_IN_MANUAL) return null;
  const row = device.core.registration.taxes.find((candidate) => candidate.row === index);
  if (row === undefined) return null;
  return item === 40 ? row.name : String(vatRates[row.vat].percent ?? 0);
}
