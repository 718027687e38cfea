import { toHex } from "../../vectors/hex.js";
import { dataOf, v1Frames } from "../../vectors/shtrih-frames.js";
import { closeCommand, itemCommand, le, makeShtrih, OP } from "./make-shtrih.js";

const code = Buffer.from("0104600000000000215abc\u001d93dGVz", "latin1");
const length = le(code.length, 1);
const check = `FF61 ${OP} 01 00 ${length} 00 ${code.toString("hex")}`;
const bad = Buffer.from("010460000000000021REJECT-ME", "latin1");
const checkBad = `FF61 ${OP} 01 00 ${le(bad.length, 1)} 00 ${bad.toString("hex")}`;

describe("marking codes at the emulated Shtrih-M", () => {
  test("the emulated Shtrih-M checks a marking code by the literal command, accepts it, and binds it to a line", () => {
    const { ask, core } = makeShtrih({ ffd: 4 });
    expect(ask(toHex(dataOf(v1Frames.checkMarkRequest)))).toMatch(/^FF 61 00 03 00 01 02 00 0F$/);
    expect(ask(`FF69 ${OP} 02`)).toBe("FF 69 00 00");
    expect(ask(check)).toMatch(/^FF 61 00 03/);
    expect(ask(`FF69 ${OP} 01`)).toBe("FF 69 00 0F");
    ask(`8D ${OP} 00`);
    ask(itemCommand({ price: 100 }));
    expect(ask(`FF67 ${OP} ${length} ${code.toString("hex")}`)).toMatch(/^FF 67 00 44 4D 01/);
    ask(closeCommand({ 1: 100 }));
    expect(core.find(3)?.lines[0]).toMatchObject({ mark: code.toString("hex"), tags: [{ tag: 2106, number: 15 }] });
  });

  test("a marking code that the emulated Shtrih-M's checks refuse is answered so, and cannot be bound once rejected", () => {
    const { ask, core } = makeShtrih({ ffd: 4 });
    expect(ask(checkBad)).toBe("FF 61 00 01 00 01 02 00 05");
    ask(`8D ${OP} 00`);
    ask(itemCommand({ price: 100 }));
    expect(ask(`FF67 ${OP} ${le(bad.length, 1)} ${bad.toString("hex")}`)).toBe("FF 67 AC");
    expect(ask(`FF69 ${OP} 00`)).toBe("FF 69 00 05");
    expect(ask(`FF69 ${OP} 00`)).toBe("FF 69 A1");
    expect(core.receipt?.lines[0]?.mark).toBeNull();
  });

  test("a marking code that was not checked before is checked when the emulated Shtrih-M binds it", () => {
    const { ask } = makeShtrih({ ffd: 4 });
    ask(`8D ${OP} 00`);
    expect(ask(`FF67 ${OP} ${length} ${code.toString("hex")}`)).toBe("FF 67 55");
    ask(itemCommand({ price: 100 }));
    expect(ask(`FF67 ${OP} ${length} ${code.toString("hex")}`)).toMatch(/^FF 67 00/);
  });

  test("the emulated Shtrih-M refuses marking codes before FFD 1.2, cut codes, and more than 128 checks", () => {
    expect(makeShtrih().ask(check)).toBe("FF 61 A0");
    const { ask } = makeShtrih({ ffd: 4 });
    expect(ask(`FF61 ${OP} 01 00 20 00 31`)).toBe("FF 61 33");
    for (let checks = 0; checks < 128; checks++) ask(check);
    expect(ask(check)).toBe("FF 61 A3");
  });
});
