import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { createSerialTransport } from "@fiscald/drivers/transport/serial-transport.js";
import { type Child, startChild } from "../../support/child-process.js";
import { root } from "../../support/read-imports.js";
import { hasSocat, needsSocat, openSerialPair } from "../../support/serial-pair.js";
import { useTempFolder } from "../../support/temp-folder.js";
import { waitFor } from "../../support/wait-for.js";
import { toHex } from "../vectors/hex.js";
import { frame } from "./host.js";
import { closeCommand, itemCommand, OP } from "./shtrih/make-shtrih.js";

const folder = useTempFolder();
const state = () => join(folder(), "emulator.json");

const children: Child[] = [];
afterEach(async () => {
  for (const child of children.splice(0)) {
    child.signal("SIGKILL");
    await child.ended;
  }
});

function start(args: string): Child {
  const program = join(root, "test/dist/support/emulator-child.js");
  const child = startChild([program, "emulator", "--maker", "shtrih", ...args.split(" ")]);
  children.push(child);
  return child;
}

const onTcp = "--listen tcp:127.0.0.1:0";

async function startOnTcp(args = ""): Promise<{ child: Child; port: number; control: string }> {
  const child = start(`${onTcp} --control 127.0.0.1:0 --state ${state()}${args}`);
  const [, port = "", control = ""] = await child.line(
    /^ready listen=tcp:127\.0\.0\.1:(\d+) control=(http:\/\/127\.0\.0\.1:\d+)$/,
  );
  return { child, port: Number(port), control };
}

async function askOverTcp(port: number, commands: readonly string[]): Promise<string> {
  const socket = connect({ host: "127.0.0.1", port, noDelay: true });
  await once(socket, "connect");
  let received: number[] = [];
  let last = "";
  for (const command of commands) {
    socket.write(frame(command));
    received = [];
    while (received.length < 3 || received.length < 4 + (received[2] ?? 0)) {
      const [bytes]: [Uint8Array] = await readSome(socket);
      received.push(...bytes);
      if (received[0] === 0xff) received.shift();
    }
    last = toHex(Uint8Array.from(received));
    socket.write(Uint8Array.of(6));
  }
  socket.destroy();
  return last;
}

async function readSome(socket: ReturnType<typeof connect>): Promise<[Uint8Array]> {
  const [bytes] = await once(socket, "data");
  return [Uint8Array.from(Buffer.from(bytes))];
}

const documentsOf = async (control: string) => JSON.parse(await (await fetch(`${control}/documents`)).text());

test("an emulator process that is killed at once after its answer knows the receipt after a restart", async () => {
  const first = await startOnTcp();
  const closed = await askOverTcp(first.port, [`8D ${OP} 00`, itemCommand({ price: 1500 }), closeCommand({ 1: 1500 })]);
  expect(closed).toMatch(/^06 02 10 FF 45 00/);
  first.child.signal("SIGKILL");
  expect(await first.child.ended).toBe("SIGKILL");

  const second = await startOnTcp();
  const documents = await documentsOf(second.control);
  expect(
    documents.map(({ type, totalKopecks }: { type: string; totalKopecks: number | null }) => [type, totalKopecks]),
  ).toEqual([
    ["registration", null],
    ["shift-open", null],
    ["receipt", 1500],
  ]);
  // Document number and fiscal sign are those of the answer.
  const answer = Buffer.from(closed.replaceAll(" ", ""), "hex");
  expect([answer.readUInt32LE(11), String(answer.readUInt32LE(15)).padStart(10, "0")]).toEqual([
    documents[2].fd,
    documents[2].fiscalSign,
  ]);
});

test("an emulator process exits with 0 after SIGTERM", async () => {
  const { child } = await startOnTcp();
  child.signal("SIGTERM");
  expect(await child.ended).toBe(0);
});

test("an emulator process takes identity and model from the command line", async () => {
  const { control } = await startOnTcp(
    " --kkm 0009999999999999 --inn 500100732259 --fn 9999078900000777 --model smartpos --protocol v2",
  );
  expect(JSON.parse(await (await fetch(`${control}/state`)).text())).toMatchObject({
    kkm: "0009999999999999",
    inn: "500100732259",
    fn: "9999078900000777",
    title: "ШТРИХ-СМАРТПОС-Ф",
  });
});

test.each<[string, string, RegExp]>([
  ["an unknown model", `${onTcp} --model x`, /model: no such value "x"; there are desktop/],
  ["an unknown switch", `${onTcp} --unconfirmed moon=full`, /"moon"; there are garbage-in-idle/],
  ["a switch with an unknown value", `${onTcp} --unconfirmed tlv-end=09`, /"09"; there are 08, 34/],
  ["an invalid address", "--listen udp:1", /udp:1.*tcp:HOST:PORT/],
  ["an invalid control address", `${onTcp} --control 7780`, /7780.*HOST:PORT/],
])("an emulator process with %s names the mistake and exits with 2", async (_title, args, message) => {
  const child = start(args);
  expect(await child.ended).toBe(2);
  expect(child.output()).toMatch(message);
});

test("an emulator process exits with 1 when its port is in use, its line is missing or its state is damaged", async () => {
  const { port } = await startOnTcp();
  const taken = start(`--listen tcp:127.0.0.1:${port}`);
  expect([await taken.ended, taken.output()]).toEqual([1, expect.stringContaining("link.busy")]);
  const nowhere = start(`--listen serial:${join(folder(), "tty")}`);
  expect([await nowhere.ended, nowhere.output()]).toEqual([1, expect.stringContaining("link.not-found")]);
  const path = join(folder(), "other.json");
  writeFileSync(path, "hello\n");
  const damaged = start(`${onTcp} --state ${path}`);
  expect([await damaged.ended, damaged.output()]).toEqual([1, expect.stringContaining("store.damaged")]);
  expect(readFileSync(path, "utf8")).toBe("hello\n");
});

(hasSocat ? test : test.skip)(
  `an emulator process answers on a serial line, and receives nothing while unplugged${needsSocat}`,
  async () => {
    const pair = await openSerialPair(folder());
    const child = start(`--listen serial:${pair.device} --control 127.0.0.1:0`);
    const [, control = ""] = await child.line(/^ready listen=serial:\S+ control=(\S+)$/);
    const line = createSerialTransport({ path: pair.host, baudRate: 115_200 });
    const received: number[] = [];
    let wake = () => {};
    line.onBytes((bytes) => {
      received.push(...bytes);
      wake();
    });
    const heard = async (count: number) => {
      while (received.length < count)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      return toHex(Uint8Array.from(received.splice(0)));
    };
    await line.open(AbortSignal.timeout(5000));
    await line.write(Uint8Array.of(5));
    expect(await heard(1)).toBe("15");
    const fault = { effect: "unplug", ms: 3_600_000, when: { afterBytes: 1, direction: "in" } };
    await fetch(`${control}/faults`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(fault),
    });
    await line.write(Uint8Array.of(5));
    await waitFor("the cable is out", async () => {
      const { plugged } = JSON.parse(await (await fetch(`${control}/state`)).text());
      return plugged === false;
    });
    await fetch(`${control}/faults`, { method: "DELETE" });
    await line.write(frame(`13 ${OP}`));
    expect(await heard(7)).toBe("06 02 03 13 00 01 11");
    await line.close();
    child.signal("SIGTERM");
    expect(await child.ended).toBe(0);
    await pair.close();
  },
);
