import { type Emulator, openEmulator } from "@fiscald/drivers/emulator/open-emulator.js";
import { createDriver } from "@fiscald/drivers/registry.js";
import { systemClock } from "@fiscald/shared/clock.js";
import { silentLogger } from "@fiscald/shared/logger.js";
import { makeReceipt } from "../../support/make-job.js";

const signal = new AbortController().signal;

async function onTcp(test: (emulator: Emulator, host: string, port: number) => Promise<void>): Promise<void> {
  const emulator = await openEmulator({ maker: "pirit", listen: "tcp:127.0.0.1:0" });
  try {
    const [, host = "", port = ""] = /^tcp:(.*):(\d+)$/.exec(emulator.listening ?? "") ?? [];
    await test(emulator, host, Number(port));
  } finally {
    await emulator.close();
  }
}

function parts(driver: "pirit" | "shtrih", connection: { readonly host: string; readonly port: number }) {
  const timeouts = { reactMs: 50, byteGapMs: 50, status: 100 };
  const clock = systemClock;
  return {
    driver,
    connection: { kind: "tcp", ...connection },
    options: {},
    logger: silentLogger,
    clock,
    random: Math.random,
    timeouts,
  } as const;
}

describe("PIRIT over TCP, as a config names it", () => {
  test("prints a receipt", () =>
    onTcp(async (emulator, host, port) => {
      const { driver, stop } = await createDriver(parts("pirit", { host, port }));
      const { kkm } = await driver.connect(signal);
      expect(kkm).toBe(emulator.core.registration.kkm);
      const tables = await driver.readTables(signal);
      const state = await driver.readState(signal);
      const programs = driver.compile(makeReceipt(), {
        shift: "closed",
        mark: "A-1 0badcafe",
        cashier: null,
        taxSystem: null,
        defaultTax: null,
        printPaper: true,
        tables,
        images: new Map(),
        localTime: emulator.core.now(),
      });
      let lastFd = state.lastFd;
      for (const program of programs) {
        const outcome = await driver.run(program, { ...state, lastFd }, signal);
        expect(outcome.kind).toBe("printed");
        lastFd += 1;
      }
      expect(emulator.core.documents.at(-1)).toMatchObject({ type: "receipt", total: 10_000 });
      await stop();
    }));

  test("is not taken for a register of another maker, nor another for it", () =>
    onTcp(async (_, host, port) => {
      const { driver, stop } = await createDriver(parts("shtrih", { host, port }));
      await expect(driver.connect(signal)).rejects.toMatchObject({ code: expect.stringMatching(/^link\./) });
      await stop();
      const shtrih = await openEmulator({ maker: "shtrih", listen: "tcp:127.0.0.1:0" });
      const shtrihPort = Number(/\d+$/.exec(shtrih.listening ?? "")?.[0]);
      const other = await createDriver(parts("pirit", { host, port: shtrihPort }));
      await expect(other.driver.connect(signal)).rejects.toMatchObject({ code: expect.stringMatching(/^link\./) });
      await other.stop();
      await shtrih.close();
    }));
});
