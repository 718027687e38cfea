import { kopecks } from "@fiscald/shared/amounts.js";
import type { ShiftRecord } from "./core-state.js";
import type { StoredDocument } from "./documents.js";
import { operations } from "./documents.js";
import type { FiscalTag } from "./fiscal-tag.js";

/** Tag 1133 of the closing document: corrections are counted apart from receipts. */
export function correctionsTag({ corrections }: ShiftRecord): readonly FiscalTag[] {
  return corrections === 0 ? [] : [{ tag: 1133, items: [{ tag: 1144, number: corrections }] }];
}

export function countReceipt(shift: ShiftRecord, receipt: StoredDocument): void {
  if (receipt.type === "correction") shift.corrections += 1;
  if (receipt.operation === null || receipt.type === "correction") return;
  const counters = shift.counters[receipt.operation];
  counters.count += 1;
  counters.total = kopecks(counters.total + (receipt.total ?? 0));
  for (const { row, typeClose, sum } of receipt.payments) {
    counters.byRow[row - 1] = kopecks((counters.byRow[row - 1] ?? 0) + sum);
    counters.byType[typeClose] = kopecks((counters.byType[typeClose] ?? 0) + sum);
  }
}

/** Tag 1194 of the closing document: totals of the shift by operation (tags 1129 to 1132). */
export function shiftTotalsTag(shift: ShiftRecord): FiscalTag {
  return {
    tag: 1194,
    items: operations.map((operation, index) => {
      const { count, total, byType } = shift.counters[operation];
      return {
        tag: 1129 + index,
        items: [
          { tag: 1135, number: count },
          { tag: 1201, number: total },
          { tag: 1136, number: byType[0] ?? 0 },
          { tag: 1138, number: byType[1] ?? 0 },
          { tag: 1218, number: byType[2] ?? 0 },
          { tag: 1219, number: byType[3] ?? 0 },
          { tag: 1220, number: byType[4] ?? 0 },
        ],
      };
    }),
  };
}
