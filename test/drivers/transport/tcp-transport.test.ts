import { once } from "node:events";
import { createServer as createWebServer } from "node:http";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { createPiritDriver } from "@fiscald/drivers/pirit/driver.js";
import { piritOptionsSchema } from "@fiscald/drivers/pirit/options.js";
import { createShtrihDriver } from "@fiscald/drivers/shtrih/driver.js";
import { shtrihOptionsSchema } from "@fiscald/drivers/shtrih/options.js";
import { createTcpTransport } from "@fiscald/drivers/transport/tcp-transport.js";
import type { CloseReason } from "@fiscald/shared/byte-transport.js";
import { systemClock } from "@fiscald/shared/clock.js";
import { silentLogger } from "@fiscald/shared/logger.js";
import { hex, toHex } from "../vectors/hex.js";

const never = new AbortController().signal;

interface Place {
  readonly port: number;
  readonly connection: Promise<Socket>;
}

describe("the TCP transport", () => {
  let server: Server;

  beforeEach(() => {
    server = createServer();
  });
  afterEach(async () => {
    if (!server.listening) return;
    server.close();
    await once(server, "close");
  });

  async function listen(): Promise<Place> {
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    return { port, connection: once(server, "connection").then(([socket]: Socket[]) => nonNull(socket)) };
  }

  test("the TCP transport carries bytes both ways and reports its own close as asked for", async () => {
    const { port, connection } = await listen();
    const transport = createTcpTransport({ host: "127.0.0.1", port });
    expect(transport.label).toBe(`tcp 127.0.0.1:${port}`);
    const answered = new Promise<string>((resolve) => transport.onBytes((bytes) => resolve(toHex(bytes))));
    const reason = new Promise<CloseReason>((resolve) => transport.onClosed(resolve));
    await transport.open(never);
    const socket = await connection;
    await transport.write(hex("05"));
    const [heard] = await once(socket, "data");
    socket.write(hex("15"));
    expect([toHex(heard), await answered]).toEqual(["05", "15"]);
    const ended = once(socket, "end");
    await transport.close();
    await ended;
    expect(await reason).toEqual({ kind: "asked" });
  });

  test("closing the TCP transport after an unknown outcome resets the connection", async () => {
    const { port, connection } = await listen();
    const transport = createTcpTransport({ host: "127.0.0.1", port });
    await transport.open(never);
    const socket = await connection;
    const reset = once(socket, "error");
    await transport.close({ doubt: true });
    const [error] = await reset;
    expect(error).toMatchObject({ code: "ECONNRESET" });
  });

  test("a device that disconnects from the TCP transport is reported as lost, and writing fails", async () => {
    const { port, connection } = await listen();
    const transport = createTcpTransport({ host: "127.0.0.1", port });
    const reason = new Promise<CloseReason>((resolve) => transport.onClosed(resolve));
    await transport.open(never);
    (await connection).destroy();
    expect((await reason).kind).toBe("lost");
    await expect(transport.write(hex("05"))).rejects.toMatchObject({ code: "link.lost" });
    await transport.close();
  });

  test("opening a TCP port without a listener is the fault link.not-found", async () => {
    const { port } = await listen();
    server.close();
    await once(server, "close");
    await expect(createTcpTransport({ host: "127.0.0.1", port }).open(never)).rejects.toMatchObject({
      code: "link.not-found",
    });
  });

  test("opening a TCP address that no computer has is the fault link.not-found", async () => {
    const transport = createTcpTransport({ host: "no-such-register.invalid", port: 7778 });
    await expect(transport.open(never)).rejects.toMatchObject({ code: "link.not-found" });
  });

  test("an abort stops the opening of a TCP connection and leaves no socket open", async () => {
    const { port } = await listen();
    const transport = createTcpTransport({ host: "127.0.0.1", port });
    const reason = new Promise<CloseReason>((resolve) => transport.onClosed(resolve));
    const stop = new AbortController();
    const opening = transport.open(stop.signal);
    stop.abort();
    await expect(opening).rejects.toMatchObject({ code: "link.aborted" });
    expect(await reason).toEqual({ kind: "asked" });
  });
});

function nonNull<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("nothing there");
  return value;
}

describe("a web server on the port that the config names for a register", () => {
  test.each(["shtrih", "pirit"])(
    "the fault of the %s driver at a web server on a register's port says that a web server answers",
    async (maker) => {
      const server = createWebServer();
      server.listen(0, "127.0.0.1");
      await once(server, "listening");
      const { port } = server.address() as AddressInfo;
      const setup = {
        openTransport: () => createTcpTransport({ host: "127.0.0.1", port }),
        clock: systemClock,
        logger: silentLogger,
      };
      const driver =
        maker === "shtrih"
          ? createShtrihDriver({ ...setup, options: shtrihOptionsSchema.parse({}) })
          : createPiritDriver({ ...setup, random: () => 0.5, options: piritOptionsSchema.parse({}) });
      await expect(driver.connect(never)).rejects.toMatchObject({
        code: "link.foreign",
        message: expect.stringContaining(`a web server answers at tcp 127.0.0.1:${port}`),
      });
      await driver.close();
      server.close();
    },
  );
});
