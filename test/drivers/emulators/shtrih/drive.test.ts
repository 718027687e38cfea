import { toHex } from "../../vectors/hex.js";
import { dataOf, v1Frames } from "../../vectors/shtrih-frames.js";
import { talk, testDialogues } from "../dialogue.js";
import { closeCommand, itemCommand, le, makeShtrih, OP, type Shtrih, SYS, sell } from "./make-shtrih.js";

const clean = (text: string) => text.replaceAll(" ", "").toUpperCase();
const ascii = (text: string) => Buffer.from(text, "latin1").toString("hex");
/** Bytes as an answer of a dialogue shows them. */
const shown = (...parts: readonly string[]) => toHex(Buffer.from(clean(parts.join("")), "hex"));
/** 20.11.2026 15:00 as DATE_TIME. */
const NOON = "1A0B140F00";
const signOf = ({ core }: Shtrih, fd: number) => le(core.find(fd)?.fiscalSign ?? 0, 4);

/** The length that FF3Ah announces, and all bytes of the document by FF3Bh. */
function readBody({ ask }: Shtrih, fd: number): { promised: number; tlvs: string[] } {
  const head = clean(ask(`FF3A ${SYS} ${le(fd, 4)}`));
  const promised = Number.parseInt(head.slice(12, 14) + head.slice(10, 12), 16);
  const tlvs: string[] = [];
  for (let answer = clean(ask(`FF3B ${SYS}`)); answer.startsWith("FF3B00"); answer = clean(ask(`FF3B ${SYS}`))) {
    tlvs.push(answer.slice(6));
  }
  return { promised, tlvs };
}

const stateOf = (current: string, shift: string, fd: number) =>
  `FF01 SYS -> ${shown(`FF01 00 03 ${current} ${shift} 00 ${NOON}`, ascii("9999078900000001"), le(fd, 4))}`;

testDialogues(makeShtrih, {
  "the emulated Shtrih-M's drive changes its last document only when a document is signed": [
    `${stateOf("0000", "00", 1)}; 8D OP 00; ${stateOf("0401", "01", 2)}; ITEM 100; PAY 1=99;
     ${stateOf("0401", "01", 2)}; PAY 1=100; ${stateOf("0000", "01", 3)}`,
  ],
  "the emulated Shtrih-M's drive shows no open receipt if its switch says so": [
    `8D OP 00; FF01 SYS -> FF 01 00 03 00 00 01...`,
    { unconfirmed: { "current-document": "none" } },
  ],
  "reading tags of the emulated Shtrih-M needs a document first, and finishes with 08h": [
    `FF3B SYS -> FF 3B 73; FF3A SYS 4:9 -> FF 3A 08; FF3A SYS 4:1;
     ${"FF3B SYS -> FF 3B 00...\n".repeat(7)}FF3B SYS -> FF 3B 08; FF3B SYS -> FF 3B 73`,
  ],
  "the emulated Shtrih-M reports that no document waits for the OFD with the literal frame": [
    `${toHex(dataOf(v1Frames.ofdRequest))} -> ${toHex(dataOf(v1Frames.ofdAnswer))}`,
  ],
  "the emulated Shtrih-M counts the documents that wait for the OFD": [
    `8D OP 00; ITEM 100; PAY 1=100; FF39 SYS -> ${shown("FF39 00 02 00 0300", le(1, 4), NOON)}`,
    { ofdConnected: false },
  ],
});

test("the emulated Shtrih-M's drive reports its number, expiry, version, registration and free memory", async () => {
  const shtrih = makeShtrih();
  const registered = `00 ${NOON} ${ascii("7700000000  ")} ${ascii("0001234567012345    ")} 01 00 ${le(1, 4)}`;
  const registration = registered + signOf(shtrih, 1);
  // The drive expires 470 days after 20.11.2026.
  await talk(
    shtrih,
    `FF02 SYS -> ${shown("FF02 00", ascii("9999078900000001"))}; FF03 SYS -> FF 03 00 1C 03 04 1D 01;
     FF09 SYS -> ${shown("FF09", registration)};
     FF60 SYS 00 2:1209 -> ${shown("FF60 00", le(1209, 2), "0100 02")}; FF60 SYS 02 2:1209 -> FF 60 08;
     FF63 SYS -> ${shown("FF63 00", le(249_999, 4), le(30_000, 4))}`,
  );
});

