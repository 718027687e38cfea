import { connect, createServer, type Socket } from "node:net";
import { z } from "zod";

/** One address for several registers' print services: a connection goes to the register that it names. */
export interface DeviceGate {
  readonly url: string;
  close(): Promise<void>;
}

/** `ports`: device id -> port of its emulated service; the first is the default device. */
export async function openDeviceGate(ports: Readonly<Record<string, number>>): Promise<DeviceGate> {
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.once("close", () => sockets.delete(socket));
    return socket;
  };
  const server = createServer((client) => {
    keep(client).once("data", (head) => {
      const device = /deviceID=([^& ]+)/.exec(head.toString("latin1"))?.[1] ?? Object.keys(ports)[0] ?? "";
      const port = ports[device];
      if (port === undefined) {
        client.end("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
        return;
      }
      const service = keep(connect({ host: "127.0.0.1", port }));
      service.write(head);
      client.pipe(service).pipe(client);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = z.object({ port: z.number() }).parse(server.address());
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
