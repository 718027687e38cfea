/** Tags of a receipt and of its items as steps (Shtrih-M protocol, 8.6). Text in tags is CP866. */
import { Fault } from "@fiscald/shared/fault.js";
import type { Agent, Cashier, ItemLine, ReceiptRequisites, SaleReceipt } from "@fiscald/shared/receipt/receipt.js";
import { SUPPLIER_WITHOUT_INN } from "@fiscald/shared/receipt/receipt.js";
import { unfitTexts } from "@fiscald/shared/receipt/texts/unfit-texts.js";
import { ByteWriter } from "../../codec/byte-cursor.js";
import { byteTag, containerTag, encodeTlv, fixedStringTag, stringTag } from "../../codec/tlv.js";
import { printedUnit } from "../../compile/fiscal-texts.js";
import { agentTexts, buyerTexts, industryTexts, type TagText, userPropertyOf } from "../../compile/requisites.js";
import { longestTexts } from "../../compile/tag-texts.js";
import type { CompileContext } from "../../fiscal-driver.js";
import { commands } from "../protocol/commands.js";
import { type ShtrihStep, send, sendTag } from "./steps.js";

/** A frame has 255 bytes (Shtrih-M protocol, 2.1); code and password of FF0Ch and FF4Dh take 6. */
const MAX_TAG = 249;
const LONG_BLOCK = 64;
/** Tag 2108 (measure). */
const PIECES = 0;
/** Longest value of tag 1229 (excise) in the drive. */
const EXCISE_BYTES = 6;

/** Tags 1021 (cashier) and 1203 (cashier's INN). */
export function cashierTags(cashier: Cashier | null, password: number): readonly ShtrihStep[] {
  if (cashier === null) return [];
  const name = tagStep(1021, stringTag(1021, cashier.name, 64, "cashier.name"), password);
  return cashier.inn === null ? [name] : [name, tagStep(1203, fixedStringTag(1203, cashier.inn, 12), password)];
}

/** The tags of a correction's basis, each on its own: the register puts 1178 and 1179 into their container. */
export function basisSteps(
  tags: readonly (readonly [tag: number, tlv: Uint8Array])[],
  password: number,
): readonly ShtrihStep[] {
  return tags.map(([tag, tlv]) => tagStep(tag, tlv, password));
}

/** Tags 1008 (address), 1125 (internet), 1187 (place), 1192, the buyer's, 1270 (operational), 1084 (user). */
export function documentTags(
  receipt: SaleReceipt,
  { mark, ffd }: Pick<CompileContext, "mark"> & { readonly ffd: string | null },
  password: number,
): readonly ShtrihStep[] {
  const steps: ShtrihStep[] = [];
  if (receipt.contact !== null) steps.push(tagStep(1008, textTag([1008, receipt.contact]), password));
  if (receipt.internet !== null) steps.push(tagStep(1125, byteTag(1125, 1), password));
  const place = receipt.internet?.url ?? receipt.settlementPlace;
  if (place !== null) steps.push(...longTagSteps(1187, textTag([1187, place]), password));
  for (const [tag, tlv] of requisiteTags(receipt.requisites ?? {}, ffd)) {
    steps.push(...longTagSteps(tag, tlv, password));
  }
  const property = userPropertyOf(receipt, { mark });
  if (property !== null) {
    const requisite = [textTag([1085, property.name]), textTag([1086, property.value])];
    steps.push(...longTagSteps(1084, containerTag(1084, requisite), password));
  }
  return steps;
}

function requisiteTags(
  { buyer, additional, operating }: ReceiptRequisites,
  ffd: string | null,
): readonly (readonly [number, Uint8Array])[] {
  const ofBuyer = buyer === undefined ? [] : buyerTexts(buyer).map((one) => [one[0], textTag(one)] as const);
  return [
    ...(additional === undefined ? [] : [[1192, textTag([1192, additional])] as const]),
    ...(ffd === "1.2" && ofBuyer.length > 0
      ? [
          [
            1256,
            containerTag(
              1256,
              ofBuyer.map(([, tlv]) => tlv),
            ),
          ] as const,
        ]
      : ofBuyer),
    ...(operating === undefined ? [] : [[1270, operatingTag(operating)] as const]),
  ];
}

function operatingTag({ id, data, time }: NonNullable<ReceiptRequisites["operating"]>): Uint8Array {
  const seconds = new ByteWriter().u32(Date.parse(`${time}Z`) / 1000).done();
  return containerTag(1270, [byteTag(1271, Number(id)), textTag([1272, data]), encodeTlv(1273, seconds)]);
}

