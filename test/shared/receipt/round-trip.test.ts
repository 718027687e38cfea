import type { LocalTime } from "@fiscald/shared/local-time.js";
import { parseLocalTime } from "@fiscald/shared/local-time.js";
import { checkReceipt } from "@fiscald/shared/receipt/check-receipt.js";
import { readOrder } from "@fiscald/shared/receipt/formats/read-order.js";
import { toOnlineReceipt } from "@fiscald/shared/receipt/formats/to-online-receipt.js";
import { toTaskTable } from "@fiscald/shared/receipt/formats/to-task-table.js";
import { itemsOf, type Receipt, totalOf } from "@fiscald/shared/receipt/receipt.js";
import { splitLine } from "@fiscald/shared/receipt/split-lines.js";
import fc from "fast-check";
import { anyOnlineReceipt, anyServiceJob, anyTableReceipt } from "../../support/receipt-arbitrary.js";

const noon = timeOf("2026-11-20T12:00:00");

function timeOf(text: string): LocalTime {
  const time = parseLocalTime(text);
  if (time === null) throw new Error(`no time: ${text}`);
  return time;
}

function readBack(wire: object): Receipt {
  const answer = readOrder(JSON.stringify(wire), { format: "auto" });
  if (answer.kind !== "receipt") {
    throw new Error(answer.kind === "broken" ? answer.fault.message : `read as ${answer.kind}`);
  }
  // The daemon stores a receipt as JSON, so no field may be lost or changed in JSON.
  expect(JSON.parse(JSON.stringify(answer.receipt))).toStrictEqual(answer.receipt);
  return answer.receipt;
}

/** Changes the case of the letters of every key, and adds unknown keys. */
function mangled(value: unknown, upper: (position: number) => boolean): unknown {
  if (Array.isArray(value)) return value.map((element) => mangled(element, upper));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => [
    [...key].map((char, at) => (upper(at + key.length) ? char.toUpperCase() : char.toLowerCase())).join(""),
    mangled(inner, upper),
  ]);
  return Object.fromEntries([...entries, ["unknownKey", { constructor: 1 }]]);
}

describe("a receipt written and read back", () => {
  test("any receipt written as a task table is read back the same", () => {
    fc.assert(fc.property(anyTableReceipt, (receipt) => expect(readBack(toTaskTable(receipt))).toEqual(receipt)));
  });

  test("any receipt written as an online order is read back the same", () => {
    fc.assert(
      fc.property(anyOnlineReceipt, (receipt) => expect(readBack(toOnlineReceipt(receipt, noon))).toEqual(receipt)),
    );
  });

  test("any service job written as a task table is read back the same", () => {
    fc.assert(fc.property(anyServiceJob, (job) => expect(readBack(toTaskTable(job))).toEqual(job)));
  });

  test("any order is read the same with other letter cases of its keys and with unknown keys", () => {
    const orders = fc.oneof(
      anyTableReceipt.map((receipt) => ({ receipt, wire: toTaskTable(receipt) })),
      anyOnlineReceipt.map((receipt) => ({ receipt, wire: toOnlineReceipt(receipt, noon) })),
    );
    fc.assert(
      fc.property(orders, fc.func(fc.boolean()), ({ receipt, wire }, upper) => {
        expect(readBack(mangled(wire, upper) ?? {})).toEqual(receipt);
      }),
    );
  });
});

describe("sums of a random cart", () => {
  test("total, lines, register positions and payments of any cart agree to the kopeck", () => {
    fc.assert(
      fc.property(fc.oneof(anyTableReceipt, anyOnlineReceipt), (receipt) => {
        const total = itemsOf(receipt).reduce((sum, { total }) => sum + total, 0);
        const positions = itemsOf(receipt)
          .filter(({ markingCode }) => markingCode === null)
          .flatMap(splitLine);
        const unmarked = itemsOf(receipt).filter(({ markingCode }) => markingCode === null);
        const cashless = receipt.payments.filter(({ typeClose }) => typeClose !== 0);
        const sumOf = (sums: readonly { readonly sum: number }[]) => sums.reduce((all, { sum }) => all + sum, 0);
        expect(checkReceipt(receipt)).toEqual([]);
        expect(totalOf(receipt)).toBe(total);
        expect(positions.reduce((sum, position) => sum + position.total, 0)).toBe(
          unmarked.reduce((sum, line) => sum + line.total, 0),
        );
        expect(sumOf(receipt.payments)).toBeGreaterThanOrEqual(total);
        expect(sumOf(cashless)).toBeLessThanOrEqual(total);
      }),
    );
  });

  test("an order whose payments lack more than a kopeck a line is refused, whatever its cart", () => {
    fc.assert(
      fc.property(anyTableReceipt, (receipt) => {
        const paid = receipt.payments.reduce((sum, payment) => sum + payment.sum, 0);
        fc.pre(paid > 0 && paid === totalOf(receipt));
        const less = itemsOf(receipt).length + 1;
        const [first, ...others] = toTaskTable(receipt).response.taskTable.filter(({ type }) => type === "Payment");
        const wire = toTaskTable(receipt);
        const short = wire.response.taskTable.map((line) =>
          line === undefined || line.type !== "Payment" || JSON.stringify(line) !== JSON.stringify(first)
            ? line
            : { ...line, param: { ...line.param, summ: (Math.round(Number(line.param?.summ) * 100) - less) / 100 } },
        );
        expect(others.length).toBe(receipt.payments.length - 1);
        const answer = readOrder(JSON.stringify({ response: { ...wire.response, taskTable: short } }), {
          format: "auto",
        });
        expect(answer).toMatchObject({ kind: "broken" });
      }),
    );
  });
});
