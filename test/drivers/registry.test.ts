import { connectionSchema } from "@fiscald/drivers/connection.js";
import { createDriver, driverNames, driverRows } from "@fiscald/drivers/registry.js";
import { systemClock } from "@fiscald/shared/clock.js";
import { silentLogger } from "@fiscald/shared/logger.js";

const common = { logger: silentLogger, clock: systemClock, random: () => 0.5 };
const signal = new AbortController().signal;

describe("opening a driver by its name", () => {
  test.each(driverNames)(
    "the driver %s connects to its own emulator, and closing the driver closes the emulator too",
    async (driver) => {
      const connection = connectionSchema.parse({ kind: "emulator", kkm: "0009876543210123" });
      const opened = await createDriver({ ...common, driver, connection, options: {} });
      try {
        expect((await opened.driver.connect(signal)).kkm).toBe("0009876543210123");
      } finally {
        await opened.stop();
      }
    },
  );

  test("creating a driver for a missing serial port succeeds, and connecting fails", async () => {
    const serial = connectionSchema.parse({ kind: "serial", path: "/dev/no-such-port" });
    const opened = await createDriver({ ...common, driver: "shtrih", connection: serial, options: {} });
    await expect(opened.driver.connect(signal)).rejects.toMatchObject({ code: "link.not-found" });
    await opened.stop();
  });

  test("a driver created with shorter waits connects", async () => {
    const connection = connectionSchema.parse({ kind: "emulator" });
    const timeouts = { reactMs: 20, status: 20 };
    const opened = await createDriver({ ...common, driver: "shtrih", connection, options: {}, timeouts });
    expect((await opened.driver.connect(signal)).model).not.toBe("");
    await opened.stop();
  });

  test("creating a driver with an unknown option is a config error that names the option", async () => {
    const connection = connectionSchema.parse({ kind: "tcp", host: "127.0.0.1" });
    const opening = createDriver({ ...common, driver: "shtrih", connection, options: { pasword: 1 } });
    await expect(opening).rejects.toMatchObject({
      code: "config.invalid",
      message: expect.stringContaining("pasword"),
    });
  });

  test("the options of the Shtrih-M driver have their defaults", () => {
    expect(driverRows["shtrih"].options.parse({})).toEqual({
      operatorPassword: 30,
      adminPassword: 30,
      link: "auto",
      enquiry: "needed",
      tagsBeforeItem: "auto",
      nanoTaxCodes: false,
      tax7of107As90: false,
      correctionV3: false,
      correctionV4: false,
    });
  });
});
