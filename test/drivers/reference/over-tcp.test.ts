import { createDriver } from "@fiscald/drivers/registry.js";
import { openEmulator } from "@fiscald/emulators/open-emulator.js";
import { kopecks } from "@fiscald/shared/amounts.js";
import { systemClock } from "@fiscald/shared/clock.js";
import { silentLogger } from "@fiscald/shared/logger.js";
import { item, sale } from "../contract/receipts.js";

test("a driver opened by the registry prints a sale on the reference emulator over a real socket", async () => {
  const emulator = await openEmulator({ maker: "reference", listen: "tcp:127.0.0.1:0" });
  const port = Number(emulator.listening?.split(":").at(-1));
  const { driver, stop } = await createDriver({
    driver: "reference",
    connection: { kind: "tcp", host: "127.0.0.1", port },
    options: {},
    logger: silentLogger,
    clock: systemClock,
    random: Math.random,
  });
  const { signal } = new AbortController();
  try {
    const identity = await driver.connect(signal);
    expect(identity).toMatchObject({ kkm: "0001234567012345", model: "Эталон-1" });
    const receipt = sale({ lines: [item({ tax: 11 })], contact: "buyer@example.com" });
    const context = {
      shift: "closed",
      mark: "A-1 0badcafe",
      cashier: null,
      taxSystem: null,
      defaultTax: null,
      printPaper: true,
      tables: await driver.readTables(signal),
      images: new Map(),
      localTime: emulator.core.now(),
    } as const;
    for (const program of driver.compile(receipt, context)) {
      const { fn, lastFd, shift, drawer } = await driver.readState(signal);
      expect((await driver.run(program, { fn, lastFd, shift, drawer }, signal)).kind).toBe("printed");
    }
    expect(emulator.core.documents.at(-1)).toMatchObject({ type: "receipt", total: kopecks(10_000) });
    expect(await driver.readShiftTotals(signal)).toMatchObject({ sales: 10_000, saleCount: 1 });
  } finally {
    await stop();
    await emulator.close();
  }
});
