/** A part of the catalogue in another language: the keys of the English part, and a function for each function. */
export type Translated<Part> = {
  readonly [Key in keyof Part]: Part[Key] extends string
    ? string
    : Part[Key] extends (...given: infer Given) => string
      ? (...given: Given) => string
      : Translated<Part[Key]>;
};
