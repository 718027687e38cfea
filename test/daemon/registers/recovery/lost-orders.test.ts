import { kopecks } from "@fiscald/shared/amounts.js";
import { toKkm, toReceiptId, toSiteId } from "@fiscald/shared/ids.js";
import type { SaleReceipt } from "@fiscald/shared/receipt/receipt.js";
import { noMarks, orderNamed, useBenches } from "../../../support/benches.js";
import { makeItem, makeReceipt } from "../../../support/make-job.js";
import { createTill } from "../../../support/scripted-driver.js";
import { type AfterLoss, type Loss, lossWorld, ours, type Since, type Story, type When } from "./loss-world.js";

const { comeAgain } = lossWorld(useBenches());

const ofSum = (sum: number, over: Partial<SaleReceipt> = {}) =>
  makeReceipt({ ...ours, lines: [makeItem({ name: "Другое", price: kopecks(sum), total: kopecks(sum) })], ...over });
const ofKit: SaleReceipt = { ...ours, receiptId: toReceiptId("0f0e5bd6-5ad1-4a0c-8f3c-1f1d3f1b2a01") };
const refund: SaleReceipt = { ...ours, operation: "return" };
const tabled: SaleReceipt = { ...ours, requisites: { userProperty: { name: "Стол", value: "7" } } };
const markedOf = (receipt: SaleReceipt): Since => ["on", receipt];
const unmarked: Since = ["off", ours];
const others: Since = ["on", orderNamed("B-1")];
const stranger = (receipt: SaleReceipt): Since => ["on", { ...receipt }, { site: "elsewhere" }];
const elsewhere = { register: "till-2" } as const;
const tills = () => [createTill(1), createTill(2)];
const withoutMarks = () => [createTill(1, { capabilities: noMarks })];
const noTime: Story["read"] = (document) => ({ ...document, time: null });

type Row = readonly [title: string, story: Story, outcome: AfterLoss["outcome"]];

const rows: readonly Row[] = [
  // The receipt's own order mark proves it.
  ["printed with its order mark", { since: [markedOf(ours)] }, "found"],
  ["a return that was printed with its order mark", { since: [markedOf(refund)], order: refund }, "found"],
  ["a receipt of the kit that was printed with its order mark", { since: [markedOf(ofKit)], order: ofKit }, "found"],
  ["printed with its order mark, and other orders since", { since: [markedOf(ours), others] }, "found"],
  [
    "printed with the order mark of its site's former id",
    { since: [["on", ours, { site: "old" }]], place: { site: "new" } },
    "found",
  ],
  [
    "a receipt of the kit that comes from another address",
    { since: [["on", ofKit, { site: "cafe" }]], order: ofKit, place: { site: "new" } },
    "found",
  ],
  ["printed with its order mark, with unreadable numbers", { since: [markedOf(ours)], read: noTime }, "unsure"],
  ["printed with its order mark, now unreadable", { since: [markedOf(ours)], areUnreadable: true }, "unsure"],
  // Without an order mark, direction and total leave it possible.
  ["printed without a mark", { since: [unmarked] }, "unsure"],
  ["printed without a mark, and other orders with marks since", { since: [unmarked, others] }, "unsure"],
  ["printed without a mark, and its register still prints", { before: "off", since: [unmarked], now: "off" }, "unsure"],
  ["printed by a model that writes no marks", { devices: withoutMarks, since: [markedOf(ours)] }, "unsure"],
  ["another program's receipt of the same goods", { since: [["foreign", ours]] }, "unsure"],
  ["another program's receipt for less than a rouble more", { since: [["foreign", ofSum(10_099)]] }, "unsure"],
  // An order with its own tag 1084 has no order mark.
  ["printed with a tag 1084 of its own", { since: [markedOf(tabled)], order: tabled }, "unsure"],
  // The site has changed the order since.
  ["changed by its site after it was printed with its mark", { since: [markedOf(ours)], order: ofSum(700) }, "unsure"],
  // The order mark is somebody else's.
  ["another shop's receipt with its number and its sum", { since: [stranger(ours)] }, "unsure"],
  ["a receipt that another site here had printed", { since: [["on", { ...ours }, { site: "cafe" }]] }, "printed"],
  ["another order of its site for the same sum", { since: [others] }, "printed"],
  // Another register printed.
  ["printed without a mark by its other register", { devices: tills, since: [["off", ours, elsewhere]] }, "unsure"],
  [
    "named for one register by kkm, and the document is on another register",
    { devices: tills, since: [["foreign", ours, elsewhere]], order: { ...ours, kkm: toKkm("0000000000000001") } },
    "printed",
  ],
  [
    "named for one register by kkm, and the document is on another register of the group",
    {
      ...{ devices: tills, settings: [{ group: "hall" }, { group: "hall" }] },
      ...{ since: [["foreign", ours, elsewhere]], order: { ...ours, kkm: toKkm("0000000000000001") } },
    },
    "unsure",
  ],
  [
    "the document is on a register that does not serve its site",
    { ...{ devices: tills, settings: [{}, { sites: [toSiteId("cafe")] }] }, since: [["foreign", ours, elsewhere]] },
    "printed",
  ],
];

