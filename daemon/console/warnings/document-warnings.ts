/**
 * Warnings about registered receipts that differ from what was sent, and about settings that would change a receipt.
 */
import { isSum } from "@fiscald/drivers/compare-tags.js";
import type { FaultText } from "@fiscald/shared/fault-codes.js";
import { shownValue } from "@fiscald/shared/receipt/shown-value.js";
import { describeDifference } from "../../registers/describe-difference.js";
import type { CheckStore, FoundDifference } from "../../store/document-checks.js";
import type { SetRow } from "./state-rows.js";
import type { EarlyWarning } from "./warning-texts.js";

export interface StoredChecks {
  readonly differences: readonly FoundDifference[];
  readonly notCompared: ReturnType<CheckStore["notCompared"]>;
}

export function readChecks(checks: Pick<CheckStore, "open" | "notCompared">): StoredChecks {
  return { differences: checks.open(), notCompared: checks.notCompared() };
}

/** One warning for each difference, with the first document that has it, and for each register without comparison. */
export function documentWarnings({ differences, notCompared }: StoredChecks): readonly EarlyWarning[] {
  const registers = [...new Set(notCompared.map(({ register }) => register))];
  return [
    ...differences.map(differenceWarning),
    ...registers.map((register): EarlyWarning => {
      const values = notCompared.filter((other) => other.register === register).map(({ value }) => value);
      const fields = { register, values: values.join(", ") };
      return { key: `${register} not compared`, kind: "receipt-not-compared", text: notComparedText, fields };
    }),
  ];
}

function differenceWarning(difference: FoundDifference): EarlyWarning {
  const { register, tag, sent, read, weight, job, fd, at } = difference;
  return {
    key: `${register} differs ${tag} ${JSON.stringify([sent, read])}`,
    kind: weight === "hold" ? "receipt-altered" : "receipt-differs",
    text: differenceText(difference),
    fields: { register, job, fd, tag, sent: shownValue(tag, sent), read: read === null ? null : shownValue(tag, read) },
    since: at,
  };
}

function differenceText(difference: FoundDifference): FaultText {
  const { register, tag, weight } = difference;
  const said = describeDifference(difference, difference.fd);
  if (weight === "warn") {
    return {
      en: `${said.en} Check it on paper; \`fiscald accept-differences ${register}\` takes it off the list.`,
      ru: `${said.ru} Сверьте с бумажным чеком; \`fiscald accept-differences ${register}\` убирает это из списка.`,
    };
  }
  const waiting = isSum(tag)
    ? { en: "All receipts wait", ru: "Все чеки на этой кассе ждут" }
    : { en: "Receipts with that value wait", ru: "Чеки с этим значением на этой кассе ждут" };
  return {
    en: `${said.en} ${waiting.en} on this register. Correct the wrong receipt and the register's settings, then say so: \`fiscald differences-mended ${register}\`. Or accept what it does: \`fiscald accept-differences ${register} ${tag}\`.`,
    ru: `${said.ru} ${waiting.ru}. Исправьте неверный чек и настройки кассы и сообщите об этом: \`fiscald differences-mended ${register}\`. Или примите, что касса так делает: \`fiscald accept-differences ${register} ${tag}\`.`,
  };
}

/** One warning for each wrong setting; clock, drive and OFD (fiscal data operator) have warnings of their own. */
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
