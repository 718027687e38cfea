/** What is opened is what was claimed, whatever a link does meanwhile: real lines and drivers, links in the test's hand. */
import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { parseConfig } from "@fiscald/daemon/config/load-config.js";
import { claimSerialPort } from "@fiscald/daemon/ports/claim-serial-port.js";
import { createPortClaims, type PortClaims } from "@fiscald/daemon/ports/port-claims.js";
import { serialDevice, serialPortName } from "@fiscald/daemon/ports/port-name.js";
import { openRegisters } from "@fiscald/daemon/registers/actor/open-registers.js";
import { type Emulator, openEmulator } from "@fiscald/drivers/emulator/open-emulator.js";
import type { FiscalDriver } from "@fiscald/drivers/fiscal-driver.js";
import { systemClock } from "@fiscald/shared/clock.js";
import { toRegisterId } from "@fiscald/shared/ids.js";
import { silentLogger } from "@fiscald/shared/logger.js";
import { hasSocat, needsSocat, openSerialPair } from "../../../support/serial-pair.js";
import { useTempFolder } from "../../../support/temp-folder.js";

const folder = useTempFolder();
const undo: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

const till = toRegisterId("till");
const link = () => join(folder(), "by-id");

function leadTo(port: string): void {
  rmSync(link(), { force: true });
  symlinkSync(port, link());
}

function claimsOf(pid: number, database: string): PortClaims {
  const claims = createPortClaims({ pid, database, clock: systemClock, log: silentLogger });
  undo.push(() => claims.releaseAll());
  return claims;
}

async function emulate(name: string, kkm: string): Promise<{ readonly path: string; readonly emulator: Emulator }> {
  mkdirSync(join(folder(), name));
  const pair = await openSerialPair(join(folder(), name));
  undo.push(() => pair.close());
  const emulator = await openEmulator({ maker: "shtrih", listen: `serial:${pair.device}`, kkm });
  undo.push(() => emulator.close());
  return { path: pair.host, emulator };
}

/** The register at the link; `onClaimed` is what happens to the world as soon as its port is claimed. */
async function openTill(onClaimed: () => void): Promise<FiscalDriver> {
  const nowhere = "http://127.0.0.1:9/fiscal";
  const raw = {
    version: 1,
    sites: [{ id: "shop", urls: { orders: nowhere, result: nowhere } }],
    registers: [{ id: "till", driver: "shtrih", connection: { kind: "serial", path: link() }, sites: ["shop"] }],
  };
  const { registers } = parseConfig(JSON.stringify(raw), "c", { folder: folder(), env: {}, readFile: () => "" });
  const claims = claimsOf(process.pid, "/own.sqlite");
  const [member] = await openRegisters(
    {
      registers,
      meta: { get: () => null, set: () => {}, remove: () => {}, withPrefix: () => new Map() },
      claims: {
        ...claims,
        async claim(register, names) {
          await claims.claim(register, names);
          onClaimed();
        },
      },
      clock: systemClock,
      random: () => 0.5,
      log: silentLogger,
      driverTimeouts: { reactMs: 300, byteGapMs: 300 },
      listPorts: async () => [],
    },
    undo,
  );
  if (member === undefined) throw new Error("no register");
  return member.driver;
}

const soon = () => AbortSignal.timeout(20_000);

describe(`a register whose port is a link${needsSocat}`, () => {
  const onLine = hasSocat ? test : test.skip;

  onLine("a device that turns up after the claim waits for the next attempt, which asks who has it", async () => {
    const { path, emulator } = await emulate("line", "0000000000000001");
    const other = claimsOf(4711, "/other.sqlite");
    await other.claim(till, [await serialPortName(path)]);
    let isThere = false;
    const driver = await openTill(() => {
      if (!isThere) leadTo(path);
      isThere = true;
    });

    await expect(driver.connect(soon())).rejects.toMatchObject({
      code: "link.not-found",
      message: expect.stringContaining(link()),
    });
    await expect(driver.connect(soon())).rejects.toMatchObject({ code: "link.held", details: { pid: 4711 } });
    expect(emulator.device.wire.counts.in).toBe(0);

    await other.releaseAll();
    expect((await driver.connect(soon())).kkm).toBe("0000000000000001");
    await expect(other.claim(till, [await serialPortName(path)])).rejects.toMatchObject({ code: "link.held" });
    await other.claim(till, [`serial ${link()}`]);
  });

  onLine("a link that leads elsewhere after the claim is not followed there", async () => {
    const [own, others] = [await emulate("own", "0000000000000001"), await emulate("others", "0000000000000002")];
    await claimsOf(4711, "/other.sqlite").claim(till, [await serialPortName(others.path)]);
    leadTo(own.path);
    const driver = await openTill(() => leadTo(others.path));
    expect((await driver.connect(soon())).kkm).toBe("0000000000000001");
    expect(others.emulator.device.wire.counts.in).toBe(0);
  });
});

test("the port that is asked for last is claimed last, however long the earlier one is looked for", async () => {
  const own = claimsOf(process.pid, "/own.sqlite");
  const other = claimsOf(4711, "/other.sqlite");
  const [early, late] = [join(folder(), "early"), join(folder(), "late")];
  let find: (device: string) => void = () => {};
  const claim = claimSerialPort({
    claims: own,
    register: till,
    findDevice: (path) =>
      path === early
        ? new Promise((resolve) => {
            find = resolve;
          })
        : Promise.resolve(path),
  });
  const both = Promise.all([claim(early), claim(late)]);
  await new Promise(setImmediate);
  find(early);
  expect(await both).toEqual([early, late]);
  await expect(other.claim(till, [`serial ${late}`])).rejects.toMatchObject({ code: "link.held" });
  await other.claim(till, [`serial ${early}`]);
});

test("a port of Windows is opened by the name it was given", async () => {
  expect(await serialDevice("\\\\.\\com3", "win32")).toBe("\\\\.\\com3");
});
