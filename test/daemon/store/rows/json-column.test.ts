import { cachedJson } from "@fiscald/daemon/store/rows/json-column.js";
import { z } from "zod";

function column() {
  const read: string[] = [];
  const schema = z.object({
    name: z.string().transform((name) => {
      read.push(name);
      return name;
    }),
  });
  return { read, column: cachedJson(schema) };
}
const textOf = (name: string) => JSON.stringify({ name });

describe("a cached JSON column", () => {
  test("a cached JSON column parses a text once while the text does not change", () => {
    const { read, column: body } = column();
    const first = body.read(textOf("tea"));
    expect(first).toEqual({ name: "tea" });
    expect(body.read(textOf("tea"))).toBe(first);
    expect(body.read(textOf("cake"))).toEqual({ name: "cake" });
    expect(read).toEqual(["tea", "cake"]);
  });

  test("a cached JSON column drops its oldest value when a 33rd text is read", () => {
    const { read, column: body } = column();
    const names = Array.from({ length: 33 }, (_, number) => `name ${number}`);
    for (const name of [...names, "name 32", "name 0"]) body.read(textOf(name));
    expect(read).toEqual([...names, "name 0"]);
  });

  test("a cached JSON column does not parse a text that it has written itself", () => {
    const { column: body } = column();
    const tea = { name: "tea" };
    expect(body.read(body.write(tea))).toBe(tea);
    expect(body.write(tea)).toBe(textOf("tea"));
  });

  test("a cached JSON column throws for invalid JSON and for a wrong shape at each read", () => {
    const { column: body } = column();
    for (const _ of [1, 2]) {
      expect(() => body.read("{")).toThrow("not JSON");
      expect(() => body.read('{"name":1}')).toThrow("name");
    }
  });
});
