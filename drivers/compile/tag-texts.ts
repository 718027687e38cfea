/** Every text that is sent to the tax office as a tag, with its place in the order and its greatest length. Pure. */
import { itemsOf, type SaleReceipt } from "@fiscald/shared/receipt/receipt.js";
import type { CompileContext } from "../fiscal-driver.js";
import { agentTexts, buyerTexts, industryTexts, type TagText } from "./requisites.js";

/** One text of a receipt. A tag occurs several times in one place only where the tag is a phone. */
export interface PlacedText {
  readonly place: string;
  readonly tag: number;
  readonly text: string;
}

/** Tag 1030 (name of an item). The register may cut a longer name, so the length is no reason to refuse a receipt. */
export const ITEM_NAME = 1030;
export const phoneTags: readonly number[] = [1073, 1074, 1075, 1171];

/** Greatest length in characters, by tag. INNs and country codes are left out: their size is fixed. */
export const longestTexts: Readonly<Record<number, number>> = {
  ...{
    1008: 64,
    1021: 64,
    1085: 64,
    1086: 256,
    1187: 256,
    1191: 64,
    1192: 16,
    1197: 16,
    1225: 256,
    1231: 32,
    1272: 64,
  },
  ...{ 1005: 256, 1026: 64, 1044: 24, 1073: 19, 1074: 19, 1075: 19, 1171: 19 },
  ...{ 1227: 256, 1243: 10, 1244: 3, 1245: 2, 1246: 64, 1254: 256 },
  ...{ 1262: 3, 1263: 10, 1264: 32, 1265: 256 },
};

export function tagTexts(
  receipt: SaleReceipt,
  { mark, cashier }: Pick<CompileContext, "mark" | "cashier">,
): readonly PlacedText[] {
  const {
    contact,
    settlementPlace,
    internet,
    requisites: { buyer, additional, operating, userProperty } = {},
  } = receipt;
  return [
    ...placed("contact", [1008, contact]),
    ...placed("settlementPlace", [1187, settlementPlace]),
    ...placed("internet.url", [1187, internet?.url]),
    ...placed("cashier.name", [1021, (receipt.cashier ?? cashier)?.name]),
    ...placed("orderId", [1086, mark]),
    ...placed("requisites.buyer", ...(buyer === undefined ? [] : buyerTexts(buyer))),
    ...placed("requisites.additional", [1192, additional]),
    ...placed("requisites.userProperty", [1085, userProperty?.name], [1086, userProperty?.value]),
    ...placed("requisites.operating.data", [1272, operating?.data]),
    ...itemsOf(receipt).flatMap((item, index) => {
      const { name, unit, customsDeclaration, agent, requisites: { additional: ofItem, industry } = {} } = item;
      const path = `items[${index}]`;
      return [
        ...placed(`${path}.name`, [ITEM_NAME, name]),
        ...placed(`${path}.unit`, [1197, unit]),
        ...placed(`${path}.customsDeclaration`, [1231, customsDeclaration]),
        ...placed(`${path}.agent.supplierName`, [1225, agent?.supplierName]),
        ...placed(
          `${path}.agent.supplierPhones`,
          ...(agent?.supplierPhones ?? []).map((phone) => [1171, phone] as const),
        ),
        ...placed(`${path}.agent.data`, ...(agent?.data === undefined ? [] : agentTexts(agent.data))),
        ...placed(`${path}.requisites.additional`, [1191, ofItem]),
        ...placed(`${path}.requisites.industry`, ...(industry === undefined ? [] : industryTexts(industry))),
      ];
    }),
  ];
}

function placed(
  place: string,
  ...texts: readonly (TagText | readonly [number, string | null | undefined])[]
): readonly PlacedText[] {
  return texts.flatMap(([tag, text]) => (text === null || text === undefined ? [] : [{ place, tag, text }]));
}
