import { X509Certificate } from "node:crypto";
import { type IncomingHttpHeaders, type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { text } from "node:stream/consumers";
import { TLSSocket } from "node:tls";
import type { Config } from "../config/config-schema.js";
import { consoleTls } from "../console/access/console-address.js";

export interface ConsoleRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly timeoutMs: number;
}

export interface ConsoleAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Rejects when there is no answer, or when the certificate is not the one in the config. */
export async function askConsole(
  { console: options }: Pick<Config, "console">,
  { method, path, headers, body, timeoutMs }: ConsoleRequest,
): Promise<ConsoleAnswer> {
  const { host, port } = options;
  const name = host === "0.0.0.0" || host === "::" ? "localhost" : host;
  const signal = AbortSignal.timeout(timeoutMs);
  const to = { host: name, port, path, method, headers, signal, agent: false } as const;
  const tls = consoleTls(options);
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    if (tls === null) {
      requestHttp(to).once("response", resolve).once("error", reject).end(body);
      return;
    }
    // No certificate authority needs to know the till's certificate, because it is compared with the config's before
    // anything is sent.
    const expected = new X509Certificate(tls.cert).fingerprint256;
    const asked = requestHttps({ ...to, rejectUnauthorized: false })
      .once("response", resolve)
      .once("error", reject);
    asked.once("socket", (socket) => {
      socket.once("secureConnect", () => {
        const shown = socket instanceof TLSSocket ? socket.getPeerX509Certificate()?.fingerprint256 : undefined;
        if (shown === expected) asked.end(body);
        else asked.destroy(new Error(`${name}:${port} has another certificate than \`console.tls.certFile\``));
      });
    });
  });
  return { status: answer.statusCode ?? 0, headers: answer.headers, text: await text(answer) };
}
