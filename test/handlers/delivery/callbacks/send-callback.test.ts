import { createServer, type RequestListener, type Server } from "node:http";
import { type SendCallbackOptions, sendCallback } from "#handlers/delivery/callbacks/send-callback.js";
import { listen } from "../delivery-world.js";

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  servers.push(server);
  return listen(server);
}

function send(url: string, options: Partial<SendCallbackOptions> = {}, signal = new AbortController().signal) {
  const message = {
    url,
    body: "{}",
    secret: "whsec_c2VjcmV0",
    webhookId: "msg_1",
    order: null,
    causes: null,
    isTest: false,
  };
  const resolve = async () => [{ address: "127.0.0.1", family: 4 as const }];
  return sendCallback(message, { resolve, allowPrivate: true, timeoutMs: 5000, now: () => 0, ...options }, signal);
}

test.each([200, 201, 204, 299])("a callback answered with %i is delivered", async (status) => {
  const url = await serve((_request, response) => response.writeHead(status).end());
  await expect(send(url)).resolves.toBeUndefined();
});

test.each([300, 301, 302, 303, 304, 307, 308, 400, 401, 404, 410, 429, 500, 503])(
  "a callback answered with %i has failed, even when the redirect leads to an address that accepts the callback",
  async (status) => {
    const url = await serve((request, response) =>
      response.writeHead(request.url === "/elsewhere" ? 200 : status, { location: "/elsewhere" }).end(),
    );
    await expect(send(url)).rejects.toMatchObject({ code: "site.http-status", details: { status } });
  },
);

test("a callback whose address does not answer in time has failed", async () => {
  const url = await serve(() => {});
  await expect(send(url, { timeoutMs: 50 })).rejects.toMatchObject({ code: "site.timeout" });
});

test("a callback whose name is not resolved in time has failed", async () => {
  const resolve = () => new Promise<never>(() => {});
  await expect(send("http://slow.example/", { resolve, timeoutMs: 50 })).rejects.toMatchObject({
    code: "site.timeout",
  });
});

test("a callback is judged by the answer's status, and an endless answer body is not read", async () => {
  const url = await serve((_request, response) => {
    response.writeHead(200);
    response.write("x".repeat(10_000));
  });
  await expect(send(url)).resolves.toBeUndefined();
});

test("stopping the sender ends a callback that is being sent", async () => {
  const stop = new AbortController();
  const url = await serve(() => stop.abort());
  await expect(send(url, {}, stop.signal)).rejects.toMatchObject({ code: "site.timeout" });
});

test("a callback to a name that does not resolve, or to a port without a listener, has failed", async () => {
  const resolve = async () => [];
  await expect(send("http://nowhere.example/", { resolve })).rejects.toMatchObject({ code: "site.dns" });
  await expect(send("http://127.0.0.1:9/")).rejects.toMatchObject({ code: "site.unreachable" });
});
