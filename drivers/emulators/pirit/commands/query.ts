/** Counters and facts: commands 01 to 03. */
import { formatRoubles, type Kopecks, kopecks } from "@fiscald/shared/amounts.js";
import { addSeconds } from "@fiscald/shared/local-time.js";
import type { CoreOperation } from "../../memory/documents.js";
import { type CommandRow, command } from "../command-table.js";
import type { PiritDevice } from "../device.js";
import { dateField, timeField } from "../fields.js";
import { badFormat, type Outcome, ok } from "../outcomes.js";

const DAY_SECONDS = 24 * 3600;
const ZERO = kopecks(0);

export const queryCommands: readonly CommandRow[] = [
  command({
    code: "01",
    name: "shift-counters",
    read: (fields) => fields.integer(),
    run: (device, query) => {
      const data = shiftCounters(device, query);
      return data === null ? badFormat(66) : ok(query, ...data);
    },
  }),
  command({
    code: "02",
    name: "device-info",
    read: (fields) => ({ query: fields.integer(), font: fields.integer() }),
    run: (device, { query, font }) => {
      const data = deviceInfo(device, query, font);
      return data === null ? badFormat(66) : ok(query, ...data);
    },
  }),
  command({ code: "03", name: "receipt-info", read: (fields) => fields.integer(), run: receiptInfo }),
];

type Values = readonly (string | number)[];

function shiftCounters(device: PiritDevice, query: number): Values | null {
  const { shiftRecord, shift } = device.core;
  const kept = shift !== "closed" || device.settings["counters-after-close"] === "kept";
  const counters = (operation: CoreOperation) =>
    kept ? shiftRecord.counters[operation] : { count: 0, total: ZERO, byRow: Array.from({ length: 16 }, () => ZERO) };
  const sums = (operation: CoreOperation) => counters(operation).byRow.map(formatRoubles);
  switch (query) {
    case 1:
      return [shiftRecord.number];
    case 2:
      return [shiftRecord.receipts + 1];
    case 3:
      return sums("sale");
    case 5:
      return sums("return");
    case 7:
      return [
        counters("sale").count,
        counters("return").count,
        shiftRecord.cancelled,
        0,
        shiftRecord.cashInCount,
        shiftRecord.cashOutCount,
      ];
    case 8:
      return [ZERO, ZERO, shiftRecord.cashIn, shiftRecord.cashOut].map(formatRoubles);
    case 12:
      return reportFields(device);
    default:
      return null;
  }
}

/** The last X or Z report, stored by commands 20 (X) and 21 (Z). */
function reportFields({ core }: PiritDevice): readonly string[] {
  return core.makerSetting("last-report")?.split("|") ?? ["", ...Array.from({ length: 12 }, () => "0")];
}

export function rememberReport({ core }: PiritDevice): Outcome {
  const { counters, cancelled, cashIn, cashInCount, cashOut, cashOutCount } = core.shiftRecord;
  const pair = (count: number, sum: Kopecks) => [count, formatRoubles(sum)];
  const fields = [
    core.through,
    core.through,
    formatRoubles(core.cash),
    ...pair(counters.sale.count, counters.sale.total),
    ...pair(counters.return.count, counters.return.total),
    ...pair(cancelled, ZERO),
    ...pair(cashInCount, cashIn),
    ...pair(cashOutCount, cashOut),
  ];
  core.setMakerSetting("last-report", fields.join("|"));
  return ok();
}

function deviceInfo({ core, model }: PiritDevice, query: number, font: number): Values | null {
  const { registration, shiftRecord, drive } = core;
  switch (query) {
    case 1:
      return [registration.serial];
    case 3:
      return [registration.inn];
    case 4:
      return [registration.kkm];
    case 7:
      return [formatRoubles(core.cash)];
    case 14:
      return [dateField(addSeconds(core.now(), drive.daysLeft * DAY_SECONDS)), drive.daysLeft];
    case 17:
      return shiftRecord.openedAt === null
        ? ["", ""]
        : [dateField(shiftRecord.openedAt), timeField(shiftRecord.openedAt)];
    case 18: {
      const columns = model.fonts[font];
      return columns === undefined ? null : [columns];
    }
    case 21:
      return [model.number];
    case 23:
      return [registration.taxSystems, 0, 0];
    case 70:
      return [model.firmware];
    default:
      return null;
  }
}

/** Query 03/1: the sum of the receipt, then the rounding and the rest after it. */
function receiptInfo({ core }: PiritDevice, query: number): Outcome {
  return query === 1 ? ok(1, formatRoubles(core.subtotal), "0.00", "0.00") : badFormat(66);
}
