/** A print server that polls and prints nothing: a socket with a held poll, and the orders that it received. */
import { connect, type Socket } from "node:net";

export interface HeldPollOptions {
  readonly port: number;
  readonly kkm: string;
  /** The first poll is sent after so many ms. */
  readonly afterMs: number;
  /** The print server received an order. `at`: by `performance.now()`. */
  onOrder(orderId: string, at: number): void;
  /** The first poll has been sent and is held: the first of all, or the first after the node was away. */
  onBack(): void;
}

export interface HeldPoll {
  close(): void;
}

export const HELD_MS = 50_000;
/** A poll to a node that is away is repeated after a random time of at most so many ms, as daemons do. */
const AGAIN_MS = 2_000;
const END_OF_HEAD = "\r\n\r\n";

export function openHeldPoll({ port, kkm, afterMs, onOrder, onBack }: HeldPollOptions): HeldPoll {
  let socket: Socket | null = null;
  let isClosed = false;
  const body = JSON.stringify({ action: "order", kkm });
  const request = [
    "POST /fiscal HTTP/1.1",
    "Host: 127.0.0.1",
    "Content-Type: application/json",
    `Prefer: wait=${HELD_MS / 1000}`,
    `Fiscald-Daemon: ${kkm}`,
    `Content-Length: ${body.length}`,
    "",
    body,
  ].join("\r\n");

  function open(): void {
    if (isClosed) return;
    let received = "";
    socket = connect({ port, host: "127.0.0.1", noDelay: true }, () => {
      socket?.write(request);
      onBack();
    });
    socket.setEncoding("latin1");
    socket.on("error", () => {});
    socket.on("close", () => void setTimeout(open, Math.random() * AGAIN_MS));
    socket.on("data", (text: string) => {
      received += text;
      const endOfHead = received.indexOf(END_OF_HEAD);
      const [, length = ""] = /^content-length: *(\d+)/im.exec(received) ?? [];
      if (endOfHead < 0 || received.length < endOfHead + END_OF_HEAD.length + Number(length)) return;
      if (!received.startsWith("HTTP/1.1 200")) throw new Error(received);
      const [, orderId] = /"orderId":"([^"]+)"/.exec(received) ?? [];
      if (orderId !== undefined) onOrder(orderId, performance.now());
      received = "";
      socket?.write(request);
    });
  }

  setTimeout(open, afterMs);
  return {
    close() {
      isClosed = true;
      socket?.destroy();
    },
  };
}
