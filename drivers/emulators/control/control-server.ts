/** The control port of an emulated register: plain JSON over HTTP, for tests and for people with curl. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { toFault } from "@fiscald/shared/fault.js";
import { parseJson } from "@fiscald/shared/http/decode-body.js";
import { parseHostAndPort } from "@fiscald/shared/http/host-and-port.js";
import { findLocalRefusal } from "@fiscald/shared/http/local-guard.js";
import { type OpenPort, openPort } from "../wire/serve.js";
import { type ControlAnswer, controlRoutes, json } from "./control-routes.js";
import type { EmulatorParts } from "./control-view.js";

const MAX_BODY_LENGTH = 64 * 1024;

/** Faults: `usage.wrong` for a bad address, `link.busy` for a taken port. */
export async function startControl(parts: EmulatorParts, address: string): Promise<OpenPort> {
  const { host, port } = parseHostAndPort(address);
  const server = createServer((request, response) => {
    answer(parts, request, host).then(
      (sent) => send(response, sent),
      (error: unknown) => {
        const { code, message } = toFault(error, "store.failed");
        send(response, json(code === "usage.wrong" ? 400 : 500, { error: message }));
      },
    );
  });
  return openPort(server, { host, port }, () => server.closeAllConnections());
}

async function answer(parts: EmulatorParts, request: IncomingMessage, host: string): Promise<ControlAnswer> {
  const refusal = findLocalRefusal(request, [host]);
  if (refusal !== null) return json(refusal.status, { error: refusal.message });
  const [path = "/", query = ""] = (request.url ?? "/").split("?");
  const routes = controlRoutes.filter((route) => route.path === path);
  const route = routes.find(({ method }) => method === request.method);
  if (routes.length === 0)
    return json(404, { error: `no ${path} here`, paths: [...new Set(controlRoutes.map((other) => other.path))] });
  if (route === undefined)
    return json(405, { error: `${path} knows ${routes.map(({ method }) => method).join(", ")}` });
  const body = await readBody(request);
  if (body === null) return json(413, { error: `a body of more than ${MAX_BODY_LENGTH} characters` });
  const parsed = body.trim() === "" ? {} : parseJson(body);
  if (parsed === undefined) return json(400, { error: "the body is no JSON" });
  return route.run(parts, parsed, new URLSearchParams(query));
}

async function readBody(request: IncomingMessage): Promise<string | null> {
  request.setEncoding("utf8");
  let text = "";
  for await (const part of request) {
    text += String(part);
    if (text.length > MAX_BODY_LENGTH) return null;
  }
  return text;
}

function send(response: ServerResponse, { status, type, body }: ControlAnswer): void {
  response.writeHead(status, { "content-type": type, "cache-control": "no-store" }).end(body);
}
