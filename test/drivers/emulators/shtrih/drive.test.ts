import { toHex } from "../../vectors/hex.js";
import { dataOf, v1Frames } from "../../vectors/shtrih-frames.js";
import { ADMIN, closeCommand, itemCommand, le, makeShtrih, OP, type Shtrih, SYS, sell } from "./make-shtrih.js";

const clean = (text: string) => text.replaceAll(" ", "").toUpperCase();
const ascii = (text: string) => Buffer.from(text, "latin1").toString("hex");
/** 20.11.2026 15:00 as DATE_TIME. */
const NOON = "1A0B140F00";

/** All bytes of a document by FF3Ah and FF3Bh, and the length that was promised. */
function readBody({ ask }: Shtrih, fd: number): { promised: number; tlvs: string[] } {
  const head = clean(ask(`FF3A ${SYS} ${le(fd, 4)}`));
  const promised = Number.parseInt(head.slice(12, 14) + head.slice(10, 12), 16);
  const tlvs: string[] = [];
  for (let answer = clean(ask(`FF3B ${SYS}`)); answer.startsWith("FF3B00"); answer = clean(ask(`FF3B ${SYS}`))) {
    tlvs.push(answer.slice(6));
  }
  return { promised, tlvs };
}

describe("the drive of the emulated Shtrih-M", () => {
  test("the emulated Shtrih-M's drive counts its last document up only when a document is signed", () => {
    const shtrih = makeShtrih();
    const { ask } = shtrih;
    const state = (current: string, shift: string, fd: number) =>
      clean(`FF01 00 03 ${current} ${shift} 00 ${NOON} ${ascii("9999078900000001")} ${le(fd, 4)}`);
    expect(clean(ask(`FF01 ${SYS}`))).toBe(state("0000", "00", 1));
    ask(`8D ${OP} 00`);
    expect(clean(ask(`FF01 ${SYS}`))).toBe(state("0401", "01", 2));
    ask(itemCommand({ price: 100 }));
    ask(closeCommand({ 1: 99 }));
    expect(clean(ask(`FF01 ${SYS}`))).toBe(state("0401", "01", 2));
    ask(closeCommand({ 1: 100 }));
    expect(clean(ask(`FF01 ${SYS}`))).toBe(state("0000", "01", 3));
  });

  test("the emulated Shtrih-M's drive shows no open receipt where its switch says so", () => {
    const { ask } = makeShtrih({ unconfirmed: { "current-document": "none" } });
    ask(`8D ${OP} 00`);
    expect(clean(ask(`FF01 ${SYS}`)).slice(0, 14)).toBe("FF010003000001");
  });

  test("the emulated Shtrih-M's drive reports number, expiry, version, registration and room", () => {
    const { ask, core } = makeShtrih();
    expect(clean(ask(`FF02 ${SYS}`))).toBe(clean(`FF02 00 ${ascii("9999078900000001")}`));
    // The drive expires 470 days after 20.11.2026.
    expect(ask(`FF03 ${SYS}`)).toBe("FF 03 00 1C 03 04 1D 01");
    expect(ask(`FF04 ${SYS}`)).toMatch(/^FF 04 00( [0-9A-F]{2}){16} 00$/);
    const registration = clean(
      `00 ${NOON} ${ascii("7700000000  ")} ${ascii("0001234567012345    ")} 01 00 ${le(1, 4)} ${le(core.find(1)?.fiscalSign ?? 0, 4)}`,
    );
    expect(clean(ask(`FF09 ${SYS}`))).toBe(`FF09${registration}`);
    expect(clean(ask(`FF4C ${SYS} 01`))).toBe(`FF4C${registration}`);
    expect(clean(ask(`FF60 ${SYS} 00 ${le(1209, 2)}`))).toBe(clean(`FF60 00 ${le(1209, 2)} 0100 02`));
    expect(clean(ask(`FF60 ${SYS} 02 ${le(1209, 2)}`))).toBe("FF6008");
    expect(clean(ask(`FF63 ${SYS}`))).toBe(clean(`FF63 00 ${le(249_999, 4)} ${le(30_000, 4)}`));
  });

  test("the emulated Shtrih-M's drive finds documents by number", () => {
    const shtrih = makeShtrih();
    const { ask, core } = shtrih;
    ask(`8D ${OP} 02`);
    ask(itemCommand({ operation: 2, price: 150_000 }));
    ask(closeCommand({ 2: 150_000 }));
    ask(`41 ${ADMIN}`);
    const sign = (fd: number) => le(core.find(fd)?.fiscalSign ?? 0, 4);
    expect(clean(ask(`FF0A ${SYS} ${le(2, 4)}`))).toBe(clean(`FF0A 00 02 01 ${NOON} ${le(2, 4)} ${sign(2)} 0100`));
    expect(clean(ask(`FF0A ${SYS} ${le(3, 4)}`))).toBe(
      clean(`FF0A 00 03 01 ${NOON} ${le(3, 4)} ${sign(3)} 02 F049020000`),
    );
    expect(clean(ask(`FF0A ${SYS} ${le(4, 4)}`))).toBe(clean(`FF0A 00 05 01 ${NOON} ${le(4, 4)} ${sign(4)} 0100`));
    expect(clean(ask(`FF0A ${SYS} ${le(1, 4)}`))).toMatch(/^FF0A000101/);
    expect(ask(`FF0A ${SYS} ${le(5, 4)}`)).toBe("FF 0A 08");
  });

  test("the emulated Shtrih-M's drive gives a document requisite by requisite, in the length that it promised", () => {
    const shtrih = makeShtrih();
    const { ask, core } = shtrih;
    ask(`8D ${OP} 00`);
    ask(itemCommand({ price: 13_33, quantity: 3_000_000, sum: le(4000, 5), tax: "CB", name: "CFEEE7E8F6E8FF" }));
    ask(`FF0C ${SYS} F003 0600 ${ascii("a@b.ru")}`);
    ask(closeCommand({ 1: 5000 }));
    const { promised, tlvs } = readBody(shtrih, 3);
    expect(tlvs.join("").length / 2).toBe(promised);
    const sign = (core.find(3)?.fiscalSign ?? 0).toString(16).padStart(8, "0");
    expect(tlvs).toEqual(
      expect.arrayContaining(
        [
          `1104 1000 ${ascii("9999078900000001")}`,
          `0D04 1400 ${ascii("0001234567012345    ")}`,
          `FA03 0C00 ${ascii("7700000000  ")}`,
          `1004 0400 03000000`,
          `3504 0600 3104 ${sign}`,
          `0E04 0400 01000000`,
          `1204 0400 01000000`,
          `1E04 0100 01`,
          `1F04 0100 01`,
          // Tag 1059 has the name in CP866, price, quantity with 6 decimals, sum, 1199 = 11, 1200, 1212 and 1214.
          `2304 3400 0604 0700 8FAEA7A8E6A8EF 3704 0200 3505 FF03 0400 06C0C62D 1304 0200 A00F AF04 0100 0B B004 0200 D102 BC04 0100 01 BE04 0100 04`,
          `FC03 0200 A00F`,
          `0704 0200 A00F`,
          `3904 0100 00`,
          // The sum at 22 % has no tag of its own but stands in 1115 { 1119 { 1199, 1120 } }.
          `5B04 0F00 5F04 0B00 AF04 0100 0B 6004 0200 D102`,
          `F003 0600 ${ascii("a@b.ru")}`,
        ].map(clean),
      ),
    );
    // The time is the seconds from 01.01.1970 to 20.11.2026 15:00:00 as if that were UTC.
    expect(tlvs).toContain(clean(`F403 0400 ${le(Date.UTC(2026, 10, 20, 15) / 1000, 4)}`));
  });

  test("reading requisites of the emulated Shtrih-M needs a document first, ends with 08h, and is then out of turn", () => {
    const shtrih = makeShtrih();
    const { ask } = shtrih;
    expect(ask(`FF3B ${SYS}`)).toBe("FF 3B 73");
    expect(ask(`FF3A ${SYS} ${le(9, 4)}`)).toBe("FF 3A 08");
    ask(`FF3A ${SYS} ${le(1, 4)}`);
    const answers = Array.from({ length: 9 }, () => ask(`FF3B ${SYS}`));
    expect(answers.at(-2)).toBe("FF 3B 08");
    expect(answers.at(-1)).toBe("FF 3B 73");
  });

  test("the emulated Shtrih-M has a switch for each of the two open facts about reading documents", () => {
    const many = makeShtrih({ unconfirmed: { "tlv-per-read": "many", "tlv-end": "34" } });
    const one = makeShtrih();
    for (const shtrih of [many, one]) sell(shtrih, 100);
    const [manyBody, oneBody] = [readBody(many, 3), readBody(one, 3)];
    expect(manyBody.tlvs).toHaveLength(1);
    expect(oneBody.tlvs.length).toBeGreaterThan(10);
    expect(manyBody.tlvs.join("")).toBe(oneBody.tlvs.join(""));
    many.ask(`FF3A ${SYS} ${le(3, 4)}`);
    many.ask(`FF3B ${SYS}`);
    expect(many.ask(`FF3B ${SYS}`)).toBe("FF 3B 34");
  });

  test("a requisite of the emulated Shtrih-M that is longer than a frame goes on in the next answer", () => {
    const shtrih = makeShtrih();
    const { ask } = shtrih;
    ask(`8D ${OP} 00`);
    ask(itemCommand({ price: 100, name: "C0".repeat(128) }));
    for (let phone = 0; phone < 8; phone++) ask(`FF4D ${OP} 9304 1300 ${ascii("+7900000000000000000").slice(0, 38)}`);
    ask(closeCommand({ 1: 100 }));
    const { promised, tlvs } = readBody(shtrih, 3);
    expect(tlvs.join("").length / 2).toBe(promised);
    expect(Math.max(...tlvs.map((tlv) => tlv.length / 2))).toBe(252);
  });

  test("the number 0 reads the emulated Shtrih-M's last document where table 17 says so", () => {
    const shtrih = makeShtrih();
    sell(shtrih, 100);
    expect(shtrih.ask(`FF3A ${SYS} 00000000`)).toBe("FF 3A 08");
    shtrih.ask(`1E ${SYS} 11 0100 1F 01`);
    expect(shtrih.ask(`FF3A ${SYS} 00000000`)).toMatch(/^FF 3A 00 03 00/);
  });

  test("the emulated Shtrih-M counts what waits for the OFD, and answers nothing waiting with the literal frame", () => {
    const connected = makeShtrih();
    expect(connected.ask(toHex(dataOf(v1Frames.ofdRequest)))).toBe(toHex(dataOf(v1Frames.ofdAnswer)));
    const alone = makeShtrih({ ofdConnected: false });
    sell(alone, 100);
    expect(clean(alone.ask(`FF39 ${SYS}`))).toBe(clean(`FF39 00 02 00 0300 ${le(1, 4)} ${NOON}`));
    expect(alone.ask(`FF3F ${SYS}`)).toBe("FF 3F 00 03 00");
    expect(makeShtrih({ unconfirmed: { "unconfirmed-count": "4" } }).ask(`FF3F ${SYS}`)).toBe("FF 3F 00 00 00 00 00");
  });

  test("the emulated Shtrih-M makes a report on settlements with the shift closed and refuses one with it open", () => {
    const { ask, core } = makeShtrih();
    expect(ask(`FF37 ${SYS}`)).toBe("FF 37 00");
    expect(clean(ask(`FF38 ${SYS}`))).toBe(
      clean(`FF38 00 ${le(2, 4)} ${le(core.find(2)?.fiscalSign ?? 0, 4)} ${le(0, 4)} 000000`),
    );
    expect(core.find(2)).toMatchObject({ type: "settlement-report" });
    ask(`E0 ${OP}`);
    expect(ask(`FF38 ${SYS}`)).toBe("FF 38 73");
  });

  test("the emulated Shtrih-M answers 30h to readings of documents that cannot be read, and to no other command", () => {
    const { makerProtocol } = makeShtrih();
    const refusal = (command: string) => makerProtocol.refuseReading(Buffer.from(clean(command), "hex"));
    expect(toHex(refusal(`FF0A ${SYS} ${le(1, 4)}`) ?? new Uint8Array())).toBe("FF 0A 30");
    expect(toHex(refusal(`FF3B ${SYS}`) ?? new Uint8Array())).toBe("FF 3B 30");
    expect(refusal(`FF01 ${SYS}`)).toBeNull();
  });
});
