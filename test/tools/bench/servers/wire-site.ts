/**
 * A site that costs no more than its socket, so that what is measured is the daemon's: an order's answer is made before
 * it is asked for, and a result is heard when its last byte is there, before anybody reads it.
 */
import { createServer, type Socket } from "node:net";
import { z } from "zod";

export interface WireSite {
  readonly url: string;
  /** A poll is waiting for an order. */
  isHeld(): boolean;
  /**
   * Answers the poll that waits with this order; resolves with the ms from then to the last byte of its result. Rejects
   * when the result says that it was not printed.
   */
  print(order: object): Promise<number>;
  /** Answers what it holds with "nothing" and holds no more: a daemon that stops has no poll to wait for. */
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

/** The first whole request of what has come; its body has a length, as the daemon sends it. */
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

/** With the headers that Node's own server sends: the daemon has the same to read. */
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
