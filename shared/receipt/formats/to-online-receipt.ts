/** Reading the written order back gives the same receipt. */
import { toQuantityNumber, toRoublesNumber } from "../../amounts.js";
import { type WireOnlineItem, type WireOnlineReceipt, wireSigns } from "../../exchange/online-receipt.js";
import { Fault } from "../../fault.js";
import { formatWireTime, type LocalTime } from "../../local-time.js";
import { type ItemLine, itemsOf, type SaleReceipt, signOf, totalOf } from "../receipt.js";
import { wireItemExtensions, wireJobHead, wireReceiptHead } from "./to-wire.js";

/** `issuedAt`: local time of the site. Fault `order.wrong-value` for values that the format has no field for. */
export function toOnlineReceipt(receipt: SaleReceipt, issuedAt: LocalTime): WireOnlineReceipt {
  refuseUnsupported(receipt);
  const contact = receipt.contact ?? "";
  const isEmail = contact.includes("@");
  const sign = signOf(receipt);
  return {
    timestamp: formatWireTime(issuedAt),
    external_id: receipt.orderId,
    ...wireJobHead(receipt),
    ...wireReceiptHead(receipt),
    ...(sign === "sale" ? {} : { operation: wireSigns[sign] }),
    ...(receipt.printDoc ? {} : { printDoc: false }),
    receipt: {
      attributes: { email: isEmail ? contact : "", phone: isEmail ? "" : contact },
      items: itemsOf(receipt).map(onlineItem),
      total: toRoublesNumber(totalOf(receipt)),
      payments: receipt.payments.map(({ typeClose, sum }) => ({ type: typeClose, sum: toRoublesNumber(sum) })),
    },
  };
}

function onlineItem(item: ItemLine): WireOnlineItem {
  return {
    name: item.name,
    price: toRoublesNumber(item.price),
    quantity: toQuantityNumber(item.quantity),
    sum: toRoublesNumber(item.total),
    ...wireItemExtensions(item),
  };
}

function refuseUnsupported(receipt: SaleReceipt): void {
  const has = (condition: boolean, what: string) => (condition ? [what] : []);
  const unsayable = [
    ...has(
      receipt.lines.some(({ type }) => type !== "item"),
      "lines of text or pictures",
    ),
    ...has(receipt.cancelFirst || receipt.cancelledByOrder, "CancelCheck"),
  ];
  if (unsayable.length === 0) return;
  throw new Fault("order.wrong-value", {
    message: `the online format cannot carry ${unsayable.join(", ")}: use the task table`,
  });
}
