import { readdirSync, readFileSync } from "node:fs";
import { driverNames } from "@fiscald/drivers/registry.js";
import { makerRows } from "../tools/campaign/processes/makers.js";
import { skips } from "./skips.js";

test("each driver runs under the driver contract and in the fault campaign", () => {
  const folder = new URL("contract/", import.meta.url);
  const suites = readdirSync(folder).filter((name) => name.endsWith(".test.js"));
  const source = suites.map((name) => readFileSync(new URL(name, folder), "utf8")).join("\n");
  const described = [...source.matchAll(/describeDriver\("([^"]+)"/g)].map(([, name = ""]) => name);
  const deviceOfDocument = (name: string) => name.split(" ")[0];
  expect(new Set(described.map(deviceOfDocument))).toEqual(new Set(driverNames));
  expect(new Set(makerRows.map(({ maker }) => maker))).toEqual(new Set(driverNames));
});

/** Each maker has a subject in both formats of documents: a feature that one format lacks is tested in the other. */
test.each(["shtrih", "pirit", "atol"])(
  "every feature that one document format of %s lacks is tested in the other format",
  (maker) => {
    const subjects = Object.entries(skips).filter(([name]) => name.split(" ")[0] === maker);
    for (const feature of ["marking", "goodsCode"] as const) {
      const able = subjects.filter(([, lacks]) => !lacks.some((lack) => lack.feature === feature));
      expect({ feature, able: able.length > 0 }).toEqual({ feature, able: true });
    }
  },
);
