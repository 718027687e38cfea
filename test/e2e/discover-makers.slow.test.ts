/** The real `fiscald discover`, once, over registers of all makers on the same kinds of places. */
import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { startChild } from "../support/child-process.js";
import { fiscald } from "../support/daemon-process.js";
import type { EmulatorProcess } from "../support/emulator-process.js";
import { hasSocat, needsSocat, openSerialPair, type SerialPair } from "../support/serial-pair.js";
import { useShop } from "./use-shop.js";

const shop = useShop();
const emulators = new Map<string, EmulatorProcess>();

/** A register that stands in the middle of its day, by its kkm. */
async function start(maker: string, kkm: string, listen: string): Promise<EmulatorProcess> {
  const args = ["--fn", `99990789${kkm.slice(-8)}`, "--inn", "7712345678"];
  const emulator = await shop.emulate({ maker, kkm, args, listen });
  await emulator.post("/receipts", { totalKopecks: 4200, name: "Чай" });
  emulators.set(kkm, emulator);
  return emulator;
}

async function serial(): Promise<SerialPair> {
  const pair = await openSerialPair(mkdtempSync(join(shop.folder, "pair-")));
  shop.undo(() => pair.close());
  return pair;
}

const foundSchema = z.object({
  found: z.array(z.object({ place: z.string(), driver: z.string(), kkm: z.string(), inn: z.string(), fn: z.string() })),
  others: z.array(z.unknown()),
});

const withSocat = hasSocat ? test : test.skip;
const title = "discover tells the makers apart on addresses and on serial ports, in one call, and disturbs none";

withSocat(`${title}${needsSocat}`, async () => {
  const [first, second] = [await serial(), await serial()];
  const shtrih = await start("shtrih", "0000000000000101", "tcp:127.0.0.1:0");
  const pirit = await start("pirit", "0000000000000102", "tcp:127.0.0.1:0");
  const atol = await start("atol", "0000000000000103", "http:127.0.0.1:0");
  await start("shtrih", "0000000000000104", `serial:${first.device}`);
  await start("pirit", "0000000000000105", `serial:${second.device}`);
  const see = () =>
    Promise.all(
      [...emulators].map(async ([kkm, emulator]) => {
        return { kkm, documents: await emulator.documents(), tape: await emulator.getText("/tape") };
      }),
    );
  const before = await see();

  const hosts = [shtrih, pirit, atol].flatMap(({ port }) => ["--host", `127.0.0.1:${port}`]);
  const ports = ["--port", first.host, "--port", second.host];
  const config = ["--config", join(shop.folder, "none.json")];
  const command = startChild([fiscald, "discover", ...hosts, ...ports, "--json", ...config]);
  expect(await command.ended).toBe(0);

  const { found } = foundSchema.parse(JSON.parse(command.output()));
  const inn = "7712345678";
  const byKkm = [...found].sort((one, other) => one.kkm.localeCompare(other.kkm));
  expect(byKkm).toEqual([
    { place: `127.0.0.1:${shtrih.port}`, driver: "shtrih", kkm: "0000000000000101", inn, fn: "9999078900000101" },
    { place: `127.0.0.1:${pirit.port}`, driver: "pirit", kkm: "0000000000000102", inn, fn: "9999078900000102" },
    { place: `127.0.0.1:${atol.port}`, driver: "atol", kkm: "0000000000000103", inn, fn: "9999078900000103" },
    { place: first.host, driver: "shtrih", kkm: "0000000000000104", inn, fn: "9999078900000104" },
    { place: second.host, driver: "pirit", kkm: "0000000000000105", inn, fn: "9999078900000105" },
  ]);
  expect(await see()).toEqual(before);
});
