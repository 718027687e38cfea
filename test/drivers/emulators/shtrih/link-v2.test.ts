import { hex, toHex } from "../../vectors/hex.js";
import { v2Frames } from "../../vectors/shtrih-frames.js";
import { makeLink } from "./make-link.js";

function makeNumberedLink() {
  const made = makeLink("v2");
  /** Brings the numbering to `number`, as a host does that has asked for it. */
  const countUpTo = (number: number) => {
    for (let next = 2; next <= number; next++) {
      made.hear(frameOf(next));
      made.said();
    }
  };
  return { ...made, countUpTo };
}

/** A numbered frame, empty or with data, its check counted bit by bit here. */
function frameOf(number: number, ...data: readonly number[]): Uint8Array {
  const body = [2 + data.length, 0, number & 0xff, number >> 8, ...data];
  let crc = 0xffff;
  for (const byte of body) {
    for (let bit = 7; bit >= 0; bit--) {
      const high = ((crc >> 15) ^ (byte >> bit)) & 1;
      crc = ((crc << 1) & 0xffff) ^ (high === 1 ? 0x1021 : 0);
    }
  }
  const stuffed = [...body, crc & 0xff, crc >> 8].flatMap((byte) =>
    byte === 0x8f ? [0x9f, 0x81] : byte === 0x9f ? [0x9f, 0x83] : [byte],
  );
  return Uint8Array.of(0x8f, ...stuffed);
}

/** The command FCh under a number. */
const commandFrame = (number: number) => frameOf(number, 0xfc);

describe("the alternative link of the emulated Shtrih-M", () => {
  test("the emulated Shtrih-M's link v2 answers the literal sync after power-on with the literal empty frame", () => {
    const { hear, said } = makeNumberedLink();
    hear("8F 00 00 0F 1D");
    expect(said()).toBe("8F 02 00 01 00 99 5A");
  });

  test.each(v2Frames.filter(({ name, data }) => name.endsWith("request") && data.length > 0))(
    "the emulated Shtrih-M's link v2 reads the literal $name",
    ({ frame, data, number }) => {
      const { hear, executed, countUpTo } = makeNumberedLink();
      countUpTo((number ?? 0) - 1);
      hear(frame);
      expect(executed).toEqual([toHex(data)]);
    },
  );

  test.each(v2Frames.filter(({ name, data }) => !name.endsWith("request") && data.length > 0))(
    "the emulated Shtrih-M's link v2 writes the literal $name",
    ({ frame, data, number }) => {
      const { hear, said, answer, countUpTo } = makeNumberedLink();
      countUpTo((number ?? 0) - 1);
      // Any command with that number will do.
      hear(commandFrame(number ?? 0));
      answer(data);
      expect(said()).toBe(toHex(frame));
    },
  );

  test("the emulated Shtrih-M's link v2 executes a number once and repeats its answer for a wrong number and sync", () => {
    const { hear, said, answer, executed } = makeNumberedLink();
    hear(commandFrame(2));
    answer(hex("FC 37"));
    const first = said();
    hear(commandFrame(2));
    expect(said()).toBe(first);
    hear(commandFrame(9));
    expect(said()).toBe(first);
    hear("8F 00 00 0F 1D");
    expect(said()).toBe(first);
    expect(executed).toHaveLength(1);
  });

  test("the emulated Shtrih-M's link v2 says nothing to a wrong check, a broken escape or a frame that stopped", async () => {
    const { hear, said, executed, clock } = makeNumberedLink();
    const frame = commandFrame(2);
    hear(frame.with(frame.length - 1, (frame.at(-1) ?? 0) ^ 1));
    hear("8F 9F 00 00 00");
    hear("8F 01 00 00 00 00");
    hear(frame.slice(0, 4));
    await clock.advance(100);
    hear(frame.slice(4));
    expect(said()).toBe("");
    expect(executed).toEqual([]);
    hear(frame);
    expect(executed).toHaveLength(1);
  });

  test("a start byte always begins a new frame of the emulated Shtrih-M's link v2", () => {
    const { hear, executed } = makeNumberedLink();
    const frame = commandFrame(2);
    hear(frame.slice(0, 5));
    hear(frame);
    expect(executed).toHaveLength(1);
  });

  test("the emulated Shtrih-M's link v2 hears nothing while it works", () => {
    const { hear, said, executed } = makeNumberedLink();
    hear(commandFrame(2));
    hear(commandFrame(2));
    hear("8F 00 00 0F 1D");
    expect(said()).toBe("");
    expect(executed).toHaveLength(1);
  });

  test("the emulated Shtrih-M's link v2 stuffs the bytes 8F and 9F in both directions", () => {
    const { hear, said, answer, executed, countUpTo } = makeNumberedLink();
    countUpTo(0x8e);
    hear(commandFrame(0x8f));
    expect(executed).toHaveLength(1);
    answer(hex("FC 8F 9F"));
    const bytes = hex(said());
    expect(bytes.slice(1).includes(0x8f)).toBe(false);
    expect(toHex(bytes)).toContain("FC 9F 81 9F 83");
  });
});

describe("an emulated Shtrih-M that knows both links", () => {
  test("an emulated Shtrih-M that knows both links keeps to the one of the first byte it heard", () => {
    const first = makeLink("auto");
    first.hear("00 05");
    expect(first.said()).toBe("15");
    first.hear("8F 00 00 0F 1D");
    expect(first.said()).not.toContain("8F");

    const second = makeLink("auto");
    second.hear("8F 00 00 0F 1D");
    expect(second.said()).toBe("8F 02 00 01 00 99 5A");
    second.hear("05");
    expect(second.said()).toBe("");
  });
});
