import type { Feature } from "./contract/features.js";

/** Why a test of the contract is not there for a driver: what its register cannot do, and where that is written. */
export interface Skip {
  readonly feature: Feature;
  /** Document and section. */
  readonly reference: string;
  readonly reason: string;
}

const noCutter = skip("cut", "protocols/shtrih-m.md 6.4, bit 13", "this model has no cutter");

const pirit: readonly Skip[] = [
  skip("roundedMarks", "protocols/pirit.md 6, command 42", "sum = qty*price: there is no field for another one"),
  skip("style bold", "protocols/pirit.md 6, commands 40 and 49", "attributes are font, double height and double width"),
  skip(
    "style italic",
    "protocols/pirit.md 6, commands 40 and 49",
    "attributes are font, double height and double width",
  ),
  skip(
    "style underline",
    "protocols/pirit.md 6, commands 40 and 49",
    "attributes are font, double height and double width",
  ),
  skip(
    "style overline",
    "protocols/pirit.md 6, commands 40 and 49",
    "attributes are font, double height and double width",
  ),
  skip(
    "style negative",
    "protocols/pirit.md 6, commands 40 and 49",
    "attributes are font, double height and double width",
  ),
  skip(
    "style rotation",
    "protocols/pirit.md 6, commands 40 and 49",
    "attributes are font, double height and double width",
  ),
  skip("report sections", "protocols/pirit.md 6", "20 and 21 are the only reports of a shift"),
  skip("report cashiers", "protocols/pirit.md 6", "20 and 21 are the only reports of a shift"),
  skip("report hours", "protocols/pirit.md 6", "20 and 21 are the only reports of a shift"),
  skip("image", "protocols/pirit.md 2", "the format of the binary part of 15, 17, 18 and 55 is in no source"),
  skip("header", "protocols/pirit.md 5, command 34", "printed by the register itself, before each document"),
  skip("footer", "protocols/pirit.md 8, item 31", "printed by the register itself, behind each document"),
  skip("copies", "protocols/pirit.md 6, command 53", "a copy is built up again from what the caller says"),
];

const atol: readonly Skip[] = [
  skip("receipt in steps", "protocols/atol.md 1", "one POST carries a whole receipt: nothing stands open halfway"),
  skip("style bold", "protocols/atol.md 2, Others", "a text has width, height and font only"),
  skip("style italic", "protocols/atol.md 2, Others", "a text has width, height and font only"),
  skip("style underline", "protocols/atol.md 2, Others", "a text has width, height and font only"),
  skip("style overline", "protocols/atol.md 2, Others", "a text has width, height and font only"),
  skip("style negative", "protocols/atol.md 2, Others", "a text has width, height and font only"),
  skip("style rotation", "protocols/atol.md 2, Others", "a text has width, height and font only"),
  skip("report cashiers", "protocols/atol.md 2, Task types", "no such task"),
  skip("report hours", "protocols/atol.md 2, Task types", "no such task"),
  skip("image", "protocols/atol.md 2, Others", "the layout of `pixels` is not told; option `pictures`"),
  skip("cut", "protocols/atol.md 2, Task types", "no such task: the register cuts by itself"),
  skip("header", "protocols/atol.md 2, Task types", "no such task: the register prints it by itself"),
];

/** No lack of a maker's: the format of the fiscal documents has no place for it. */
const marking = "domain.md 9: a marking code (tag 1163) is checked and carried in FFD 1.2 alone";
const in105: readonly Skip[] = [
  skip("marking", marking, "this subject is registered for 1.05"),
  skip("roundedMarks", marking, "this subject is registered for 1.05"),
];
const in12: readonly Skip[] = [
  skip("goodsCode", "domain.md 9: tag 1162 gives way to 1163 in FFD 1.2", "this subject is registered for 1.2"),
];

/** The maker's own lacks and those of the format that the subject is registered for. */
function joined(maker: readonly Skip[], format: readonly Skip[]): readonly Skip[] {
  const own = new Set(maker.map(({ feature }) => feature));
  return [...maker, ...format.filter(({ feature }) => !own.has(feature))];
}

/**
 * Reviewed by hand: the contract compares this with what the driver says of itself, in both directions. A capability that
 * appears or disappears without a row here turns the suite red.
 */
export const skips: Readonly<Record<string, readonly Skip[]>> = {
  "atol v1": joined(atol, in105),
  "atol v2": joined(atol, in105),
  "atol v2 1.2": joined(atol, in12),
  "atol v2 with pictures": joined(
    atol.filter(({ feature }) => feature !== "image" && !feature.startsWith("style ")),
    in105,
  ),
  reference: [],
  pirit: joined(pirit, in105),
  "pirit 1.2": joined(pirit, in12),
  "shtrih v1": in105,
  "shtrih v1 1.2": in12,
  "shtrih v2": [noCutter, ...in105],
  "shtrih v2 1.2": [noCutter, ...in12],
};

function skip(feature: Feature, reference: string, reason: string): Skip {
  return { feature, reference, reason };
}
