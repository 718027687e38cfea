import { unknownModelParameters } from "@fiscald/drivers/shtrih/protocol/model-parameters.js";
import { printSwitchFieldOf } from "@fiscald/drivers/shtrih/protocol/models.js";

// FFD105Documents of the maker's sample (tinyJavaPosTester): desktop and NANO, cash core, Mobile-F from build 20041.
test.each([
  ["a desktop", 22, false, 54_219, { table: 17, row: 1, field: 7 }],
  ["a model that calls itself a cash core", 22, true, 54_219, { table: 1, row: 1, field: 48 }],
  ["a SmartPOS without F7", 45, false, 54_219, { table: 1, row: 1, field: 48 }],
  ["a Mobile-F", 19, false, 20_041, { table: 1, row: 1, field: 43 }],
  ["an older Mobile-F", 19, false, 20_040, null],
])("the table field that keeps a receipt off the paper is known for %s", (_, model, isCashCore, build, field) => {
  const parameters = { ...unknownModelParameters, has: () => isCashCore };
  expect(printSwitchFieldOf({ model, name: "" }, parameters, build)).toEqual(field);
});
