/** The online-fiscal-compatible format. The receipt stands below `response` or at the root of an answer. */
import type { z } from "zod";
import type { Sign } from "../receipt/receipt.js";
import {
  attributesField,
  headExtensions,
  headFields,
  orderIdField,
  typeCloseField,
  type WireHead,
} from "./head-fields.js";
import { itemExtensions, type WireItemExtensions } from "./item-fields.js";
import {
  anyCaseObject,
  anyText,
  choice,
  flag,
  listOf,
  quantityAboveZero,
  roubles,
  roublesNotNegative,
} from "./lenient-fields.js";

export const MAX_ONLINE_ITEMS = 100;

/** The values of `operation` (sale or return, correction or not), as cloud services spell them. */
export const wireSigns = {
  sale: "sell",
  return: "sell_refund",
  "sale-correction": "sell_correction",
  "return-correction": "sell_refund_correction",
} as const satisfies Readonly<Record<Sign, string>>;

export type WireSign = (typeof wireSigns)[Sign];

const signs = {
  sell: "sale",
  sell_refund: "return",
  sell_correction: "sale-correction",
  sell_refund_correction: "return-correction",
} as const satisfies Readonly<Record<WireSign, Sign>>;

export const wireSign = choice<Sign>(signs);

const itemSchema = anyCaseObject({
  ...itemExtensions,
  name: anyText,
  price: roublesNotNegative,
  quantity: quantityAboveZero,
  sum: roublesNotNegative,
  /** The tax that the site counted, which is only compared, because the register counts the tax itself. */
  tax_sum: anyText.optional(),
});

const paymentSchema = anyCaseObject({ type: typeCloseField, sum: roubles });

export const onlineReceiptSchema = anyCaseObject({
  ...headFields,
  ...headExtensions,
  external_id: orderIdField.optional(),
  /** The site's time, which may be any text, because it is not fiscal. */
  timestamp: anyText.optional(),
  /** Extension: sale or return, correction or not; the format itself has no field for a refund or a correction. */
  operation: wireSign.default("sale"),
  /** Our extension of the format; false = the receipt is only electronic. */
  printDoc: flag.optional(),
  receipt: anyCaseObject({
    attributes: attributesField,
    items: listOf(itemSchema),
    total: roublesNotNegative,
    payments: listOf(paymentSchema),
  }),
});

export type OnlineOrder = z.output<typeof onlineReceiptSchema>;
export type OnlineItem = OnlineOrder["receipt"]["items"][number];

/** A receipt as this program writes it: without extensions that have their default. */
export interface WireOnlineReceipt extends WireHead {
  readonly timestamp: string;
  readonly external_id: string;
  readonly operation?: WireSign;
  readonly printDoc?: boolean;
  readonly receipt: {
    readonly attributes: { readonly email: string; readonly phone: string };
    readonly items: readonly WireOnlineItem[];
    readonly total: number | string;
    readonly payments: readonly { readonly type: number; readonly sum: number | string }[];
  };
}

export interface WireOnlineItem extends WireItemExtensions {
  readonly name: string;
  readonly price: number | string;
  readonly quantity: number | string;
  readonly sum: number | string;
}
