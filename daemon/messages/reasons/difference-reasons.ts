import type { FaultText } from "@fiscald/shared/fault-codes.js";

/** What these tags mean to a shop that does not know their numbers. */
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

function tagInWords(tag: number): FaultText {
  const own = names[tag];
  return own === undefined
    ? { en: `tag ${tag}`, ru: `тег ${tag}` }
    : { en: `${own.en} (${tag})`, ru: `${own.ru} (${tag})` };
}

export const differenceReasons = {
  refused(tag: number): FaultText {
    const { en, ru } = tagInWords(tag);
    return {
      en: `The register refused a receipt with this: ${en}.`,
      ru: `Касса отвергла чек, в котором есть ${ru}.`,
    };
  },
  /** `fd` is the number of the document. `found` is null when the document lacks the tag. */
  differs(tag: number, fd: number, sent: string, found: string | null): FaultText {
    const { en, ru } = tagInWords(tag);
    return {
      en: `The register registered another receipt than it was sent: document ${fd}, ${en}: ${found ?? "nothing"} instead of ${sent}.`,
      ru: `Касса зарегистрировала чек не таким, каким он передан: документ ${fd}, ${ru}: ${found ?? "ничего"} вместо ${sent}.`,
    };
  },
};
