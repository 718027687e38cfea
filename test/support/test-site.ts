import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";

/** A call that the site got. */
export interface SiteCall {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** The body as JSON; undefined when the body is no JSON. */
  readonly json: Readonly<Record<string, unknown>> | undefined;
}

export interface SiteAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** Writes the answer itself, so that the answer can be cut or held back. */
export type RawAnswer = (response: ServerResponse, call: SiteCall) => void;

export interface TestSite {
  readonly url: string;
  readonly calls: readonly SiteCall[];
  /** How calls are answered from now on. Text and bytes go out as they are, any other answer as JSON. */
  answer(how: (call: SiteCall) => SiteAnswer | RawAnswer | Promise<SiteAnswer>): void;
  /** Breaks every open connection. */
  dropConnections(): void;
  /** Also breaks every open connection. */
  close(): Promise<void>;
}

/** A real HTTP server on a free port of this machine. */
export async function startTestSite(server: Server = createServer()): Promise<TestSite> {
  const calls: SiteCall[] = [];
  const sockets = new Set<Socket>();
  let how: (call: SiteCall) => SiteAnswer | RawAnswer | Promise<SiteAnswer> = () => ({ body: { resultCode: 0 } });

  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    void readCall(request).then(async (call) => {
      calls.push(call);
      const answer = await how(call);
      if (typeof answer === "function") {
        answer(response, call);
        return;
      }
      const { status = 200, headers = {}, body = "" } = answer;
      response.writeHead(status, headers);
      response.end(typeof body === "string" || Buffer.isBuffer(body) ? body : JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const scheme = "setSecureContext" in server ? "https" : "http";
  const { port } = server.address() as AddressInfo;

  const dropConnections = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `${scheme}://127.0.0.1:${port}/fiscal`,
    calls,
    answer(next) {
      how = next;
    },
    dropConnections,
    close() {
      dropConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

async function readCall(request: IncomingMessage): Promise<SiteCall> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  const text = Buffer.concat(chunks).toString("utf8");
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.headers)) headers[name] = String(value);
  return { path: request.url ?? "", headers, text, json: parse(text) };
}

function parse(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
