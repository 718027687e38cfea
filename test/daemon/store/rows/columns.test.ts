import { columnsOf } from "@fiscald/daemon/store/rows/columns.js";

const columns = columnsOf({ count: 3, half: 0.5, big: 2 ** 53, yes: 1, no: 0, name: "tea", none: null });

describe("columnsOf", () => {
  test("columnsOf reads the columns of a row by name and type", () => {
    expect(columns.int("count")).toBe(3);
    expect(columns.text("name")).toBe("tea");
    expect([columns.flag("yes"), columns.flag("no")]).toEqual([true, false]);
    expect(columns.oneOf("name", ["cake", "tea"])).toBe("tea");
  });

  test("columnsOf throws for NULL unless the column is read with orNull", () => {
    expect(columns.orNull("none", columns.text)).toBeNull();
    expect(columns.orNull("name", columns.text)).toBe("tea");
    for (const read of [columns.text, columns.int, columns.flag]) expect(() => read("none")).toThrow(/column none/);
    expect(() => columns.oneOf("none", ["tea"])).toThrow(/column none/);
  });

  test("columnsOf throws with the column's name for a value of another type", () => {
    expect(() => columns.int("name")).toThrow("the column name is not a whole number");
    expect(() => columns.int("half")).toThrow("the column half is not a whole number");
    expect(() => columns.int("big")).toThrow("the column big is not a whole number");
    expect(() => columns.text("count")).toThrow("the column count is not text");
    expect(() => columns.flag("count")).toThrow("the column count is not 0 or 1");
    expect(() => columns.oneOf("name", ["cake", "pie"])).toThrow("the column name is not one of cake, pie");
    expect(() => columns.orNull("missing", columns.text)).toThrow("the column missing is not text");
    expect(() => columnsOf(undefined)).toThrow("not a row");
  });
});
