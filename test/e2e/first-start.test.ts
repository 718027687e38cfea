/** The very first start: a register that was never connected so far, and orders that name its number. */
import { freePort } from "../support/free-port.js";
import { waitFor } from "../support/wait-for.js";
import { saleOf, useShop } from "./use-shop.js";

const kkms = ["0000000000000001", "0000000000000002"] as const;
const shop = useShop();

const plugIn = (index: 0 | 1, port: number) =>
  shop.emulate({ kkm: kkms[index], listen: `tcp:127.0.0.1:${port}`, args: ["--fn", `999907890000000${index + 1}`] });

test("an order for a register that was never connected is refused for now, and one for an unknown register for good", async () => {
  const ports = [await freePort(), await freePort()] as const;
  const first = await plugIn(0, ports[0]);
  const site = await shop.openSite();
  const offer = (orderId: string, kkm: string) => site.offer(orderId, saleOf(orderId, 10, kkm));
  const tills = ports.map((port, index) => {
    return { id: `till-${index + 1}`, driver: "shtrih", connection: { kind: "tcp", host: "127.0.0.1", port } };
  });
  const daemon = await shop.run({ siteUrl: site.url, registers: tills });
  offer("B-1", kkms[1]);
  const refused = { resultCode: 4, outcome: "failed", resultInfo: expect.stringContaining("возможно, это till-2") };
  expect(await site.result("B-1")).toMatchObject(refused);
  site.withdraw("B-1");

  const second = await plugIn(1, ports[1]);
  await daemon.child.line(/connected .*register=till-2/);
  offer("X-1", "0009999999999999");
  expect(await site.result("X-1")).toMatchObject({ resultCode: 1, outcome: "failed", kkm: "0009999999999999" });
  site.withdraw("X-1");
  offer("B-1", kkms[1]);
  const printed = await waitFor("B-1 is printed", () =>
    site.results("B-1").find(({ outcome }) => outcome === "printed"),
  );
  expect(printed).toMatchObject({ resultCode: 0, kkm: kkms[1] });
  expect([(await first.receipts()).length, (await second.receipts()).length]).toEqual([0, 1]);
});
