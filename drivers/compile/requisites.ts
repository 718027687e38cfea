/** Rarely used requisites. A requisite that the register cannot take is refused before the first byte is sent. Pure. */
import { ONE_UNIT } from "@fiscald/shared/amounts.js";
import { Fault } from "@fiscald/shared/fault.js";
import type { FaultText } from "@fiscald/shared/fault-codes.js";
import {
  type AgentData,
  type Buyer,
  type Industry,
  itemsOf,
  ownPropertyOf,
  type SaleReceipt,
  totalOf,
  type UserProperty,
} from "@fiscald/shared/receipt/receipt.js";
import { countPositions } from "@fiscald/shared/receipt/split-lines.js";
import { unfitTexts } from "@fiscald/shared/receipt/texts/unfit-texts.js";
import type { Capabilities, CompileContext } from "../fiscal-driver.js";

export type TagText = readonly [tag: number, text: string];

/** Tags inside 1256 (buyer) in format 1.2. In older formats 1227 and 1228 stand in the receipt itself. */
export function buyerTexts(buyer: Buyer): readonly TagText[] {
  return [
    ...textsOf(1227, buyer.name),
    ...textsOf(1228, buyer.inn),
    ...textsOf(1243, buyer.birthDate),
    ...textsOf(1244, buyer.citizenship),
    ...textsOf(1245, buyer.documentCode),
    ...textsOf(1246, buyer.documentData),
    ...textsOf(1254, buyer.address),
  ];
}

/** Tags inside 1260 (industry requisite of an item). */
export function industryTexts({ authority, date, number, value }: Industry): readonly TagText[] {
  return [
    [1262, authority],
    [1263, date],
    [1264, number],
    [1265, value],
  ];
}

/** Tags inside 1223 (data of an agent). */
export function agentTexts(data: AgentData): readonly TagText[] {
  return [
    ...textsOf(1075, ...(data.transferPhones ?? [])),
    ...textsOf(1044, data.operation),
    ...textsOf(1073, ...(data.agentPhones ?? [])),
    ...textsOf(1074, ...(data.operatorPhones ?? [])),
    ...textsOf(1026, data.transferName),
    ...textsOf(1005, data.transferAddress),
    ...textsOf(1016, data.transferInn),
  ];
}

const ORDER_MARK_NAME = "Заказ";

/** Tag 1084 (user requisite): the order's own, else the order mark. Null: the document has none. */
export function userPropertyOf(receipt: SaleReceipt, { mark }: Pick<CompileContext, "mark">): UserProperty | null {
  return ownPropertyOf(receipt) ?? (mark === null ? null : { name: ORDER_MARK_NAME, value: mark });
}

function textsOf(tag: number, ...texts: readonly (string | undefined)[]): readonly TagText[] {
  return texts.flatMap((text) => (text === undefined ? [] : [[tag, text] as const]));
}

const since12: readonly number[] = [1243, 1244, 1245, 1246, 1254, 1260, 1270];

/** Fault `receipt.unsupported` for a requisite that the format or the maker's protocol (`refused`) does not have. */
export function requireRequisites(receipt: SaleReceipt, ffd: string | null, refused: readonly number[] = []): void {
  for (const { tag, place } of namedRequisites(receipt)) {
    if (refused.includes(tag)) unsupported(unfitTexts.tagNotTaken(place, tag), place);
    if (ffd !== "1.2" && since12.includes(tag)) unsupported(unfitTexts.onlyFormat12(place, tag), place);
  }
  const { id = "0" } = receipt.requisites?.operating ?? {};
  const place = "requisites.operating.id";
  // The id is one byte: any other text would silently become another number.
  if (!/^\d{1,3}$/.test(id) || Number(id) > 255) unsupported(unfitTexts.operatingId(place, id), place);
}

export function unsupported(message: FaultText, place?: string): never {
  throw new Fault("receipt.unsupported", place === undefined ? { message } : { message, place });
}

/** Refuses what the model's capabilities exclude. All makers' compilers call this before the first byte is sent. */
export function requireCapable(receipt: SaleReceipt, { maxItems, marking, goodsCode }: Capabilities["fiscal"]): void {
  const items = itemsOf(receipt);
  const positions = countPositions(items);
  if (positions > maxItems) unsupported(unfitTexts.positions(positions, maxItems));
  if (totalOf(receipt) === 0) unsupported(unfitTexts.zeroReceipt);
  for (const [index, { name, markingCode, goodsCode: code, measure, quantity }] of items.entries()) {
    const isMarked = markingCode !== null;
    const place = `items[${index}].markingCode`;
    if (isMarked && !marking) unsupported(unfitTexts.markNotRegistered(name), place);
    if (isMarked && measure === 0 && quantity !== ONE_UNIT) unsupported(unfitTexts.markIsOnePiece(name), place);
    if (code !== null && !goodsCode) unsupported(unfitTexts.goodsCode12(name), `items[${index}].goodsCode`);
  }
}

function namedRequisites(receipt: SaleReceipt): readonly { readonly tag: number; readonly place: string }[] {
  const { buyer, additional, operating } = receipt.requisites ?? {};
  const ofItems = itemsOf(receipt).flatMap(({ requisites = {} }, index) => [
    ...named(1191, requisites.additional, `items[${index}].requisites.additional`),
    ...named(1229, requisites.excise, `items[${index}].requisites.excise`),
    ...named(1260, requisites.industry, `items[${index}].requisites.industry`),
  ]);
  return [
    ...(buyer === undefined ? [] : buyerTexts(buyer).map(([tag]) => ({ tag, place: "requisites.buyer" }))),
    ...named(1192, additional, "requisites.additional"),
    ...named(1270, operating, "requisites.operating"),
    ...ofItems,
  ];
}

function named(tag: number, value: unknown, place: string) {
  return value === undefined ? [] : [{ tag, place }];
}
