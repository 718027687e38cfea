import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { UsbDevice } from "@fiscald/drivers/transport/serial-ports.js";
import { createSerialTransport } from "@fiscald/drivers/transport/serial-transport.js";
import { type Emulator, openEmulator } from "@fiscald/emulators/open-emulator.js";
import { openSerialPair, type SerialPair } from "../../support/serial-pair.js";
import { frame } from "../emulators/host.js";
import { endOf, look, testWaits } from "./probe-world.js";

const undo: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

async function openPair(): Promise<SerialPair> {
  const folder = mkdtempSync(join(tmpdir(), "fiscald-discover-"));
  const pair = await openSerialPair(folder);
  undo.push(
    async () => rmSync(folder, { recursive: true }),
    () => pair.close(),
  );
  return pair;
}

async function open(options: Parameters<typeof openEmulator>[0]): Promise<Emulator> {
  const emulator = await openEmulator(options);
  undo.push(() => emulator.close());
  return emulator;
}

const usb = (over: Partial<UsbDevice> = {}): UsbDevice => ({
  vendorId: "0403",
  productId: "6001",
  serialNumber: "A1",
  manufacturer: "FTDI",
  ...over,
});

describe("discovery on serial ports", () => {
  test("discovery finds each register by its own maker's probe, on all ports in parallel", async () => {
    const pairs = await Promise.all([openPair(), openPair(), openPair()]);
    const [one, two, three] = pairs.map(({ device }) => `serial:${device}`);
    await open({ maker: "shtrih", listen: one, kkm: "0000000000000001" });
    await open({ maker: "pirit", listen: two, kkm: "0000000000000002" });
    await open({ maker: "shtrih", protocol: "v2", listen: three, kkm: "0000000000000003" });
    const ports = pairs.map(({ host }, index) => ({ path: host, usb: usb({ serialNumber: `N${index}` }) }));
    const { found, others } = await look({ listPorts: async () => ports });
    expect(others).toEqual([]);
    expect(found).toMatchObject([
      {
        driver: "shtrih",
        options: {},
        identity: { kkm: "0000000000000001" },
        connection: { usbSerialNumber: "N0" },
        usb: ports[0]?.usb,
      },
      { driver: "pirit", identity: { kkm: "0000000000000002" }, connection: { path: ports[1]?.path } },
      { driver: "shtrih", options: { link: "v2" }, identity: { kkm: "0000000000000003" } },
    ]);
  });

  test("discovery looks for the reference register only on a port that a person named", async () => {
    const pair = await openPair();
    await open({ maker: "reference", listen: `serial:${pair.device}` });
    const unnamed = await look({ listPorts: async () => [{ path: pair.host, usb: null }] }, ["reference", "pirit"]);
    expect(unnamed.found).toEqual([]);
    const named = await look({ namedPorts: [pair.host] });
    expect(named.found).toMatchObject([{ driver: "reference" }]);
  });

  test("discovery reports a port that another program uses as busy, and a missing port as closed", async () => {
    const pair = await openPair();
    const owner = createSerialTransport({ path: pair.host, baudRate: 115_200 });
    await owner.open(AbortSignal.timeout(5000));
    undo.push(() => owner.close());
    const { others } = await look({ namedPorts: [pair.host, "/dev/nothing-here"] });
    expect(others).toMatchObject([
      { place: pair.host, state: "busy" },
      { place: "/dev/nothing-here", state: "closed" },
    ]);
  });

  test("discovery probes a port only once that was named twice", async () => {
    const pair = await openPair();
    const emulator = await open({ maker: "shtrih", listen: `serial:${pair.device}` });
    const { found, others } = await look({ namedPorts: [pair.host, pair.host] });
    expect([found.length, others.length]).toEqual([1, 0]);
    expect(found[0]?.identity?.kkm).toBe(emulator.core.registration.kkm);
  });

  test("discovery sends no byte to an ATOL register on its own port, and the advice says where to find the register", async () => {
    const port = { path: "/dev/nothing-here", usb: usb({ vendorId: "2912", productId: "0005" }) };
    const { others } = await look({ listPorts: async () => [port] });
    expect(others).toMatchObject([{ state: "not-asked", reason: expect.stringContaining("print service") }]);
  });
});

