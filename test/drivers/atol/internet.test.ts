import { sale } from "../contract/receipts.js";
import { inService } from "./service-world.js";

const order = sale({ contact: "a@b.ru", internet: { url: "https://shop.example" } });

test.each([
  ["parameter", []],
  ["ignored", [{ code: "receipt.unsupported", message: expect.stringMatching(/1125.*internetByParameter/) }]],
])(
  "an internet receipt is printed, with a warning unless its document has tag 1125, when the service treats it as: %s",
  (internet, warnings) =>
    inService({ unconfirmed: { internet } }, async (world) => {
      expect(await world.print(order)).toMatchObject({ kind: "printed", warnings });
      expect(world.receipts).toHaveLength(1);
      expect(world.lastReceipt.tags.some(({ tag }) => tag === 1125)).toBe(internet === "parameter");
    }),
);

test("an internet receipt on a register that is not registered for internet sales prints with a warning (tag 1108)", () =>
  inService({}, async (world) => {
    world.alter("getRegistrationInfo", (text) => text.replace('"internet":true', '"internet":false'));
    await world.connect();
    expect(await world.print(order)).toMatchObject({
      kind: "printed",
      warnings: [{ message: expect.stringContaining("1108") }],
    });
  }));
