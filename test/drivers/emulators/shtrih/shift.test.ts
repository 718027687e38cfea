import { testDialogues } from "../dialogue.js";
import { makeShtrih } from "./make-shtrih.js";

const sale = (price: number) => `8D OP 00\nITEM ${price}\nPAY 1=${price}`;

testDialogues(makeShtrih, {
  "the emulated Shtrih-M opens and closes its shift by E0h and 41h, each with a document": [
    `FF40 SYS -> FF 40 00 00 00 00 00 00; E0 OP -> E0 00 01; E0 OP -> E0 73; FF40 SYS -> FF 40 00 01 01 00 00 00;
     41 ADMIN -> 41 00 1D; 41 ADMIN -> 41 73; FF40 SYS -> FF 40 00 00 01 00 00 00`,
    {
      after: ({ core }) =>
        expect(core.documents.map(({ type, shift }) => [type, shift])).toEqual([
          ["registration", 0],
          ["shift-open", 1],
          ["shift-close", 1],
        ]),
    },
  ],
  "the emulated Shtrih-M opens its shift with the cashier that FF41h and FF0Ch have sent": [
    `FF41 SYS -> FF 41 00; FF0C SYS FD03 0300 414243 -> FF 0C 00; E0 OP -> E0 00 01`,
    { after: ({ core }) => expect(core.find(2)?.tags).toEqual([{ tag: 1021, text: "ABC" }]) },
  ],
  "the emulated Shtrih-M closes its shift with the cashier that FF42h and FF0Ch have sent": [
    `E0 OP; FF42 SYS -> FF 42 00; FF0C SYS FD03 0300 414243 -> FF 0C 00; 41 SYS -> 41 00 1E`,
    { after: ({ core }) => expect(core.find(3)?.tags).toContainEqual({ tag: 1021, text: "ABC" }) },
  ],
  "the emulated Shtrih-M answers E0h in the shorter form if its switch says so": [
    "E0 OP -> E0 00",
    { unconfirmed: { "open-shift-answer": "2" } },
  ],
  "the closing document of the emulated Shtrih-M has the shift's totals": [
    `${sale(1000)}; ${sale(500)}; 8D OP 02; ITEM 300 operation=2; PAY 2=300; 41 ADMIN`,
    {
      after: ({ core }) => {
        const closing = core.documents.at(-1);
        const body = JSON.stringify(closing === undefined ? null : core.bodyOf(closing));
        const sums = (tag: number, ...inside: readonly [number, number][]) =>
          `{"tag":${tag},"items":[${inside.map(([part, number]) => `{"tag":${part},"number":${number}}`).join()}`;
        expect(body).toContain('{"tag":1118,"number":3}');
        expect(body).toContain(sums(1129, [1135, 2], [1201, 1500], [1136, 1500]));
        expect(body).toContain(sums(1130, [1135, 1], [1201, 300], [1136, 0], [1138, 300]));
      },
    },
  ],
  "the emulated Shtrih-M's shift expires after 24 hours by its own clock, not a second earlier": [
    `E0 OP; (86399 seconds later); 10 OP -> 10 00 01 92 02 02...; (1 seconds later);
     10 OP -> 10 00 01 92 02 03...; 50 OP 5:1 -> 50 00...; 41 SYS -> 41 00 1E`,
  ],
  "the emulated Shtrih-M moves cash in and out without a fiscal document, and never below zero": [
    `50 OP 5:2500 -> 50 00 01 02 00; 51 OP 5:10002500 -> 51 00 01 03 00; 51 OP 5:1 -> 51 46; 50 OP 5:0 -> 50 33`,
    { after: ({ core }) => expect([core.cash, core.lastFd]).toEqual([0, 1]) },
  ],
  "the emulated Shtrih-M without paper refuses cash in and leaves the drawer as it is": [
    `(paper out); 50 OP 5:2500 -> 50 6B`,
    { after: ({ core }) => expect(core.cash).toBe(10_000_000) },
  ],
});
