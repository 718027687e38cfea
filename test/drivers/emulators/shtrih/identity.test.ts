import { toHex } from "../../vectors/hex.js";
import { dataOf, v1Frames } from "../../vectors/shtrih-frames.js";
import { testDialogues } from "../dialogue.js";
import { ADMIN, le, makeShtrih, OP, SYS, sell } from "./make-shtrih.js";

test("the long status of the emulated Shtrih-M has the layout of the manual's example", () => {
  const shtrih = makeShtrih();
  sell(shtrih, 100);
  shtrih.ask(`41 ${ADMIN}`);
  const answer = shtrih.ask(`11 ${SYS}`).split(" ");
  expect(answer).toHaveLength(dataOf(v1Frames.longStatusAnswer).length);
  // Firmware C.1, mode 4, 20.11.2026 15:00:00 by the clocks of Moscow, last closed shift 1, INN 7700000000.
  const places = [
    [3, "4331"],
    [15, "0400"],
    [25, "140B1A0F0000"],
    [36, "0100"],
    [42, le(7_700_000_000, 6).toUpperCase()],
  ] as const;
  for (const [at, bytes] of places) expect(answer.slice(at, at + bytes.length / 2).join("")).toBe(bytes);
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

testDialogues(makeShtrih, {
  "the emulated desktop Shtrih-M gives its name as in the literal frames": [
    `FC -> ${toHex(dataOf(v1Frames.deviceTypeAnswer))}; F7 01 -> ${toHex(dataOf(v1Frames.modelAnswer))}`,
  ],
  "the emulated cash-core Shtrih-M shows mode 8 and submode 5 while a closed receipt prints": [
    `E0 OP; (10000 ms of printing); 8D OP 00; ITEM 100; PAY 1=100;
     10 SYS -> 10 00 1E 90 00 08 05 00 33 48 00 00 00 FF FF FF 05; (10000 ms of printing);
     10 SYS -> 10 00 1E 90 00 02 00...`,
    { model: "smartpos", msPerRow: 20 },
  ],
  "the emulated Shtrih-M reports its fonts and refuses an unknown font": [
    `26 SYS 01 -> 26 00 80 01 0C 19 06; 26 SYS 07 -> 26 33`,
    { model: "smartpos" },
  ],
  "the emulated Shtrih-M refuses an unknown command, a command that is too short, and a wrong password": [
    `FF 67 01 -> FF 67 7E; 99 -> 99 37; FF 99 -> FF 99 37; FE F3 00 00 00 00 -> FE 37; 10 01 00 00 -> 10 7E;
     10 63 00 00 00 -> 10 4F`,
  ],
  "the emulated Shtrih-M answers an unknown command in two bytes if its switch says so": [
    "FF 99 -> FF 37",
    { unconfirmed: { "unknown-ff-answer": "2" } },
  ],
  "the emulated Shtrih-M refuses to explain an error number if its model cannot explain errors": ["6B 45 -> 6B 37"],
  "the emulated Shtrih-M explains an error number if its model can explain errors": [
    "6B 45 -> 6B 00 CE D8 C8 C1 CA C0 20 34 35 48",
    { model: "smartpos" },
  ],
  "the emulated Shtrih-M counts its cash in its registers": [
    `8D OP 00; ITEM 1500; PAY 1=1500; 50 OP 5:1000; 51 OP 5:300; 1A OP F1 -> 1A 00 01 18 9F 98 00 00 00;
     1A OP F2 -> 1A 00 01 E8 03 00 00 00 00; 1A OP F3 -> 1A 00 01 2C 01 00 00 00 00`,
  ],
  "the emulated Shtrih-M shows an open receipt by the mode byte, and its lines by the counter": [
    `8D OP 02; ITEM 100 operation=2; 10 OP -> 10 00 01 92 02 28 00 01...`,
  ],
});
