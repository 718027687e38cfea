import { toFnSerial, toInn, toKkm } from "@fiscald/shared/ids.js";
import { parseLocalTime } from "@fiscald/shared/local-time.js";
import { layoutReceipt, type PaperDocument } from "@fiscald/shared/paper/layout-receipt.js";
import { renderSvg } from "@fiscald/shared/paper/render.js";
import type { PrintResult } from "../print-server/host-callbacks.js";
import type { StoredReceipt } from "../print-server/receipts/stored-receipt.js";

const columns = 42;

export function receiptSvg({ receipt, result }: StoredReceipt): string {
  const rows = layoutReceipt(receipt, {
    columns,
    document: result === null ? null : documentOf(result),
    tables: null,
    ...(result === null ? {} : { register: { kkm: toKkm(result.kkm), inn: toInn(result.inn) } }),
  });
  return renderSvg(rows, { columns });
}

function documentOf(result: PrintResult): PaperDocument | null {
  const { fn, fdNumber, fiscalSign, shiftNumber, receiptNumber } = result;
  const time = result.time === null ? null : parseLocalTime(result.time);
  if (fdNumber === null || fiscalSign === null || time === null) return null;
  return {
    fn: toFnSerial(fn),
    fd: Number(fdNumber),
    fiscalSign,
    shift: Number(shiftNumber ?? 0),
    receiptNumber: receiptNumber === null ? null : Number(receiptNumber),
    time,
  };
}
