/** No probe disturbs a register of any maker, by the records of the emulators. */
import { createStxEtxDecoder, encodeStxEtx } from "@fiscald/drivers/framing/stx-etx-crc.js";
import { type DriverName, driverNames, loadProbes } from "@fiscald/drivers/registry.js";
import { openSerialPair, type SerialPair } from "../../support/serial-pair.js";
import { useTempFolder } from "../../support/temp-folder.js";
import { endOf, look, openWatched, type WatchedRegister } from "./probe-world.js";

const registers = [
  { title: "Shtrih-M, link v1", driver: "shtrih", maker: "shtrih", protocol: "v1" },
  { title: "Shtrih-M, link v2", driver: "shtrih", maker: "shtrih", protocol: "v2" },
  { title: "PIRIT", driver: "pirit", maker: "pirit", protocol: undefined },
  { title: "ATOL, service v2", driver: "atol", maker: "atol", protocol: "v2" },
  { title: "ATOL, service v1", driver: "atol", maker: "atol", protocol: "v1" },
  { title: "reference", driver: "reference", maker: "reference", protocol: undefined },
] as const;

/** Commands that only read, by the sections of the makers' protocols. */
const reading: Readonly<Record<DriverName, RegExp>> = {
  // Sections 6 to 9: type, model parameters, long status, drive status, registration, table field, font.
  shtrih: /^(FC|F7|11|FF01|FF09|1F|26)\b/,
  // Sections 4 and 11: status, queries to the register and to its drive.
  pirit: /^(00|02|78)\b/,
  // Sections 1 and 2: GETs, a job whose only task is a query, and that task.
  atol: /^(GET |POST requests .*post get\w+$|get\w+)/,
  reference: /^IDENT\b/,
};

let watched: WatchedRegister;
afterEach(() => watched.emulator.close());

describe.each(registers)("discovery of a register of $title", ({ driver, maker, protocol }) => {
  beforeEach(async () => {
    watched = await openWatched({ maker, protocol, listen: `${maker === "atol" ? "http" : "tcp"}:127.0.0.1:0` });
  });

  test("all makers' probes together find a register as its own maker's, and only read from the register", async () => {
    const before = await watched.snapshot();
    const { core, title } = watched.emulator;
    const { found, others } = await look({ hosts: [endOf(watched.emulator)] });
    expect(others).toEqual([]);
    expect(found).toMatchObject([
      { driver, fault: null, identity: { kkm: core.registration.kkm, inn: core.registration.inn, fn: core.fn } },
    ]);
    expect(title).toContain(found[0]?.identity?.model ?? "?");
    expect(watched.commands.length).toBeGreaterThan(0);
    expect(watched.commands.filter((command) => !reading[driver].test(command))).toEqual([]);
    expect(await watched.snapshot()).toEqual(before);
  });

  test.each(driverNames.filter((name) => name !== driver))(
    "a register of another maker executes no command of the %s probe",
    async (other) => {
      const before = await watched.snapshot();
      const { found, others } = await look({ hosts: [endOf(watched.emulator)] }, [other]);
      expect(found).toEqual([]);
      expect(others).toMatchObject([{ named: true }]);
      expect(watched.commands).toEqual([]);
      expect(await watched.snapshot()).toEqual(before);
    },
  );
});

describe("probes over a serial line", () => {
  const folder = useTempFolder();
  let pair: SerialPair;
  afterEach(() => pair.close());

  test.each([
    ["shtrih", ["pirit", "atol"]],
    ["pirit", ["shtrih", "atol"]],
    ["reference", ["shtrih", "pirit", "atol"]],
  ] as const)("a %s register on a serial line executes no command of other makers' probes", async (maker, others) => {
    pair = await openSerialPair(folder());
    watched = await openWatched({ maker, listen: `serial:${pair.device}` });
    const before = await watched.snapshot();
    expect((await look({ namedPorts: [pair.host] }, others)).found).toEqual([]);
    expect(watched.commands).toEqual([]);
    expect(await watched.snapshot()).toEqual(before);
    expect((await look({ namedPorts: [pair.host] })).found).toMatchObject([{ driver: maker }]);
    expect(watched.commands.filter((command) => !reading[maker].test(command))).toEqual([]);
    expect(await watched.snapshot()).toEqual(before);
  });
});

test("a PIRIT gets no line end from any probe, because a line end would feed its paper", async () => {
  watched = await openWatched({ maker: "pirit", listen: "tcp:127.0.0.1:0" });
  await look({ hosts: [endOf(watched.emulator)] }, ["shtrih"]);
  await look({ hosts: [endOf(watched.emulator)] });
  const bytes = (await watched.bytesIn()).match(/../g) ?? [];
  expect(bytes.length).toBeGreaterThan(0);
  expect(bytes).not.toContain("0a");
});

test("a Shtrih-M gets only ENQ and EOT from the PIRIT probe", async () => {
  watched = await openWatched({ maker: "shtrih", listen: "tcp:127.0.0.1:0" });
  await look({ hosts: [endOf(watched.emulator)] }, ["pirit"]);
  expect(await watched.bytesIn()).toMatch(/^05(04)?$/);
});

test("the PIRIT probe's request is no good frame of ATOL's link and no whole frame of Shtrih-M's", async () => {
  const probe = (await loadProbes()).get("pirit");
  const verdict = probe?.requests[0]?.read(Uint8Array.of(0x06), true);
  if (verdict?.kind !== "ask") throw new Error("an ACK alone must lead to the question");
  const [stx, ...rest] = verdict.next.bytes;
  expect(stx).toBe(0x02);
  // Shtrih-M: the length after STX promises more bytes than come, even when everything is sent three times.
  expect(rest[0]).toBeGreaterThan(3 * verdict.next.bytes.length);
  // ATOL: the byte after ETX is not the exclusive or of what is between STX and this byte.
  const end = rest.indexOf(0x03);
  expect(rest[end + 1]).not.toBe(rest.slice(0, end + 1).reduce((sum, byte) => sum ^ byte, 0));
  const frames: string[] = [];
  createStxEtxDecoder(({ kind }) => frames.push(kind)).push(verdict.next.bytes);
  expect(frames).toEqual(["frame"]);
  expect(encodeStxEtx(Buffer.from("PIRI 00"))).toEqual(Uint8Array.from(verdict.next.bytes));
  watched = await openWatched({ maker: "reference" });
});
