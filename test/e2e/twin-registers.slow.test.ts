/** Two registers of one config that prove to be one device by its number. */
import { saleOf, tillOn, useShop } from "./use-shop.js";

const shop = useShop();

test("the second of two registers that prove to have one number (kkm) is blocked and prints nothing", async () => {
  const kkm = "0009999999012345";
  const twins = [await shop.emulate({ kkm, name: "one" }), await shop.emulate({ kkm, name: "two" })];
  const site = await shop.openSite();
  const registers = twins.map((twin, index) => tillOn(twin, { id: `twin-${index}` }));
  const daemon = await shop.run({ siteUrl: site.url, registers });
  await daemon.child.line(/register blocked .*code=register\.foreign-identity.*0009999999012345/);
  site.offer("T-1", saleOf("T-1", 10, kkm));
  expect(await site.result("T-1")).toMatchObject({ outcome: "printed" });
  const receipts = await Promise.all(twins.map((twin) => twin.receipts()));
  expect(receipts.map(({ length }) => length).sort()).toEqual([0, 1]);
});
