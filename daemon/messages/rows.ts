import { formatRoubles, type Kopecks } from "@fiscald/shared/amounts.js";
import type { FaultText } from "@fiscald/shared/fault-codes/fault-row.js";

/**
 * A row of the catalogue is `[English, Russian]`. `{name}` in both texts stands for a parameter, and makes the row a
 * function of its parameters. `both` makes a row whose form depends on the parameters.
 */
type NamesIn<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;

type Spoken<Text> = [NamesIn<Text>] extends [never]
  ? string
  : (given: Readonly<Record<NamesIn<Text>, string | number>>) => string;

type Plain<Row> = Row extends string ? Spoken<Row> : Row extends readonly string[] ? readonly string[] : Row;

export type Translated<Part> = Part extends readonly [infer English, unknown]
  ? Plain<English>
  : { readonly [Key in keyof Part]: Translated<Part[Key]> };

/** Both languages must have the same parameters. */
type Agreeing<Part> = Part extends readonly [infer English, infer Russian]
  ? NamesIn<Russian> extends NamesIn<English>
    ? Part
    : readonly [English, `${string}{${NamesIn<English>}}${string}`]
  : { readonly [Key in keyof Part]: Agreeing<Part[Key]> };

export function rows<const Part extends object>(part: Part & Agreeing<Part>): Part {
  return part;
}

export function both<Given>(english: (given: Given) => string, russian: (given: Given) => string) {
  return [english, russian] as const;
}

export function translated<Part extends object>(part: Part, language: "en" | "ru"): Translated<Part>;
export function translated(part: unknown, language: "en" | "ru"): unknown {
  if (Array.isArray(part)) return spoken(part[language === "en" ? 0 : 1], language);
  const entries = Object.entries(part ?? {});
  return Object.fromEntries(entries.map(([key, inner]) => [key, translated(inner, language)]));
}

/** A row as a function that gives both languages at once. A parameter may have a text for each language. */
type InBoth<Row> = Row extends readonly [infer English, unknown]
  ? English extends (given: infer Given) => string
    ? (given: Given) => FaultText
    : [NamesIn<English>] extends [never]
      ? FaultText
      : (given: Readonly<Record<NamesIn<English>, string | number | FaultText>>) => FaultText
  : never;

export function reasons<const Part extends object>(
  part: Part & Agreeing<Part>,
): { readonly [Key in keyof Part]: InBoth<Part[Key]> };
export function reasons(part: object): object {
  const inBoth = Object.entries(part).map(([key, [english, russian]]) => {
    const [en, ru] = [spoken(english, "en"), spoken(russian, "ru")];
    if (typeof en !== "function" || typeof ru !== "function") return [key, { en, ru }];
    return [key, (given: unknown) => ({ en: en(given), ru: ru(given) })];
  });
  return Object.fromEntries(inBoth);
}

function spoken(text: unknown, language: "en" | "ru"): unknown {
  if (typeof text !== "string" || !/\{\w+\}/.test(text)) return text;
  return (given: Readonly<Record<string, string | number | FaultText>>) =>
    text.replace(/\{(\w+)\}/g, (_, name) => {
      const value = given[name];
      return String(typeof value === "object" ? value[language] : value);
    });
}

/** The form of a Russian noun after a number: 1 день, 2 дня, 5 дней. */
export function plural(count: number, one: string, few: string, many: string): string {
  const form = new Intl.PluralRules("ru").select(count);
  return form === "one" ? one : form === "few" ? few : many;
}

/** `1520.00` becomes `1 520,00 ₽`. */
export function sumInRussian(roubles: string | number): string {
  return `${String(roubles)
    .replace(".", ",")
    .replace(/\B(?=(\d{3})+(?=,))/g, "\u00A0")}\u00A0₽`;
}

/** `1520.00`, and in Russian `1 520,00 ₽`. */
export function inRoubles(sum: Kopecks): FaultText {
  return { en: formatRoubles(sum), ru: sumInRussian(formatRoubles(sum)) };
}

/** `what` has kinds of jobs, such as `x-report`, joined with commas. */
export function jobKind(what: string, words: { readonly jobKinds: Readonly<Record<string, string>> }): string {
  return what.replaceAll(/[^, ]+/g, (kind) => words.jobKinds[kind] ?? kind);
}