test("the emulated Shtrih-M's drive finds documents by number", async () => {
  const shtrih = makeShtrih();
  await talk(shtrih, "8D OP 02; ITEM 150000 operation=2; PAY 2=150000; 41 ADMIN");
  const head = (type: string, fd: number) => ["FF0A 00", type, "01", NOON, le(fd, 4), signOf(shtrih, fd)];
  await talk(
    shtrih,
    `FF0A SYS 4:2 -> ${shown(...head("02", 2), "0100")};
     FF0A SYS 4:3 -> ${shown(...head("03", 3), "02 F049020000")};
     FF0A SYS 4:4 -> ${shown(...head("05", 4), "0100")}; FF0A SYS 4:1 -> FF 0A 00 01 01...;
     FF0A SYS 4:5 -> FF 0A 08`,
  );
});

test("the emulated Shtrih-M's drive gives a document tag by tag, in the announced length", () => {
  const shtrih = makeShtrih();
  const { ask, core } = shtrih;
  ask(`8D ${OP} 00`);
  ask(itemCommand({ price: 13_33, quantity: 3_000_000, sum: le(4000, 5), tax: "CB", name: "CFEEE7E8F6E8FF" }));
  ask(`FF0C ${SYS} F003 0600 ${ascii("a@b.ru")}`);
  ask(closeCommand({ 1: 5000 }));
  const { promised, tlvs } = readBody(shtrih, 3);
  expect(tlvs.join("").length / 2).toBe(promised);
  const sign = (core.find(3)?.fiscalSign ?? 0).toString(16).padStart(8, "0");
  const wanted = [
    `1104 1000 ${ascii("9999078900000001")}`,
    `0D04 1400 ${ascii("0001234567012345    ")}`,
    `FA03 0C00 ${ascii("7700000000  ")}`,
    ...["1004 0400 03000000", `3504 0600 3104 ${sign}`, "0E04 0400 01000000", "1204 0400 01000000"],
    ...["1E04 0100 01", "1F04 0100 01", "FC03 0200 A00F", "0704 0200 A00F", "3904 0100 00"],
    // Tag 1059 has the name in CP866, price, quantity with 6 decimals, sum, 1199 = 11, 1200, 1212 and 1214.
    `2304 3400 0604 0700 8FAEA7A8E6A8EF 3704 0200 3505 FF03 0400 06C0C62D 1304 0200 A00F AF04 0100 0B
     B004 0200 D102 BC04 0100 01 BE04 0100 04`.replace(/\s+/g, ""),
    // The sum at 22 % has no tag of its own and stands in 1115 { 1119 { 1199, 1120 } }.
    "5B04 0F00 5F04 0B00 AF04 0100 0B 6004 0200 D102",
    `F003 0600 ${ascii("a@b.ru")}`,
    // The time is the seconds from 01.01.1970 to 20.11.2026 15:00:00 as if that were UTC.
    `F403 0400 ${le(Date.UTC(2026, 10, 20, 15) / 1000, 4)}`,
  ];
  expect(tlvs).toEqual(expect.arrayContaining(wanted.map(clean)));
});

test("the emulated Shtrih-M has a switch for each of two unconfirmed facts about reading documents", async () => {
  const many = makeShtrih({ unconfirmed: { "tlv-per-read": "many", "tlv-end": "34" } });
  const one = makeShtrih();
  for (const shtrih of [many, one]) sell(shtrih, 100);
  const [manyBody, oneBody] = [readBody(many, 3), readBody(one, 3)];
  expect(manyBody.tlvs).toHaveLength(1);
  expect(oneBody.tlvs.length).toBeGreaterThan(10);
  expect(manyBody.tlvs.join("")).toBe(oneBody.tlvs.join(""));
  await talk(many, "FF3A SYS 4:3; FF3B SYS; FF3B SYS -> FF 3B 34");
});

test("a tag that is longer than a frame of the emulated Shtrih-M is continued in the next answer", () => {
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

test("the emulated Shtrih-M answers the reading of unreadable documents with error 30h, and every other command as usual", () => {
  const { makerProtocol } = makeShtrih();
  const refusal = (command: string) => makerProtocol.refuseReading(Buffer.from(clean(command), "hex"));
  expect(toHex(refusal(`FF0A ${SYS} ${le(1, 4)}`) ?? new Uint8Array())).toBe("FF 0A 30");
  expect(toHex(refusal(`FF3B ${SYS}`) ?? new Uint8Array())).toBe("FF 3B 30");
  expect(refusal(`FF01 ${SYS}`)).toBeNull();
});
