/** Values of tag 2108 (measure) by the usual Russian names of units, in lower case and without a trailing dot. */
const measures: ReadonlyMap<string, number> = new Map([
  ...named(0, "шт", "штука", "штук", "ед", "единица", "pc", "pcs"),
  ...named(10, "г", "гр", "грамм", "g"),
  ...named(11, "кг", "килограмм", "kg"),
  ...named(12, "т", "тонна", "t"),
  ...named(20, "см", "cm"),
  ...named(21, "дм", "dm"),
  ...named(22, "м", "метр", "m"),
  ...named(30, "см2", "см²", "кв.см", "кв. см"),
  ...named(31, "дм2", "дм²", "кв.дм", "кв. дм"),
  ...named(32, "м2", "м²", "кв.м", "кв. м"),
  ...named(40, "мл", "ml"),
  ...named(41, "л", "литр", "l"),
  ...named(42, "м3", "м³", "куб.м", "куб. м"),
  ...named(50, "квт*ч", "квт·ч", "квтч", "квт-ч"),
  ...named(51, "гкал"),
  ...named(70, "сут", "сутки", "день", "дн"),
  ...named(71, "ч", "час"),
  ...named(72, "мин", "минута"),
  ...named(73, "с", "сек", "секунда"),
  ...named(80, "кбайт", "кб"),
  ...named(81, "мбайт", "мб"),
  ...named(82, "гбайт", "гб"),
  ...named(83, "тбайт", "тб"),
]);

export const measureWords: Readonly<Record<string, number>> = Object.fromEntries(measures);

const OTHER = 255;

/** A missing unit means pieces, an unknown one "other". */
export function measureOf(unit: string | null): number {
  const word = (unit ?? "").trim().toLowerCase().replace(/\.$/, "");
  return word === "" ? 0 : (measures.get(word) ?? OTHER);
}

/** Tag 1197 (unit); null for pieces and for "other", which have no text. */
export function unitOf(measure: number): string | null {
  if (measure === 0) return null;
  return [...measures].find(([, code]) => code === measure)?.[0] ?? null;
}

function named(measure: number, ...words: readonly string[]): readonly (readonly [string, number])[] {
  return words.map((word) => [word, measure] as const);
}
