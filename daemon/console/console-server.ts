import { randomBytes } from "node:crypto";
import { createServer as createHttpServer, type RequestListener, type Server } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import type { Clock } from "@fiscald/shared/clock.js";
import { Fault, toFault } from "@fiscald/shared/fault.js";
import { configReasons } from "../messages/reasons/config-reasons.js";
import { consoleTls, consoleUrl } from "./access/console-address.js";
import type { ConsoleServerOptions } from "./access/console-app.js";
import type { ConsoleTokens } from "./access/console-guard.js";
import { openConsoleToken } from "./access/console-token.js";
import type { Role } from "./access/roles.js";

const stopGraceMs = 2_000;

/** Other machines must use HTTPS. */
export function createConsoleServer(options: ConsoleServerOptions) {
  const { host, port, parts, log } = options;
  let server: Server | null = null;

  /** Without a usable token file printing goes on, with a token that nobody knows, so that nobody gets in. */
  function openToken(path: string, role?: Role): string {
    try {
      return openConsoleToken(path, role);
    } catch (error) {
      log.warn("nobody can use the console, printing goes on", { fault: toFault(error, "daemon.console-closed") });
      return randomBytes(32).toString("base64url");
    }
  }

  return {
    async start(): Promise<string> {
      const administrator = openToken(options.tokenFile);
      const { operatorTokenFile } = options;
      const operator = operatorTokenFile === null ? null : openToken(operatorTokenFile, "operator");
      const app = serveWhenLoaded(options, { administrator, operator });
      const tls = consoleTls(options);
      server = tls === null ? createHttpServer(app) : createHttpsServer(tls, app);
      await listen(server, host, port);
      const address = consoleUrl(options, portOf(server));
      log.info("console listens", { address });
      return address;
    },
    async stop(): Promise<void> {
      parts.live.closeAll();
      if (server !== null) await closeServer(server, parts.clock);
    },
  };
}

function serveWhenLoaded(options: ConsoleServerOptions, tokens: ConsoleTokens): RequestListener {
  let loading: Promise<RequestListener> | null = null;
  const load = async () => (await import("./access/console-app.js")).createConsoleApp(options, tokens);
  return (request, response) => {
    loading ??= load();
    loading.then(
      (app) => app(request, response),
      (error: unknown) => {
        options.log.error("the console cannot be loaded, printing goes on", { fault: toFault(error, "internal") });
        response.writeHead(500).end();
      },
    );
  };
}

export function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error) => reject(notListening(error, `${host}:${port}`)));
    server.listen(port, host, resolve);
  });
}

/** A browser opens connections in advance, which count as busy, so all connections are cut after a while. */
export async function closeServer(server: Server, clock: Clock): Promise<void> {
  const lastCall = clock.setTimer(stopGraceMs, () => server.closeAllConnections());
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
  lastCall.cancel();
}

/** These errors come while the network has not given the address yet, or while the name is not known yet. */
const notThereYet: readonly unknown[] = ["EADDRNOTAVAIL", "ENOTFOUND", "EAI_AGAIN"];

/** The other program may end or the network come up, but a service does not restart after config errors. */
function notListening(error: Error, address: string): Fault {
  const code = "code" in error ? error.code : null;
  if (code !== "EADDRINUSE" && !notThereYet.includes(code)) {
    return toFault(error, "config.invalid", { place: "console.port" });
  }
  return new Fault("daemon.port-busy", {
    message: code === "EADDRINUSE" ? configReasons.portTaken({ address }) : error.message,
    place: code === "EADDRINUSE" ? "console.port" : "console.host",
    cause: error,
  });
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}
