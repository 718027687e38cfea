import { readdirSync, readFileSync } from "node:fs";
import { readOrder } from "@fiscald/shared/receipt/formats/read-order.js";
import { z } from "zod";

const folder = new URL("../../../exchange/fixtures/orders/", import.meta.url);
const fixture = z.object({
  title: z.string(),
  format: z.enum(["auto", "task-table", "online"]),
  order: z.unknown(),
  expected: z.unknown(),
});
const golden = readdirSync(folder).map((file) => ({
  file,
  ...fixture.parse(JSON.parse(readFileSync(new URL(file, folder), "utf8"))),
}));

describe("golden orders", () => {
  test("there are at least 22 golden orders", () => {
    expect(golden.length).toBeGreaterThanOrEqual(22);
  });

  test.each(golden)("the golden order $file is read as expected: $title", ({ order, format, expected }) => {
    const answer = readOrder(JSON.stringify(order), { format });
    const {
      taxPlaces: _,
      oversights: __,
      ...read
    } = answer.kind === "receipt" ? answer : { ...answer, taxPlaces: [], oversights: [] };
    expect(read).toEqual({ kind: "receipt", receipt: expected, warnings: [] });
  });

  test.each(golden)("the golden order $file is recognised without a name of its format", ({ order, expected }) => {
    expect(readOrder(JSON.stringify(order), { format: "auto" })).toMatchObject({ kind: "receipt", receipt: expected });
  });
});
