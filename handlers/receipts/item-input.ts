/** A position as a site's developer writes it, for both formats. */
import { type Kopecks, parseQuantity, parseRoubles, parseScaled } from "@fiscald/shared/amounts.js";
import type { WireItemExtensions } from "@fiscald/shared/exchange/item-fields.js";
import { discountedTotal, grossOf } from "@fiscald/shared/receipt/formats/item-line.js";

/** Roubles or a quantity: a decimal text such as "19.90", or a number. */
export type Decimal = string | number;

export interface ItemInput {
  readonly name: string;
  /** Roubles for one unit, before the discount. */
  readonly price: Decimal;
  /** Default 1. */
  readonly quantity?: Decimal;
  /** Off the whole line; a negative one is a markup. */
  readonly discount?: { readonly roubles: Decimal } | { readonly percent: Decimal };
  /** An id from the `taxes` list of that very register (the sync call). */
  readonly tax?: number;
  /** 0 to 16, default 1. */
  readonly department?: number;
  /** Tag 1212, default 1 (goods). */
  readonly subject?: number;
  /** Tag 1214, default 4 (full settlement). */
  readonly method?: number;
  readonly unit?: string;
  /** Tag 2108; by default found by `unit`. */
  readonly measure?: number;
  readonly agent?: AgentInput;
  /** Tag 1162: text or bytes. */
  readonly goodsCode?: string | Uint8Array;
  /** As scanned, GS characters included: text or bytes. */
  readonly markingCode?: string | Uint8Array;
  /** Three OKSM digits. */
  readonly countryCode?: string;
  readonly customsDeclaration?: string;
}

export interface AgentInput {
  /** Tag 1222: 1, 2, 4, 8, 16, 32 or 64. */
  readonly type: number;
  readonly supplierName?: string;
  readonly supplierPhones?: readonly string[];
  readonly supplierInn?: string;
}

export function wireExtensions(input: ItemInput): WireItemExtensions {
  const { tax, department, subject, method, unit, measure, agent, countryCode, customsDeclaration } = input;
  return {
    ...(tax === undefined ? {} : { tax }),
    ...(department === undefined ? {} : { department }),
    ...(subject === undefined ? {} : { itemType: subject }),
    ...(method === undefined ? {} : { paymentMode: method }),
    ...(unit === undefined ? {} : { unit }),
    ...(measure === undefined ? {} : { measure }),
    ...(agent === undefined ? {} : wireAgent(agent)),
    ...(input.goodsCode === undefined ? {} : { goodsCode: base64Of(input.goodsCode) }),
    ...(input.markingCode === undefined ? {} : { markingCode: base64Of(input.markingCode) }),
    ...(countryCode === undefined ? {} : { countryCode }),
    ...(customsDeclaration === undefined ? {} : { customDeclarationCode: customsDeclaration }),
  };
}

function wireAgent({ type, supplierName, supplierInn, supplierPhones }: AgentInput): WireItemExtensions {
  return {
    agentType: type,
    ...(supplierName === undefined ? {} : { supplierName }),
    ...(supplierInn === undefined ? {} : { supplierInn }),
    ...(supplierPhones === undefined || supplierPhones.length === 0 ? {} : { supplierPhone: supplierPhones }),
  };
}

function base64Of(code: string | Uint8Array): string {
  return (typeof code === "string" ? Buffer.from(code, "utf8") : Buffer.from(code)).toString("base64");
}

/** The JSON number of an exact decimal; anything else stays as it is, for the check to name. */
export function wireDecimal(value: Decimal, decimals: number): Decimal {
  return parseScaled(value, decimals) === null ? value : Number(value);
}

/** The amount to pay for the line; null for a wrong price or quantity; a text describes a wrong discount. */
export function inputTotal({ price, quantity = 1, discount }: ItemInput): Kopecks | string | null {
  const unitPrice = parseRoubles(price);
  const count = parseQuantity(quantity);
  const gross = unitPrice === null || count === null ? null : grossOf(unitPrice, count);
  if (gross === null || discount === undefined) return gross;
  return "roubles" in discount
    ? discountedTotal(gross, { type: "roubles", value: discount.roubles })
    : discountedTotal(gross, { type: "percent", value: discount.percent });
}
