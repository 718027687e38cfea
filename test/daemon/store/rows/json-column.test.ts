import { cachedJson, cachedJsonColumn } from "@fiscald/daemon/store/rows/json-column.js";
import { z } from "zod";

function column() {
  const read: string[] = [];
  const schema = z.object({
    name: z.string().transform((name) => {
      read.push(name);
      return name;
    }),
  });
  return { read, row: z.object({ body: cachedJsonColumn(schema) }) };
}
const textOf = (name: string) => JSON.stringify({ name });

describe("a cached JSON column", () => {
  test("is parsed once while its text does not change", () => {
    const { read, row } = column();
    const first = row.parse({ body: textOf("tea") });
    expect(first).toEqual({ body: { name: "tea" } });
    expect(row.parse({ body: textOf("tea") }).body).toBe(first.body);
    expect(row.parse({ body: textOf("cake") })).toEqual({ body: { name: "cake" } });
    expect(read).toEqual(["tea", "cake"]);
  });

  test("evicts the oldest value", () => {
    const { read, row } = column();
    const names = Array.from({ length: 33 }, (_, number) => `name ${number}`);
    for (const name of [...names, "name 32", "name 0"]) row.parse({ body: textOf(name) });
    expect(read).toEqual([...names, "name 0"]);
  });

  test("does not parse a text that it has written", () => {
    const { column: written, write } = cachedJson(z.object({ name: z.string() }));
    const tea = { name: "tea" };
    expect(written.parse(write(tea))).toBe(tea);
    expect(write(tea)).toBe(textOf("tea"));
  });

  test("reports invalid JSON and a wrong shape with the path, each time", () => {
    const { row } = column();
    for (const _ of [1, 2]) {
      expect(row.safeParse({ body: "{" }).error?.issues).toMatchObject([{ path: ["body"], message: "not JSON" }]);
      expect(row.safeParse({ body: '{"name":1}' }).error?.issues).toMatchObject([{ path: ["body", "name"] }]);
    }
  });
});
