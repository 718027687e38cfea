/** The Russian is written here, because zod's own Russian speaks of "string". The English is zod's. */
import type { FaultText } from "@fiscald/shared/fault-codes/fault-row.js";
import { formatText } from "@fiscald/shared/format-texts.js";
import type { z } from "zod";

const WRONG = "не то значение";

const kinds: Readonly<Record<string, string>> = {
  string: "текст",
  number: "число",
  int: "целое число",
  boolean: "true или false",
  array: "список",
  object: "объект",
  record: "объект",
  null: "null",
};

export function issueReason(issue: z.core.$ZodIssue): FaultText {
  const said = formatText(issue.message);
  if (said !== null) return said;
  const en = issue.message.charAt(0).toLowerCase() + issue.message.slice(1);
  switch (issue.code) {
    case "custom":
      return { en, ru: typeof issue.params?.ru === "string" ? issue.params.ru : WRONG };
    case "invalid_type": {
      const kind = kinds[issue.expected] ?? issue.expected;
      const isMissing = issue.input === undefined && /received undefined/.test(en);
      if (isMissing) return { en: `is missing (${issue.expected})`, ru: `не задано (${kind})` };
      return { en, ru: `${WRONG}: нужно ${kind}` };
    }
    case "too_small":
      return {
        en,
        ru: sizeReason(issue.origin, `${issue.inclusive === false ? "больше" : "не меньше"} ${issue.minimum}`),
      };
    case "too_big":
      return {
        en,
        ru: sizeReason(issue.origin, `${issue.inclusive === false ? "меньше" : "не больше"} ${issue.maximum}`),
      };
    case "invalid_value":
      return { en, ru: `${WRONG}: нужно одно из ${issue.values.map(String).join(", ")}` };
    case "invalid_union": {
      const { options = [] } = "options" in issue ? issue : {};
      return { en, ru: options.length === 0 ? WRONG : `${WRONG}: нужно одно из ${options.map(String).join(", ")}` };
    }
    case "not_multiple_of":
      return { en, ru: `${WRONG}: нужно кратное ${issue.divisor}` };
    case "invalid_format":
      return { en, ru: "записано не так, как нужно" };
    default:
      return { en, ru: WRONG };
  }
}

function sizeReason(origin: string, limit: string): string {
  if (origin === "string") return `знаков должно быть ${limit}`;
  return origin === "array" ? `элементов должно быть ${limit}` : `нужно ${limit}`;
}
