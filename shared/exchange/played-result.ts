import { toRoublesNumber } from "../amounts.js";
import { formatWireTime, type LocalTime } from "../local-time.js";
import { type Receipt, signOf, totalOf } from "../receipt/receipt.js";
import type { ResultBody, ResultOutcome } from "./calls.js";
import { wireSigns } from "./online-receipt.js";

export interface PlayedResult extends Pick<ResultBody, "action" | "kkm" | "inn" | "fn" | "orderId" | "resultInfo"> {
  readonly outcome: ResultOutcome;
  /** Null: the receipt could not be read. */
  readonly receipt: Receipt | null;
  readonly fd: number;
  readonly time: LocalTime;
}

/** For programs that play the print server against a site: nothing has printed the receipt. */
export function playedResult({ outcome, receipt, fd, time, ...names }: PlayedResult): ResultBody {
  const link = Buffer.from(`https://receipts.example/${fd}`).toString("base64");
  return {
    ...names,
    ...(outcome === "printed"
      ? { resultCode: 0, shiftNumber: "1", OFDLink: link, ...documentOf(fd, time), ...saleOf(receipt) }
      : { resultCode: 4, shiftNumber: "", OFDLink: "" }),
    outcome,
    ...(receipt?.receiptId == null ? {} : { receiptId: receipt.receiptId }),
  };
}

function documentOf(fd: number, time: LocalTime) {
  return {
    fpd: String(1_000_000_000 + fd),
    fdNumber: String(fd),
    receiptNumber: String(fd),
    dateTime: formatWireTime(time),
  };
}

function saleOf(receipt: Receipt | null): Pick<ResultBody, "operation" | "total"> {
  if (receipt?.kind !== "receipt") return {};
  return { operation: wireSigns[signOf(receipt)], total: toRoublesNumber(totalOf(receipt)) };
}
