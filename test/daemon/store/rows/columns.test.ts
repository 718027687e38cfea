import { columnsOf } from "@fiscald/daemon/store/rows/columns.js";

const columns = columnsOf({ count: 3, half: 0.5, big: 2 ** 53, yes: 1, no: 0, name: "tea", none: null });

describe("the columns of a row", () => {
  test("are read by their names", () => {
    expect(columns.int("count")).toBe(3);
    expect(columns.text("name")).toBe("tea");
    expect([columns.flag("yes"), columns.flag("no")]).toEqual([true, false]);
    expect(columns.oneOf("name", ["cake", "tea"])).toBe("tea");
  });

  test("may be empty only where that is said", () => {
    expect(columns.orNull("none", columns.text)).toBeNull();
    expect(columns.orNull("name", columns.text)).toBe("tea");
    for (const read of [columns.text, columns.int, columns.flag]) expect(() => read("none")).toThrow(/column none/);
    expect(() => columns.oneOf("none", ["tea"])).toThrow(/column none/);
  });

  test("that hold what no version of ours wrote are told by their names", () => {
    expect(() => columns.int("name")).toThrow("the column name holds no whole number");
    expect(() => columns.int("half")).toThrow("the column half holds no whole number");
    expect(() => columns.int("big")).toThrow("the column big holds no whole number");
    expect(() => columns.text("count")).toThrow("the column count holds no text");
    expect(() => columns.flag("count")).toThrow("the column count holds no 0 or 1");
    expect(() => columns.oneOf("name", ["cake", "pie"])).toThrow("the column name holds no one of cake, pie");
    expect(() => columns.orNull("missing", columns.text)).toThrow("the column missing holds no text");
    expect(() => columnsOf(undefined)).toThrow("no row");
  });
});
