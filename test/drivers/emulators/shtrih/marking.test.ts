import { toHex } from "../../vectors/hex.js";
import { dataOf, v1Frames } from "../../vectors/shtrih-frames.js";
import { testDialogues } from "../dialogue.js";
import { makeShtrih } from "./make-shtrih.js";

const code = Buffer.from("0104600000000000215abc\u001d93dGVz", "latin1").toString("hex");
const good = `1:${code.length / 2}`;
const check = `FF61 OP 01 00 ${good} 00 ${code}`;
const bind = `FF67 OP ${good} ${code}`;

testDialogues(makeShtrih, {
  "the emulated Shtrih-M checks a marking code by the literal command, accepts it, and binds it to a line": [
    `${toHex(dataOf(v1Frames.checkMarkRequest))} -> FF 61 00 03 00 01 02 00 0F; FF69 OP 02 -> FF 69 00 00;
     ${check} -> FF 61 00 03...; FF69 OP 01 -> FF 69 00 0F; 8D OP 00; ITEM 100; ${bind} -> FF 67 00 44 4D 01...;
     PAY 1=100`,
    {
      ffd: 4,
      after: ({ core }) =>
        expect(core.find(3)?.lines[0]).toMatchObject({ mark: code, tags: [{ tag: 2106, number: 15 }] }),
    },
  ],
  "a marking code that the emulated Shtrih-M's checks refuse is reported as refused, and cannot be bound after that": [
    `FF61 OP 01 00 1:27 00 "010460000000000021REJECT-ME" -> FF 61 00 01 00 01 02 00 05; 8D OP 00; ITEM 100;
     FF67 OP 1:27 "010460000000000021REJECT-ME" -> FF 67 AC; FF69 OP 00 -> FF 69 00 05; FF69 OP 00 -> FF 69 A1`,
    { ffd: 4, after: ({ core }) => expect(core.receipt?.lines[0]?.mark).toBeNull() },
  ],
  "a marking code that was never checked is checked when the emulated Shtrih-M binds it": [
    `8D OP 00; ${bind} -> FF 67 55; ITEM 100; ${bind} -> FF 67 00...`,
    { ffd: 4 },
  ],
  "the emulated Shtrih-M refuses marking codes before FFD 1.2": [`${check} -> FF 61 A0`],
  "the emulated Shtrih-M refuses cut marking codes, and more than 128 checks": [
    `FF61 OP 01 00 20 00 31 -> FF 61 33; ${`${check}\n`.repeat(128)}${check} -> FF 61 A3`,
    { ffd: 4 },
  ],
});