describe("discovery on addresses", () => {
  /** A device that answers ENQ in a way of its own. */
  let ends: Promise<string>[] = [];

  async function serve(onBytes: (bytes: Buffer, socket: Socket) => void): Promise<{ host: string; port: number }> {
    ends = [];
    const server: Server = createServer((socket) => {
      ends.push(
        new Promise((resolve) => {
          socket.on("error", (error) => resolve("code" in error ? String(error.code) : error.message));
          socket.on("close", () => resolve("closed"));
        }),
      );
      socket.on("data", (bytes) => onBytes(bytes, socket));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    undo.push(() => new Promise((resolve) => server.close(resolve)));
    const address = server.address();
    return { host: "127.0.0.1", port: typeof address === "object" && address !== null ? address.port : 0 };
  }

  test("discovery takes a device that ACKs everything for no register, sends EOT and tries no other protocol", async () => {
    const heard: string[] = [];
    const end = await serve((bytes, socket) => {
      heard.push(bytes.toString("hex"));
      // The device refuses a frame with a wrong checksum, as ATOL's serial link does.
      socket.write(Uint8Array.of(bytes[0] === 0x02 ? 0x15 : 0x06));
    });
    const { others } = await look({ hosts: [end] });
    expect(others).toMatchObject([{ state: "foreign", reason: expect.stringContaining("06") }]);
    // An answer that is late on a loaded machine makes the host send the request once more.
    const asked = heard.filter((bytes, at) => bytes !== heard[at - 1]);
    expect(asked).toEqual(["05", "0250495249203030033231", "04"]);
  });

  test("discovery finds a Shtrih-M that still has an answer for an earlier host", async () => {
    const emulator = await open({ maker: "shtrih", listen: "tcp:127.0.0.1:0" });
    const earlier = await look({ hosts: [endOf(emulator)] });
    expect(earlier.found).toHaveLength(1);
    emulator.faults.add({ effect: "drop-answer", when: { command: "FC", nth: 1 }, times: 1 });
    const { found } = await look({ hosts: [endOf(emulator)] });
    expect(found).toMatchObject([{ driver: "shtrih", fault: null }]);
  });

  test("discovery makes a busy Shtrih-M execute nothing, and advises to search again", async () => {
    const emulator = await open({ maker: "shtrih", listen: "tcp:127.0.0.1:0" });
    const commands: string[] = [];
    emulator.device.addBehaviour({
      onCommand({ names }) {
        commands.push(names[0] ?? "?");
        // The first host has gone, and the register's work goes on.
        return "handled";
      },
    });
    const earlier = emulator.transportFactory();
    await earlier.open(AbortSignal.timeout(1000));
    await earlier.write(frame("10 1E 00 00 00"));
    await earlier.close();
    const { found, others } = await look({ hosts: [endOf(emulator)] });
    expect([found, commands]).toEqual([[], ["10"]]);
    expect(others).toMatchObject([{ state: "foreign", reason: expect.stringContaining("look again") }]);
  });

  test("discovery tries a register again that refuses a second connection", async () => {
    const emulator = await open({ maker: "shtrih", listen: "tcp:127.0.0.1:0" });
    const { device } = emulator;
    let answers = 0;
    device.addBehaviour({
      afterBytes(direction) {
        if (direction === "in") return;
        answers += 1;
        if (answers === 1) queueMicrotask(() => device.unplug(50));
      },
    });
    expect((await look({ hosts: [endOf(emulator)] })).found).toMatchObject([{ driver: "shtrih", fault: null }]);
  });

  test("discovery recognises a PIRIT with another password, without its identity", async () => {
    const emulator = await open({ maker: "pirit", listen: "tcp:127.0.0.1:0" });
    emulator.core.setMakerSetting("item.20.0", "OTHR");
    const { found } = await look({ hosts: [endOf(emulator)] });
    expect(found).toMatchObject([{ driver: "pirit", identity: null, fault: { code: "device.wrong-password" } }]);
  });

  test("discovery resets a connection whose request got no answer, so that the request does not arrive late", async () => {
    const end = await serve(() => {});
    const { others } = await look({ hosts: [end] });
    expect(others).toMatchObject([{ state: "silent" }]);
    expect(new Set(await Promise.all(ends))).toEqual(new Set(["ECONNRESET"]));
  });

  test("discovery reports an ATOL service that asks for a password, with this reason and without its identity", async () => {
    const emulator = await open({ maker: "atol", listen: "http:127.0.0.1:0", unconfirmed: { basic: "on" } });
    const { found } = await look({ hosts: [endOf(emulator)] });
    expect(found).toMatchObject([{ driver: "atol", identity: null, fault: { code: "device.wrong-password" } }]);
  });

  test("discovery does not report a web server without a print service as a register", async () => {
    const end = await serve((_bytes, socket) => socket.end("HTTP/1.1 401 Unauthorized\r\ncontent-length: 0\r\n\r\n"));
    const { found, others } = await look({ hosts: [end] });
    expect([found, others]).toMatchObject([[], [{ state: "foreign" }]]);
  });

  test("discovery sends no byte to a port or an address that the running daemon uses", async () => {
    const emulator = await open({ maker: "shtrih", listen: "tcp:127.0.0.1:0" });
    const end = endOf(emulator);
    const held = new Map([[`${end.host}:${end.port}`, "register till-1 is here"]]);
    expect((await look({ hosts: [end], held })).others).toMatchObject([
      { state: "busy", reason: "register till-1 is here" },
    ]);
    expect(emulator.device.wire.counts.in).toBe(0);
  });

  test("discovery fails on a system that does not list its ports, unless an address was named", async () => {
    const emulator = await open({ maker: "shtrih", listen: "tcp:127.0.0.1:0" });
    const waits = { ...testWaits, openMs: 200 };
    const listPorts = () => new Promise<never>(() => {});
    await expect(look({ listPorts, waits })).rejects.toMatchObject({ code: "link.timeout" });
    expect((await look({ listPorts, waits, hosts: [endOf(emulator)] })).found).toHaveLength(1);
  });

  test("an abort ends discovery at once while it waits for an answer", async () => {
    const end = await serve(() => {});
    const stop = new AbortController();
    const looking = look({ hosts: [end], waits: { ...testWaits, answerMs: 60_000 } }, undefined, stop.signal);
    setImmediate(() => stop.abort());
    await expect(looking).rejects.toMatchObject({ code: "link.aborted" });
  });
});
