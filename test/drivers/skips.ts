import type { Feature } from "./contract/features.js";

/** Why a test of the contract is not there for a driver: what its register cannot do, and where that is written. */
export interface Skip {
  readonly feature: Feature;
  /** Document and section. */
  readonly reference: string;
  readonly reason: string;
}

const shtrih: readonly Skip[] = [
  skip("marking", "protocols/shtrih-m.md 8.10", "needs FFD 1.2; this register is registered for 1.05"),
  skip("zeroTotal", "protocols/shtrih-m.md 10, error 8Eh", "refused by part of the firmware, so never sent"),
];

const pirit: readonly Skip[] = [
  skip(
    "internet",
    "protocols/pirit.md 6, command 31",
    "no confirmed way to tag 1125; the option internetFlag opens one",
  ),
  skip("zeroTotal", "protocols/pirit.md 10, reason 26", "refused by the register, so never sent"),
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
];

const atol: readonly Skip[] = [
  skip("receipt in steps", "protocols/atol.md 1", "one POST carries a whole receipt: nothing stands open halfway"),
  skip("internet", "protocols/atol.md 2", "tag 1125 has no confirmed name; option `internetByParameter`"),
  skip("marking", "protocols/atol.md 2, Marking", "needs FFD 1.2; this register is registered for 1.05"),
  skip("zeroTotal", "protocols/atol.md 3, error 205", "no source says that a receipt over nothing is taken"),
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

/**
 * Reviewed by hand: the contract compares this with what the driver says of itself, in both directions. A capability that
 * appears or disappears without a row here turns the suite red.
 */
export const skips: Readonly<Record<string, readonly Skip[]>> = {
  "atol v1": atol,
  "atol v2": atol,
  "atol v2 with pictures": atol.filter(({ feature }) => feature !== "image" && !feature.startsWith("style ")),
  reference: [
    skip("zeroTotal", "drivers/reference/README.md, refusals", "the register refuses a receipt over nothing"),
  ],
  pirit: [...pirit, skip("marking", "protocols/pirit.md 9", "needs FFD 1.2; this register is registered for 1.05")],
  "pirit 1.2": [...pirit, skip("goodsCode", "protocols/pirit.md 6, command 24", "FFD 1.2 has no tag 1162")],
  "shtrih v1": shtrih,
  "shtrih v2": [...shtrih, skip("cut", "protocols/shtrih-m.md 6.4, bit 13", "this model has no cutter")],
};

function skip(feature: Feature, reference: string, reason: string): Skip {
  return { feature, reference, reason };
}
