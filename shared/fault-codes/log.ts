/** The log. */
import { type FaultRow, row } from "./fault-row.js";

export const logFaults = {
  "log.failed": row(
    "repeat",
    4,
    ["The log cannot be written.", "Журнал нельзя записать."],
    [
      "Free disk space, and check the folder of the log and its rights. Receipts are printed as before.",
      "Освободите место на диске, проверьте папку журнала и права на неё. Чеки печатаются и без журнала.",
    ],
  ),
} as const satisfies Record<`log.${string}`, FaultRow>;
