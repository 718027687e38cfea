import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed JSON; a body that is no JSON stays text. */
  readonly body: unknown;
}

export interface PostOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly method?: string;
  readonly signal?: AbortSignal;
}

/** Sends what any print server may send: text as it is, any other body as JSON. */
export async function post(url: string, body: unknown, options: PostOptions = {}): Promise<HttpAnswer> {
  const { headers = {}, method = "POST", signal } = options;
  const isText = typeof body === "string" || body instanceof Uint8Array;
  const answer = await fetch(url, {
    method,
    headers: { "content-type": "application/json", ...headers },
    ...(method === "POST" ? { body: isText ? body : JSON.stringify(body) } : {}),
    ...(signal === undefined ? {} : { signal }),
  });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, body: parsed(text) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

export interface ServedSite {
  readonly url: string;
  /** Cuts the calls that wait for their answer, as a restart of the site does. */
  dropCalls(): void;
  close(): Promise<void>;
}

/** Serves an Express app, or a bare handler, on a free port of the loopback. */
export async function serveSite(listener: RequestListener): Promise<ServedSite> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${portOf(server)}`,
    dropCalls: () => server.closeAllConnections(),
    close: () => closeServer(server),
  };
}

function portOf(server: Server): number {
  const address: string | AddressInfo | null = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return address.port;
}

async function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}
