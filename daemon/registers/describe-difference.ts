/** A difference between a registered receipt and what was sent, in words for people. */
import type { Difference } from "@fiscald/drivers/compare-tags.js";
import { Fault } from "@fiscald/shared/fault.js";
import type { FaultText } from "@fiscald/shared/fault-codes.js";
import { shownValue } from "@fiscald/shared/receipt/shown-value.js";
import { orderReasons } from "../messages/reasons/order-reasons.js";

/** Words for tags that a shop does not know by number. */
const names: Readonly<Record<number, FaultText>> = {
  1199: { en: "VAT rate", ru: "ставка НДС" },
  1214: { en: "method of settlement", ru: "признак способа расчёта" },
  1212: { en: "subject of settlement", ru: "признак предмета расчёта" },
  1055: { en: "tax system", ru: "система налогообложения" },
  1054: { en: "kind of settlement", ru: "признак расчёта" },
  1020: { en: "total", ru: "итог" },
  1043: { en: "sum of a line", ru: "сумма позиции" },
  1079: { en: "price", ru: "цена" },
  1023: { en: "quantity", ru: "количество" },
  1229: { en: "excise", ru: "акциз" },
  1059: { en: "number of lines", ru: "число позиций" },
  1031: { en: "payment in cash", ru: "оплата наличными" },
  1081: { en: "cashless payment", ru: "оплата безналичными" },
  1215: { en: "payment by an advance", ru: "зачёт предоплаты" },
  1216: { en: "payment on credit", ru: "оплата в кредит" },
  1217: { en: "payment in another form", ru: "оплата встречным предоставлением" },
  1125: { en: "sign of a settlement on the internet", ru: "признак расчёта в интернете" },
  1187: { en: "place of settlement", ru: "место расчётов" },
  1222: { en: "sign of an agent", ru: "признак агента" },
  1163: { en: "marking code", ru: "код маркировки" },
  1162: { en: "goods code", ru: "код товара" },
  1030: { en: "name of an item", ru: "наименование позиции" },
  1008: { en: "the buyer's address", ru: "адрес покупателя" },
};

/** Stands in place of a document's number when the register refused the receipt. */
export const NO_DOCUMENT = 0;

/** `fd`: the number of the document that differs. */
export function describeDifference(
  { tag, sent, read }: Pick<Difference, "tag" | "sent" | "read">,
  fd: number,
): FaultText {
  const own = names[tag];
  const [en, ru] = own === undefined ? [`tag ${tag}`, `тег ${tag}`] : [`${own.en} (${tag})`, `${own.ru} (${tag})`];
  if (fd === NO_DOCUMENT) {
    return {
      en: `The register refused a receipt with this: ${en}.`,
      ru: `Касса отвергла чек, в котором есть ${ru}.`,
    };
  }
  const wanted = shownValue(tag, sent);
  const found =
    read === null ? { en: "nothing", ru: "ничего" } : { en: shownValue(tag, read), ru: shownValue(tag, read) };
  return {
    en: `The register registered another receipt than it was sent: document ${fd}, ${en}: ${found.en} instead of ${wanted}.`,
    ru: `Касса зарегистрировала чек не таким, каким он передан: документ ${fd}, ${ru}: ${found.ru} вместо ${wanted}.`,
  };
}

/** The value as people read it. */
export function shown({ tag, sent, read }: Pick<Difference, "tag" | "sent" | "read">) {
  return { tag, sent: shownValue(tag, sent), read: read === null ? null : shownValue(tag, read) };
}

/** The fault for which receipts with the altered value wait. */
export function alteredFault(difference: Pick<Difference, "tag" | "sent" | "read">, fd: number): Fault {
  const { tag, sent, read } = shown(difference);
  const message =
    fd === NO_DOCUMENT
      ? orderReasons.tagRefused(tag)
      : read === null
        ? orderReasons.notRegistered(tag, sent, fd)
        : orderReasons.registeredOther(tag, sent, read, fd);
  return new Fault("register.alters-receipts", { message, details: { tag, sent, read, fd } });
}
