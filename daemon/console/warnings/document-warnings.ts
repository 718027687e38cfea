/** Registered receipts that are not what was sent, and settings of registers that would change one, for a person. */
import { sumWords } from "@fiscald/drivers/compare-tags.js";
import type { FaultText } from "@fiscald/shared/fault-codes.js";
import { isVatCode, vatRates } from "@fiscald/shared/receipt/vat.js";
import type { CheckStore, FoundDifference } from "../../store/document-checks.js";
import type { EarlyWarning } from "./find-warnings.js";
import type { SetRow } from "./how-set.js";

export interface StoredChecks {
  readonly differences: readonly FoundDifference[];
  readonly notCompared: ReturnType<CheckStore["notCompared"]>;
}

export function readChecks(checks: Pick<CheckStore, "open" | "notCompared">): StoredChecks {
  return { differences: checks.open(), notCompared: checks.notCompared() };
}

/** One for each register and tag, of the first document that differed, and one for each register that cannot be compared. */
export function documentWarnings({ differences, notCompared }: StoredChecks): readonly EarlyWarning[] {
  const registers = [...new Set(notCompared.map(({ register }) => register))];
  return [
    ...firstOfEach(differences).map(differenceWarning),
    ...registers.map((register): EarlyWarning => {
      const values = notCompared.filter((other) => other.register === register).map(({ value }) => value);
      const fields = { register, values: values.join(", ") };
      return { key: `${register} not compared`, kind: "receipt-not-compared", text: notComparedText, fields };
    }),
  ];
}

/** The first one of each register and tag. */
export function firstOfEach(differences: readonly FoundDifference[]): readonly FoundDifference[] {
  return [...new Map(differences.toReversed().map((difference) => [keyOf(difference), difference])).values()];
}

function keyOf({ register, tag }: FoundDifference): string {
  return `${register} differs ${tag}`;
}

function differenceWarning(difference: FoundDifference): EarlyWarning {
  const { register, tag, sent, read, weight, job, fd, at } = difference;
  return {
    key: keyOf(difference),
    kind: weight === "hold" ? "receipt-altered" : "receipt-differs",
    text: differenceText(difference),
    fields: { register, job, fd, tag, sent, read },
    since: at,
  };
}

/** Tags whose number alone tells a shop nothing. */
const names: Readonly<Record<number, FaultText>> = {
  1199: { en: "VAT rate", ru: "ставка НДС" },
  1214: { en: "method of settlement", ru: "признак способа расчёта" },
  1212: { en: "subject of settlement", ru: "признак предмета расчёта" },
  1055: { en: "tax system", ru: "система налогообложения" },
  1054: { en: "kind of settlement", ru: "признак расчёта" },
  1020: { en: "total", ru: "итог" },
  1043: { en: "sum of a line", ru: "сумма позиции" },
  1059: { en: "number of lines", ru: "число позиций" },
  1031: { en: "payment in cash", ru: "оплата наличными" },
  1081: { en: "cashless payment", ru: "оплата безналичными" },
  1125: { en: "sign of a settlement on the internet", ru: "признак расчёта в интернете" },
  1187: { en: "place of settlement", ru: "место расчётов" },
  1222: { en: "sign of an agent", ru: "признак агента" },
  1163: { en: "marking code", ru: "код маркировки" },
  1162: { en: "goods code", ru: "код товара" },
  1030: { en: "name of an item", ru: "наименование позиции" },
  1008: { en: "the buyer's address", ru: "адрес покупателя" },
};

export function describeDifference({ tag, sent, read, fd }: FoundDifference): FaultText {
  const own = names[tag];
  const [en, ru] = own === undefined ? [`tag ${tag}`, `тег ${tag}`] : [`${own.en} (${tag})`, `${own.ru} (${tag})`];
  const wanted = shownValue(tag, sent);
  const found = read === null ? { en: "nothing", ru: "ничего" } : shownValue(tag, read);
  return {
    en: `The register registered another receipt than it was sent: document ${fd}, ${en}: ${found.en} instead of ${wanted.en}.`,
    ru: `Касса зарегистрировала чек не таким, каким он передан: документ ${fd}, ${ru}: ${found.ru} вместо ${wanted.ru}.`,
  };
}

function differenceText(difference: FoundDifference): FaultText {
  const { register, weight } = difference;
  const said = describeDifference(difference);
  if (weight === "warn") {
    return {
      en: `${said.en} Check it on paper; \`fiscald accept-differences ${register}\` takes it off the list.`,
      ru: `${said.ru} Сверьте с бумажным чеком; \`fiscald accept-differences ${register}\` убирает это из списка.`,
    };
  }
  return {
    en: `${said.en} Receipts with that value wait on this register. Correct the wrong receipt and the register's settings, then say so: \`fiscald differences-mended ${register}\`. Or accept what it does: \`fiscald accept-differences ${register}\`.`,
    ru: `${said.ru} Чеки с этим значением на этой кассе ждут. Исправьте неверный чек и настройки кассы и сообщите об этом: \`fiscald differences-mended ${register}\`. Или примите, что касса так делает: \`fiscald accept-differences ${register}\`.`,
  };
}

/** In the words of the paper. */
function shownValue(tag: number, value: string): FaultText {
  const rate = Number(value);
  const shown = tag === 1199 && isVatCode(rate) ? vatRates[rate].title : value;
  return { en: shown, ru: wordsOfSums.get(value) ?? shown };
}

const wordsOfSums: ReadonlyMap<string, string> = new Map([
  [sumWords.paid, "переданной оплаты"],
  [sumWords.sum, "переданной суммы"],
  [sumWords.rounded, "другое округление"],
  [sumWords.other, "другая сумма"],
]);

/** One for each setting that is wrong; clock, drive and OFD have warnings of their own. */
export function settingWarnings(register: string, rows: readonly SetRow[]): readonly EarlyWarning[] {
  return rows
    .filter(({ check, level }) => check === "settings" && (level === "look" || level === "wrong"))
    .map(({ place, value, effect }) => ({
      key: `${register} setting ${place.en}`,
      kind: "setting-wrong",
      text: {
        en: `${place.en}: ${value.en}. ${effect?.en ?? ""}`.trim(),
        ru: `${place.ru}: ${value.ru}. ${effect?.ru ?? ""}`.trim(),
      },
      fields: { register, place: place.en, value: value.en },
    }));
}

const notComparedText: FaultText = {
  en: "Receipts of this register are not compared with what was sent: their documents cannot be read. Check the first receipts on paper, their VAT rates above all.",
  ru: "Чеки этой кассы не сверены с переданными: её документы не читаются. Проверьте первые чеки по бумаге, прежде всего ставки НДС.",
};
