import { ADMIN, closeCommand, itemCommand, le, makeShtrih, OP, SYS, sell } from "./make-shtrih.js";

const clean = (answer: string) => answer.replaceAll(" ", "");

describe("the shift of the emulated Shtrih-M", () => {
  test("the emulated Shtrih-M opens and closes its shift by E0h and 41h, each with a document", () => {
    const { ask, core } = makeShtrih();
    expect(ask(`FF40 ${SYS}`)).toBe("FF 40 00 00 00 00 00 00");
    expect(ask(`E0 ${OP}`)).toBe("E0 00 01");
    expect(ask(`E0 ${OP}`)).toBe("E0 73");
    expect(ask(`FF40 ${SYS}`)).toBe("FF 40 00 01 01 00 00 00");
    expect(ask(`41 ${ADMIN}`)).toBe("41 00 1D");
    expect(ask(`41 ${ADMIN}`)).toBe("41 73");
    expect(ask(`FF40 ${SYS}`)).toBe("FF 40 00 00 01 00 00 00");
    expect(core.documents.map(({ type, shift }) => [type, shift])).toEqual([
      ["registration", 0],
      ["shift-open", 1],
      ["shift-close", 1],
    ]);
  });

  test("the emulated Shtrih-M opens and closes its shift by FF commands that answer shift, number and sign", () => {
    const { ask, core } = makeShtrih();
    expect(ask(`FF41 ${SYS}`)).toBe("FF 41 00");
    expect(ask(`FF0C ${SYS} FD03 0300 414243`)).toBe("FF 0C 00");
    const opened = clean(ask(`FF0B ${SYS}`));
    expect(opened).toBe(clean(`FF0B00 0100 ${le(2, 4)} ${le(core.find(2)?.fiscalSign ?? 0, 4)}`).toUpperCase());
    expect(core.find(2)?.tags).toEqual([{ tag: 1021, text: "ABC" }]);
    expect(ask(`FF42 ${SYS}`)).toBe("FF 42 00");
    const closed = clean(ask(`FF43 ${SYS}`));
    expect(closed).toBe(clean(`FF4300 0100 ${le(3, 4)} ${le(core.find(3)?.fiscalSign ?? 0, 4)}`).toUpperCase());
  });

  test("the emulated Shtrih-M answers E0h in the shorter form where its switch says so", () => {
    expect(makeShtrih({ unconfirmed: { "open-shift-answer": "2" } }).ask(`E0 ${OP}`)).toBe("E0 00");
  });

  test("the closing document of the emulated Shtrih-M carries the shift's totals", () => {
    const shtrih = makeShtrih();
    const { ask, core } = shtrih;
    sell(shtrih, 1000);
    sell(shtrih, 500);
    ask(`8D ${OP} 02`);
    ask(itemCommand({ operation: 2, price: 300 }));
    ask(closeCommand({ 2: 300 }));
    ask(`41 ${ADMIN}`);
    const closing = core.documents.at(-1);
    const body = JSON.stringify(closing === undefined ? null : core.bodyOf(closing));
    expect(body).toContain('{"tag":1118,"number":3}');
    expect(body).toContain(
      '{"tag":1129,"items":[{"tag":1135,"number":2},{"tag":1201,"number":1500},{"tag":1136,"number":1500}',
    );
    expect(body).toContain(
      '{"tag":1130,"items":[{"tag":1135,"number":1},{"tag":1201,"number":300},{"tag":1136,"number":0},{"tag":1138,"number":300}',
    );
  });

  test("the emulated Shtrih-M's shift is over after 24 hours by its own clock, not a second before", () => {
    const { ask, core } = makeShtrih();
    ask(`E0 ${OP}`);
    core.advanceClock(24 * 3600 - 1);
    expect(ask(`10 ${OP}`)).toMatch(/^10 00 01 92 02 02/);
    core.advanceClock(1);
    expect(ask(`10 ${OP}`)).toMatch(/^10 00 01 92 02 03/);
    expect(ask(`50 ${OP} ${le(1, 5)}`)).toMatch(/^50 00/);
    expect(ask(`FF43 ${SYS}`)).toMatch(/^FF 43 00/);
  });
});

describe("cash of the emulated Shtrih-M", () => {
  test("the emulated Shtrih-M moves cash in and out, not below nothing, and makes no document", () => {
    const { ask, core } = makeShtrih();
    expect(ask(`50 ${OP} ${le(2500, 5)}`)).toBe("50 00 01 02 00");
    expect(ask(`51 ${OP} ${le(10_002_500, 5)}`)).toBe("51 00 01 03 00");
    expect(ask(`51 ${OP} ${le(1, 5)}`)).toBe("51 46");
    expect(ask(`50 ${OP} ${le(0, 5)}`)).toBe("50 33");
    expect(core.cash).toBe(0);
    expect(core.lastFd).toBe(1);
  });

  test("the emulated Shtrih-M without paper refuses cash in and leaves the drawer as it is", () => {
    const { ask, core } = makeShtrih();
    core.printer.removePaper();
    expect(ask(`50 ${OP} ${le(2500, 5)}`)).toBe("50 6B");
    expect(core.cash).toBe(10_000_000);
  });
});
