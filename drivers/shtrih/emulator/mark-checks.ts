/** What FF61h found of a code, and whether an item uses it as it was checked: protocols/shtrih-m.md 8.10. */
import { type FiscalTag, numberOf } from "../../emulator/memory/fiscal-tag.js";
import { isUsedAsChecked, markResult } from "../../emulator/memory/marking-codes.js";
import type { MarkCheck, ShtrihDevice } from "./device.js";

/** Tag 2106 of a code, given as hex. */
export function resultOf(mark: string): number {
  return markResult(Buffer.from(mark, "hex"));
}

/** The last check of this code; null = FF61h was not asked about it. */
export function checkOf(device: ShtrihDevice, mark: string): MarkCheck | null {
  return device.marking.findLast((check) => check.mark === mark) ?? null;
}

interface MarkedItem {
  readonly quantity: number;
  readonly tags: readonly FiscalTag[];
}

/** Also true of a code that was never checked: FF67h checks it itself. */
export function isCheckedFor(device: ShtrihDevice, mark: string, { quantity, tags }: MarkedItem): boolean {
  const check = checkOf(device, mark);
  const { receipt } = device.core;
  if (check === null || receipt === null) return true;
  return isUsedAsChecked(check, { operation: receipt.operation, measure: numberOf(tags, 2108) ?? 0, quantity });
}
