import { toHex } from "../../vectors/hex.js";
import { dataOf, v1Frames } from "../../vectors/shtrih-frames.js";
import { ADMIN, itemCommand, le, makeShtrih, OP, SYS, sell } from "./make-shtrih.js";

describe("identity and status of the emulated Shtrih-M", () => {
  test("the emulated desktop Shtrih-M calls itself as in the literal frames", () => {
    const { ask } = makeShtrih();
    expect(ask("FC")).toBe(toHex(dataOf(v1Frames.deviceTypeAnswer)));
    expect(ask("F7 01")).toBe(toHex(dataOf(v1Frames.modelAnswer)));
  });

  test("the emulated cash-core Shtrih-M shows mode 8 and submode 5 while a closed receipt prints", async () => {
    const shtrih = makeShtrih({ model: "smartpos", msPerRow: 20 });
    shtrih.ask(`E0 ${OP}`);
    await shtrih.clock.advance(10_000);
    sell(shtrih, 100);
    expect(shtrih.ask(`10 ${SYS}`).slice(0, 41)).toBe("10 00 1E 90 00 08 05 00 33 48 00 00 00 FF".slice(0, 41));
    expect(shtrih.ask(`10 ${SYS}`)).toMatch(/ 05$/);
    await shtrih.clock.advance(10_000);
    expect(shtrih.ask(`10 ${SYS}`)).toMatch(/^10 00 1E 90 00 02 00/);
  });

  test("the long status of the emulated Shtrih-M has the layout of the literal one", () => {
    const shtrih = makeShtrih();
    const { ask } = shtrih;
    sell(shtrih, 100);
    ask(`41 ${ADMIN}`);
    const answer = ask(`11 ${SYS}`).split(" ");
    expect(answer).toHaveLength(dataOf(v1Frames.longStatusAnswer).length);
    // The answer has firmware C.1, mode 4, last closed shift 1 and INN 7700000000.
    expect(answer.slice(3, 5)).toEqual(["43", "31"]);
    expect(answer.slice(15, 17)).toEqual(["04", "00"]);
    // The answer has 20.11.2026 15:00:00 by the clocks of Moscow.
    expect(answer.slice(25, 31).join(" ")).toBe("14 0B 1A 0F 00 00");
    expect(answer.slice(36, 38)).toEqual(["01", "00"]);
    expect(answer.slice(42, 48).join("")).toBe(le(7_700_000_000, 6).toUpperCase());
  });

  test("the emulated Shtrih-M reports its fonts and refuses a font that it lacks", () => {
    const { ask } = makeShtrih({ model: "smartpos" });
    expect(ask(`26 ${SYS} 01`)).toBe("26 00 80 01 0C 19 06");
    expect(ask(`26 ${SYS} 07`)).toBe("26 33");
  });

  test("the emulated Shtrih-M refuses an unknown command, one that is too short, and a wrong password", () => {
    const { ask } = makeShtrih();
    expect(ask("FF 67 01")).toBe("FF 67 7E");
    expect(ask("99")).toBe("99 37");
    expect(ask("FF 99")).toBe("FF 99 37");
    expect(ask("FE F3 00 00 00 00")).toBe("FE 37");
    expect(ask("10 01 00 00")).toBe("10 7E");
    expect(ask("10 63 00 00 00")).toBe("10 4F");
    expect(makeShtrih({ unconfirmed: { "unknown-ff-answer": "2" } }).ask("FF 99")).toBe("FF 37");
  });

  test.each([
    ["1F", `1F ${OP} 01 0100 07`],
    ["41", `41 ${OP}`],
    ["FF 02", `FF02 ${ADMIN}`],
  ])("the emulated Shtrih-M refuses the command %s with a password of too few rights", (code, command) => {
    const { ask } = makeShtrih();
    ask(`E0 ${OP}`);
    expect(ask(command)).toBe(`${code} 4F`);
  });

  test("the emulated Shtrih-M explains an error number where the model can, and refuses elsewhere", () => {
    expect(makeShtrih().ask("6B 45")).toBe("6B 37");
    expect(makeShtrih({ model: "smartpos" }).ask("6B 45")).toBe("6B 00 CE D8 C8 C1 CA C0 20 34 35 48");
  });

  test("the emulated Shtrih-M counts cash, payments and documents in its registers", () => {
    const shtrih = makeShtrih();
    const { ask } = shtrih;
    sell(shtrih, 1500);
    ask(`50 ${OP} ${le(1000, 5)}`);
    ask(`51 ${OP} ${le(300, 5)}`);
    expect(ask(`1A ${OP} F1`)).toBe(`1A 00 01 ${toHex(Buffer.from(le(10_002_200, 6), "hex"))}`);
    expect(ask(`1A ${OP} F2`)).toBe("1A 00 01 E8 03 00 00 00 00");
    expect(ask(`1A ${OP} F3`)).toBe("1A 00 01 2C 01 00 00 00 00");
    expect(ask(`1A ${OP} C1`)).toBe("1A 00 01 DC 05 00 00 00 00");
    expect(ask(`1B ${OP} 90`)).toBe("1B 00 01 01 00");
    // The documents are registration, shift, receipt and two slips.
    expect(ask(`1B ${OP} 98`)).toBe("1B 00 01 05 00");
  });

  test("the emulated Shtrih-M shows an open receipt by the mode byte, and its lines by the counter", () => {
    const { ask } = makeShtrih();
    ask(`8D ${OP} 02`);
    ask(itemCommand({ operation: 2, price: 100 }));
    expect(ask(`10 ${OP}`)).toMatch(/^10 00 01 92 02 28 00 01/);
  });
});
