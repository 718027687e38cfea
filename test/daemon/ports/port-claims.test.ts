import { existsSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { claimAddress } from "@fiscald/daemon/ports/claim-address.js";
import { createPortClaims, type PortClaims } from "@fiscald/daemon/ports/port-claims.js";
import { addressOfClaim, serialPortName, tcpPortNames } from "@fiscald/daemon/ports/port-name.js";
import { systemClock } from "@fiscald/shared/clock.js";
import { toRegisterId } from "@fiscald/shared/ids.js";
import { silentLogger } from "@fiscald/shared/logger.js";
import { startChild } from "../../support/child-process.js";
import { useTempFolder } from "../../support/temp-folder.js";
import { createTestLogger } from "../../support/test-logger.js";

const folder = useTempFolder();
const undo: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

const till = toRegisterId("till");
const bar = toRegisterId("bar");
const self = { pid: 7, since: "2026-11-22T10:00:00.000Z", database: "/data/a.sqlite" };
/** Names of this test's own: others run beside it. */
const addressOf = (name: string) => addressOfClaim(`${folder()} ${name}`);

function claimsOf(database: string, pid: number): PortClaims {
  const claims = createPortClaims({ pid, database, clock: systemClock, log: silentLogger, addressOf });
  undo.push(() => claims.releaseAll());
  return claims;
}

async function listenAt(address: string, answer: string | null): Promise<void> {
  const server: Server = createServer((socket) => {
    socket.on("error", () => {});
    if (answer !== null) socket.end(answer);
    undo.push(async () => void socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(address, resolve));
  undo.push(async () => void server.close());
}

test("links to a port are one with it, what is not there keeps its name, and COM names know no case", async () => {
  const device = join(folder(), "ttyUSB0");
  const link = join(folder(), "by-id");
  writeFileSync(device, "");
  symlinkSync(device, link);
  expect(await serialPortName(link)).toBe(`serial ${device}`);
  expect(await serialPortName("/dev/not-there")).toBe("serial /dev/not-there");
  expect(await serialPortName("\\\\.\\com3", "win32")).toBe("serial COM3");
});

test("a name of an address that cannot be looked up is kept", async () => {
  expect(await tcpPortNames("Till.Invalid", 7778, systemClock)).toContain("tcp till.invalid:7778");
  expect(await tcpPortNames("10.0.0.7", 7778, systemClock)).toEqual(["tcp 10.0.0.7:7778"]);
});

test("a name of several addresses, such as localhost on most machines, is one with each of them", async () => {
  const both = async () => ["::1", "127.0.0.1"];
  const names = ["tcp localhost:7778", "tcp ::1:7778", "tcp 127.0.0.1:7778"];
  expect(await tcpPortNames("LocalHost", 7778, systemClock, both)).toEqual(names);
});

test("each system has its own place for a claim", () => {
  expect(addressOfClaim("serial COM3", "win32")).toMatch(/^\\\\\.\\pipe\\fiscald-port-[0-9a-f]{16}$/);
  expect(addressOfClaim("serial COM3", "darwin").startsWith(join(tmpdir(), "fiscald-port-"))).toBe(true);
  expect(addressOfClaim("serial COM3", "linux")).toMatch(/^\0fiscald-port-/);
});

test("what one daemon has claimed another cannot, until it lets go of it", async () => {
  const [first, second] = [claimsOf("/data/a.sqlite", 41), claimsOf("/data/b.sqlite", 42)];
  await first.claim(till, ["serial A"]);
  await expect(second.claim(till, ["serial A"])).rejects.toMatchObject({
    code: "link.held",
    place: "serial A",
    message: expect.stringMatching(/^serial A is held by process 41, running since .* with the database \/data\/a/),
  });
  await first.claim(till, ["serial B"]);
  await second.claim(till, ["serial A"]);
  await expect(first.claim(till, ["serial A"])).rejects.toMatchObject({ details: { pid: 42 } });
  await second.releaseAll();
  await first.claim(till, ["serial A"]);
});

test("what cannot be claimed whole is not claimed at all", async () => {
  const [first, second] = [claimsOf("/data/a.sqlite", 41), claimsOf("/data/b.sqlite", 42)];
  await first.claim(till, ["tcp 10.0.0.7:1"]);
  await expect(second.claim(till, ["tcp kassa:1", "tcp 10.0.0.7:1"])).rejects.toMatchObject({ code: "link.held" });
  await first.claim(till, ["tcp kassa:1"]);
});

test("registers of one daemon may meet at a port, which stays its own until the last of them leaves", async () => {
  const [first, second] = [claimsOf("/data/a.sqlite", 41), claimsOf("/data/b.sqlite", 42)];
  await Promise.all([first.claim(till, ["serial A"]), first.claim(bar, ["serial A"])]);
  await first.claim(till, ["serial B"]);
  await expect(second.claim(till, ["serial A"])).rejects.toMatchObject({ code: "link.held" });
  await first.claim(bar, ["serial C"]);
  await second.claim(till, ["serial A"]);
});

test("a register that is given another port while its claim is under way has that one, and nothing else", async () => {
  const [first, second] = [claimsOf("/data/a.sqlite", 41), claimsOf("/data/b.sqlite", 42)];
  await Promise.all([first.claim(till, ["serial A"]), first.claim(till, ["serial B"])]);
  await second.claim(bar, ["serial A"]);

  await listenAt(addressOf("serial hung"), null);
  const late = first.claim(till, ["serial hung"]);
  const [refused] = await Promise.allSettled([late, first.claim(till, ["serial B"])]);
  expect(refused).toMatchObject({ status: "rejected", reason: { code: "link.held" } });
  await expect(second.claim(till, ["serial B"])).rejects.toMatchObject({ code: "link.held" });
});

test.each([
  ["says nothing", null],
  ["says no JSON", "hello"],
  ["says something else", '{"pid":"x"}'],
  ["speaks to the terminal", JSON.stringify({ ...self, database: "\u001b[2J" })],
  ["does not stop talking", "x".repeat(100_000)],
])("a holder that %s is a holder", async (_, answer) => {
  await listenAt(addressOf("A"), answer);
  await expect(claimAddress(addressOf("A"), self, systemClock)).resolves.toEqual({ kind: "held", by: null });
});

test("who has a port and does not say so can be found by the address", async () => {
  const claims = claimsOf("/data/a.sqlite", 41);
  await listenAt(addressOf("serial A"), "hello");
  const shown = addressOf("serial A").replace("\0", "@");
  const refused = claims.claim(till, ["serial A"]);
  await expect(refused).rejects.toMatchObject({ code: "link.held", message: expect.stringContaining(` at ${shown} `) });
});

test("the socket file of a process that was killed is taken over, that of a living one is not", async () => {
  const address = join(folder(), "claim.sock");
  const child = startChild([
    "--eval",
    `require("node:net").createServer().listen(${JSON.stringify(address)}, () => console.log("has it"))`,
  ]);
  await child.line(/has it/);
  child.signal("SIGKILL");
  await child.ended;
  expect(existsSync(address)).toBe(true);
  const taken = await claimAddress(address, self, systemClock);
  expect(taken.kind).toBe("taken");
  expect(await claimAddress(address, { ...self, pid: 8 }, systemClock)).toEqual({ kind: "held", by: self });
  if (taken.kind === "taken") await taken.release();
});

test("a system that lets nobody listen stops no daemon, and says so", async () => {
  const lines: string[] = [];
  const nowhere = join(folder(), "not-there", "claim.sock");
  const claims = createPortClaims({
    ...self,
    clock: systemClock,
    log: createTestLogger((line) => void lines.push(line)),
    addressOf: () => nowhere,
  });
  await claims.claim(till, ["serial A"]);
  expect(lines.join("\n")).toContain("cannot be claimed");
  await claims.releaseAll();
});
