import { skips } from "./skips.js";

/** Each maker has a subject in both formats of the fiscal documents: what one of them has no place for, the other shows. */
test.each(["shtrih", "pirit", "atol"])(
  "every feature that a format takes from %s is shown by a subject in the other",
  (maker) => {
    const subjects = Object.entries(skips).filter(([name]) => name.split(" ")[0] === maker);
    for (const feature of ["marking", "measuredMarks", "goodsCode"] as const) {
      const able = subjects.filter(([, lacks]) => !lacks.some((lack) => lack.feature === feature));
      expect({ feature, able: able.length > 0 }).toEqual({ feature, able: true });
    }
  },
);
