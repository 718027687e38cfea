import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import { listen } from "./delivery-world.js";

export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** By `performance.now()`. */
  readonly at: number;
}

export interface Receiver {
  readonly url: string;
  /** Without test calls. */
  readonly received: readonly Received[];
  tested: number;
  status: number;
  /** Bodies that contain `text` get this status. Absent: all get `status`. */
  refuses?: { readonly text: string; readonly status: number };
  testStatus: number;
  close(): void;
}

export async function openReceiver(port = 0): Promise<Receiver> {
  const received: Received[] = [];
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const isTest = request.headers["x-callback-test"] !== undefined;
      const text = Buffer.concat(chunks).toString();
      if (isTest) receiver.tested += 1;
      else received.push({ headers: request.headers, text, at: performance.now() });
      const { refuses } = receiver;
      const status = refuses !== undefined && text.includes(refuses.text) ? refuses.status : receiver.status;
      response.writeHead(isTest ? receiver.testStatus : status).end();
    });
  });
  const receiver: Receiver = {
    url: `${await listen(server, port)}/hook`,
    received,
    tested: 0,
    status: 200,
    testStatus: 200,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  return receiver;
}
