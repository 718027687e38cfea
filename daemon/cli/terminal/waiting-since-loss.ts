/** Shows orders that wait since the database was lost, beside the documents that may be their receipts. */
import { formatRoubles, type Kopecks } from "@fiscald/shared/amounts.js";
import type { Operation } from "@fiscald/shared/receipt/receipt.js";
import { itemsOf } from "@fiscald/shared/receipt/receipt.js";
import type { Messages } from "../../messages/messages.js";
import type { WaitingSinceLoss } from "../../registers/operator/accept-loss.js";
import { formatTable } from "./output.js";

interface Shown {
  readonly register: string;
  readonly words: Pick<Messages, "commands" | "page">;
}

/** An order and the document in the same line need not belong together. */
export function formatWaitingSinceLoss({ orders, documents }: WaitingSinceLoss, { register, words }: Shown): string {
  const { lossColumns, ordersSinceLoss, sum } = words.commands;
  const { jobKinds, unreadDocument } = words.page;
  const headOf = (operation: string | null, total: Kopecks | null) => [
    isOperation(operation) ? jobKinds[operation] : "",
    total === null ? "" : sum({ roubles: formatRoubles(total) }),
  ];
  const left = orders.map(({ id, orderId, operation, total, receipt }) => {
    const [first] = receipt.kind === "receipt" ? itemsOf(receipt) : [];
    return [String(id), orderId ?? "", first?.name ?? "", ...headOf(operation, total)];
  });
  const right = documents.map(({ fn, document: { fd, time, operation, total } }) => {
    return [fn, String(fd), time ?? unreadDocument, ...headOf(operation, total)];
  });
  const lines = Array.from({ length: Math.max(left.length, right.length) }, (_, line) => [
    ...(left[line] ?? ["", "", "", "", ""]),
    "|",
    ...(right[line] ?? []),
  ]);
  const jobs = orders.map(({ id }) => id).join(" ");
  return `${formatTable(lossColumns, lines)}${ordersSinceLoss({ register, jobs })}\n`;
}

function isOperation(operation: string | null): operation is Operation {
  return operation === "sale" || operation === "return";
}
