/**
 * A site whose cost is only its socket, so that only the daemon is measured: an order's answer is made before the poll,
 * and a result counts as received with its last byte, before the site reads it.
 */
import { createServer, type Socket } from "node:net";
import { z } from "zod";

export interface WireSite {
  readonly url: string;
  /** True: a poll waits for an order. */
  isHeld(): boolean;
  /**
   * Answers the waiting poll with this order. Resolves with the ms from then to the last byte of its result; rejects
   * when the result says that the order was not printed.
   */
  print(order: object): Promise<number>;
  /** Answers the held poll with "nothing" and holds no more polls: a daemon that stops has no poll to wait for. */
  stopHolding(): void;
  close(): Promise<void>;
}

const siteCallSchema = z.object({
  action: z.string(),
  resultCode: z.number().optional(),
  resultInfo: z.string().optional(),
});

type SiteCall = z.infer<typeof siteCallSchema>;

export async function startWireSite(): Promise<WireSite> {
  let held: Socket | null = null;
  let mayHold = true;
  let onResult = (_result: SiteCall, _heardAt: number) => {};
  const sockets = new Set<Socket>();

  function serve(socket: Socket, body: string, heardAt: number): void {
    const call = siteCallSchema.parse(JSON.parse(body));
    if (call.action === "order" && mayHold) {
      held = socket;
      return;
    }
    if (call.action === "orderConfirm") onResult(call, heardAt);
    socket.write(answerOf(""));
  }

  function release(answer: string): void {
    const socket = held;
    held = null;
    socket?.write(answer);
  }

  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => {
      sockets.delete(socket);
      if (held === socket) held = null;
    });
    let waiting: Buffer = Buffer.alloc(0);
    socket.on("data", (bytes) => {
      const heardAt = performance.now();
      waiting = Buffer.concat([waiting, bytes]);
      for (let request = firstRequest(waiting); request !== null; request = firstRequest(waiting)) {
        waiting = waiting.subarray(request.length);
        serve(socket, request.body, heardAt);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the site has no port");

  return {
    url: `http://127.0.0.1:${address.port}/fiscal`,
    isHeld: () => held !== null,
    print(order) {
      const answer = answerOf(JSON.stringify(order));
      return new Promise((resolve, reject) => {
        const startedAt = performance.now();
        onResult = ({ resultCode, resultInfo }, heardAt) =>
          resultCode === 0 ? resolve(heardAt - startedAt) : reject(new Error(`not printed: ${resultInfo}`));
        release(answer);
      });
    },
    stopHolding() {
      mayHold = false;
      release(answerOf(""));
    },
    close() {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

const END_OF_HEAD = "\r\n\r\n";

/** The first whole request in the bytes; its body has a length, as the daemon sends it. */
function firstRequest(bytes: Buffer): { readonly body: string; readonly length: number } | null {
  const endOfHead = bytes.indexOf(END_OF_HEAD);
  if (endOfHead < 0) return null;
  const head = bytes.toString("latin1", 0, endOfHead);
  const [, bodyLength] = /^content-length: *(\d+)/im.exec(head) ?? [];
  if (bodyLength === undefined) throw new Error(`a request without a length:\n${head}`);
  const bodyAt = endOfHead + END_OF_HEAD.length;
  const length = bodyAt + Number(bodyLength);
  return bytes.length < length ? null : { body: bytes.toString("utf8", bodyAt, length), length };
}

/** With the headers of Node's own server, so that the daemon has as much to read. */
function answerOf(body: string): string {
  return [
    "HTTP/1.1 200 OK",
    `Date: ${new Date().toUTCString()}`,
    "Connection: keep-alive",
    "Keep-Alive: timeout=5",
    `Content-Length: ${Buffer.byteLength(body)}`,
    "",
    body,
  ].join("\r\n");
}