/** A text whose length `requireLengths` has accepted. INNs are fixed strings of twelve characters. */
function textTag([tag, text]: TagText): Uint8Array {
  const most = longestTexts[tag];
  return most === undefined ? fixedStringTag(tag, text, 12) : stringTag(tag, text, most);
}

export interface ItemTagsContext {
  readonly name: string;
  readonly path: string;
  readonly ffd: string | null;
  readonly password: number;
}

/**
 * Tags are sent with their item, without other commands between. Fault `receipt.unsupported` for a value that is longer
 * than its tag, or than the one command that binds a tag to an item: the register's buffer for longer values (FF64h) is
 * for tags of the document.
 */
export function itemTags(item: ItemLine, { name, path, ffd, password }: ItemTagsContext): readonly ShtrihStep[] {
  const tags: [number, Uint8Array][] = [];
  if (item.agent !== null) tags.push(...agentTags(item.agent, `${path}.agent`));
  if (item.goodsCode !== null) tags.push([1162, encodeTlv(1162, Buffer.from(item.goodsCode, "base64"))]);
  if (ffd === "1.2") {
    // Pieces are the default, which some firmware refuses when it is sent.
    if (item.measure !== PIECES) tags.push([2108, byteTag(2108, item.measure)]);
  } else {
    const unit = printedUnit(item, path);
    if (unit !== null) tags.push([1197, textTag([1197, unit])]);
  }
  if (item.countryCode !== null) tags.push([1230, fixedStringTag(1230, item.countryCode, 3)]);
  if (item.customsDeclaration !== null) tags.push([1231, textTag([1231, item.customsDeclaration])]);
  const { additional, excise, industry } = item.requisites ?? {};
  if (additional !== undefined) tags.push([1191, textTag([1191, additional])]);
  if (excise !== undefined) tags.push([1229, encodeTlv(1229, new ByteWriter().uint(excise, EXCISE_BYTES).done())]);
  if (industry !== undefined) tags.push([1260, containerTag(1260, industryTexts(industry).map(textTag))]);
  return tags.map(([tag, tlv]) => {
    if (tlv.length > MAX_TAG) throw tooLong(`${path} (tag ${tag})`, tlv.length);
    return sendTag(`${name} tag ${tag}`, tag, commands.sendItemTag.encode({ password, tlv }));
  });
}

function agentTags(agent: Agent, path: string): readonly [number, Uint8Array][] {
  const { supplierName, supplierPhones, data: ofAgent } = agent;
  const supplier = [
    ...(supplierName === null ? [] : [textTag([1225, supplierName])]),
    ...supplierPhones.map((phone) => textTag([1171, phone])),
  ];
  const data = containerTag(1224, supplier);
  if (data.length > MAX_TAG) throw tooLong(`${path}: supplier's name and phones (tag 1224)`, data.length, path);
  return [
    [1222, byteTag(1222, agent.type)],
    ...(ofAgent === undefined
      ? []
      : ([[1223, containerTag(1223, agentTexts(ofAgent).map(textTag))]] satisfies [number, Uint8Array][])),
    ...(supplier.length === 0 ? [] : ([[1224, data]] satisfies [number, Uint8Array][])),
    [1226, fixedStringTag(1226, agent.supplierInn ?? SUPPLIER_WITHOUT_INN, 12)],
  ];
}

function tooLong(what: string, length: number, path = what): Fault {
  const message = unfitTexts.tagsTooLong(what, length, MAX_TAG);
  return new Fault("receipt.unsupported", { message, place: path });
}

function tagStep(tag: number, tlv: Uint8Array, password: number): ShtrihStep {
  return sendTag(`tag ${tag}`, tag, commands.sendTag.encode({ password, tlv }));
}

/** A tag that does not fit one command is sent through the register's buffer. */
function longTagSteps(tag: number, tlv: Uint8Array, password: number): readonly ShtrihStep[] {
  if (tlv.length <= MAX_TAG) return [tagStep(tag, tlv, password)];
  const steps = [send(`tag ${tag} begin`, commands.beginLongTag.encode({ password, size: tlv.length }))];
  for (let offset = 0; offset < tlv.length; offset += LONG_BLOCK) {
    const data = tlv.slice(offset, offset + LONG_BLOCK);
    steps.push(send(`tag ${tag} from ${offset}`, commands.longTagBlock.encode({ password, offset, data })));
  }
  return [...steps, sendTag(`tag ${tag} end`, tag, commands.sendLongTag.encode({ password }))];
}
