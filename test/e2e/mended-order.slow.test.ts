/** An order fails at the register, its site mends it and offers it again: what is printed is what the site says now. */
import { waitFor } from "../support/wait-for.js";
import { saleOf, tillOn, useShop } from "./use-shop.js";

const shop = useShop("each");
const PATENT = 32;

test.each([
  ["under its receiptId", { receiptId: "7b0c3a52-0000-4000-8000-000000000001" }],
  ["without a receiptId", {}],
])(
  "a failed order that its site corrects and offers again %s is printed as corrected, however often it failed before",
  async (_, ids) => {
    const emulator = await shop.emulate();
    const site = await shop.openSite();
    await shop.run({ siteUrl: site.url, registers: [tillOn(emulator)] });
    const { response } = saleOf("A-1");
    const offer = (fields: object) => site.offer("A-1", { response: { ...response, ...ids, ...fields } });
    const printed = async () => (await emulator.receipts()).map(({ contact, taxSystem }) => [contact, taxSystem]);

    for (const tries of [1, 2, 3]) {
      offer({ taxSystem: PATENT, clientContact: "old@shop.example" });
      const result = await waitFor("it fails", () => site.results("A-1")[tries - 1], { timeoutMs: 60_000 });
      expect(result).toMatchObject({ outcome: "failed", ...ids });
    }
    offer({ clientContact: "new@shop.example" });
    const result = await waitFor("it is printed", () => site.results("A-1")[3], { timeoutMs: 60_000 });
    expect(result).toMatchObject({ resultCode: 0, outcome: "printed", ...ids });
    expect(await printed()).toEqual([["new@shop.example", 1]]);
  },
);
