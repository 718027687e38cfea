/** A relay to a TCP server that can stand still: the client then sees a server that hangs. */
import { connect, createServer, type Socket } from "node:net";

export interface TcpGate {
  readonly port: number;
  /** Nothing passes any more, and no connection is closed. */
  shut(): void;
  open(): void;
  close(): Promise<void>;
}

/** `heard` is called whenever the client sends. */
export async function openTcpGate(to: number, heard: () => void = () => {}): Promise<TcpGate> {
  const sockets = new Set<Socket>();
  let isShut = false;
  const server = createServer({ noDelay: true }, (client) => {
    const target = connect({ host: "127.0.0.1", port: to, noDelay: true });
    client.on("data", heard);
    for (const [socket, other] of [
      [client, target],
      [target, client],
    ] as const) {
      sockets.add(socket);
      socket.pipe(other);
      socket.on("error", () => other.destroy());
      socket.on("close", () => {
        sockets.delete(socket);
        other.destroy();
      });
      if (isShut) socket.pause();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : 0,
    shut() {
      isShut = true;
      for (const socket of sockets) socket.pause();
    },
    open() {
      isShut = false;
      for (const socket of sockets) socket.resume();
    },
    close() {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
