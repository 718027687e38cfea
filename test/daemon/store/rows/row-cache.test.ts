import { decodeSteadily } from "@fiscald/daemon/store/rows/row-cache.js";
import { z } from "zod";

function table() {
  const decoded: unknown[] = [];
  const schema = z.object({ id: z.int(), name: z.string().nullable() });
  const decode = decodeSteadily((row) => {
    const value = schema.parse(row);
    decoded.push(value);
    return value;
  });
  return { decode, decoded };
}

describe("rows that are read again and again", () => {
  test("one that is as it was is decoded once", () => {
    const { decode, decoded } = table();
    const first = decode({ id: 1, name: "tea" });
    expect(decode({ id: 2, name: "tea" })).toEqual({ id: 2, name: "tea" });
    expect(decode({ id: 1, name: "tea" })).toBe(first);
    expect(decoded).toHaveLength(2);
  });

  test.each<readonly [string, object, object]>([
    ["another value", { id: 1, name: "tea" }, { id: 1, name: "cake" }],
    ["a value for none", { id: 1, name: null }, { id: 1, name: "tea" }],
    ["none for a value", { id: 1, name: "tea" }, { id: 1, name: null }],
  ])("%s in a column is seen, and seen again when it is as before", (_, before, after) => {
    const { decode } = table();
    for (const row of [before, after, before]) expect(decode(row)).toEqual(row);
  });

  test("a column too few or too many is no row of the same shape", () => {
    const { decode } = table();
    decode({ id: 1, name: "tea" });
    expect(() => decode({ id: 1 })).toThrow();
    decode({ id: 1, name: "tea", more: 1 });
    decode({ id: 1, name: "tea" });
  });

  test("what was read longest ago is forgotten", () => {
    const { decode, decoded } = table();
    for (let id = 0; id <= 32; id += 1) decode({ id, name: null });
    decode({ id: 32, name: null });
    expect(decoded).toHaveLength(33);
    decode({ id: 0, name: null });
    expect(decoded).toHaveLength(34);
  });
});