const whens: readonly When[] = ["waits", "later"];

describe.each(whens)("after an older copy was put back, an order that comes again (%s)", (when) => {
  test.each(rows)("an order that comes again to an older copy ends as expected: %s", async (_, story, outcome) => {
    expect((await comeAgain(story, when)).outcome).toBe(outcome);
  });
});

const foreignMark = "A-1 99999999.0123abcd";
const losses: readonly (readonly [Loss, title: string, story: Story, outcome: AfterLoss["outcome"]])[] = [
  ["unnoticed", "with its order mark", { since: [markedOf(ours)] }, "found"],
  ["unnoticed", "without a mark", { since: [unmarked] }, "unsure"],
  ["unnoticed", "without a mark, and other orders with marks since", { since: [unmarked, others] }, "unsure"],
  ["unnoticed", "by another program with its goods", { since: [["foreign", ours], others] }, "unsure"],
  ["unnoticed", "by another program for its sum", { since: [["foreign", ofSum(10_000)], others] }, "printed"],
  ["unnoticed", "with a text of its own in tag 1084", { since: [markedOf(tabled)], order: tabled }, "unsure"],
  ["deleted", "with its order mark", { since: [markedOf(ours)] }, "found"],
  ["deleted", "without a mark", { since: [unmarked] }, "unsure"],
  ["deleted", "by a model that writes no marks", { devices: withoutMarks, since: [markedOf(ours)] }, "unsure"],
  ["deleted", "by another program, after the daemon's receipt", { since: [others, ["foreign", ours]] }, "unsure"],
  ["deleted", "and its document cannot be read", { since: [markedOf(ours)], areUnreadable: true }, "unsure"],
  ["other computer", "with its order mark", { since: [markedOf(ours)] }, "found"],
  ["other computer", "and changed since", { since: [markedOf(ours)], order: ofSum(700) }, "unsure"],
  ["other computer", "without a mark", { since: [unmarked] }, "printed"],
  ["other computer", "by another shop under its number", { since: [stranger(ours)] }, "printed"],
  ["none", "by another program for its sum", { since: [["foreign", ours]] }, "printed"],
  ["none", "by another program, unreadably", { since: [["foreign", ours]], areUnreadable: true }, "printed"],
  ["none", "by another shop under its number", { since: [["foreign", ours, { mark: foreignMark }]] }, "printed"],
];

describe.each(whens)("an order that comes again (%s)", (when) => {
  test.each(losses)(
    "an order that comes again ends as expected after the database loss '%s' when it was printed %s",
    async (loss, _, story, outcome) => {
      expect((await comeAgain({ ...story, loss }, when)).outcome).toBe(outcome);
    },
  );
});
