import { createServer as createHttpServer, type Server } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { fileURLToPath } from "node:url";
import type { Clock } from "@fiscald/shared/clock.js";
import { Fault, toFault } from "@fiscald/shared/fault.js";
import type { Logger } from "@fiscald/shared/logger.js";
import express, { type Express, type RequestHandler } from "express";
import { rateLimit } from "express-rate-limit";
import helmet from "helmet";
import type { ConsoleConfig } from "../config/console-schema.js";
import { configReasons } from "../messages/reasons/config-reasons.js";
import type { MetaStore } from "../store/database/meta-store.js";
import { consoleTls, consoleUrl, ownNames } from "./access/console-address.js";
import { guardHost, guardToken, refuseAll } from "./access/console-guard.js";
import { type ConsoleSessions, createConsoleSessions, refuseLink } from "./access/console-sessions.js";
import { openConsoleToken, proofOfToken } from "./access/console-token.js";
import { apiErrors, usageError } from "./api-errors.js";
import { createConsoleApi } from "./console-api.js";
import type { ConsoleParts } from "./console-parts.js";
import { createLiveStream, type LiveStream } from "./live-updates.js";
import { createMetrics } from "./metrics.js";
import { createReturnApi } from "./returns/return-api.js";
import { createChangeApi, type RunningConfig } from "./setup/change-api.js";

export interface ConsoleServerOptions extends ConsoleConfig {
  /** The config that the set-up page changes; null: it cannot be changed here. */
  readonly config: RunningConfig | null;
  readonly parts: ConsoleParts;
  readonly memory: MetaStore;
  readonly log: Logger;
}

/** The built page (daemon/console/page). It holds no data: the page reads them with a session. */
export const pageFolder = fileURLToPath(new URL("./page/", import.meta.url));
export const pagePolicy = {
  defaultSrc: ["'none'"],
  scriptSrc: ["'self'"],
  styleSrc: ["'self'"],
  imgSrc: ["'self'", "data:"],
  connectSrc: ["'self'"],
  baseUri: ["'none'"],
  formAction: ["'none'"],
  frameAncestors: ["'none'"],
};
const stopGraceMs = 2_000;
const oneMinuteMs = 60_000;
const requestsPerMinute = 1200;
const noncePattern = /^[0-9a-f]{32}$/;
const wrongTokensPerMinute = 30;

/** Serves the operator's console: the page and its API, beyond this machine by HTTPS only. */
export function createConsoleServer(options: ConsoleServerOptions) {
  const { host, port, parts, memory, log } = options;
  const stream = createLiveStream(parts);
  let server: Server | null = null;
  let closedBy: Fault | null = null;

  function openDoors(): Doors {
    try {
      const { tokenFile, operatorTokenFile } = options;
      const tokens = {
        administrator: openConsoleToken(tokenFile),
        operator: operatorTokenFile === null ? null : openConsoleToken(operatorTokenFile, "operator"),
      };
      const isSecure = consoleTls(options) !== null;
      const { administrator: secret, operator: operatorSecret } = tokens;
      const sessions = createConsoleSessions({ clock: parts.clock, secret, operatorSecret, isSecure, memory });
      return {
        guardByToken: (limitGuesses) => guardToken(tokens, sessions, limitGuesses),
        enter: sessions.enter,
        leave: sessions.leave,
        createLink: sessions.createLink,
        prove: (nonce, port) =>
          [tokens.administrator, tokens.operator].flatMap((token) =>
            token === null ? [] : proofOfToken(token, nonce, port),
          ),
        stream,
      };
    } catch (error) {
      const fault = toFault(error, "daemon.console-closed");
      closedBy = fault;
      log.warn("the console is closed, printing goes on", { fault });
      return {
        guardByToken: () => refuseAll(fault),
        enter: refuseAll(fault),
        leave: refuseAll(fault),
        createLink: () => "/",
        prove: () => [],
        stream,
      };
    }
  }

  return {
    /** Why all requests except `/healthz` are refused; null = the console is open. */
    get closedBy(): Fault | null {
      return closedBy;
    },
    /** Resolves with the address. Rejects with `daemon.port-busy` or `config.invalid` when the server cannot listen. */
    async start(): Promise<string> {
      const app = createConsoleApp(options, openDoors());
      const tls = consoleTls(options);
      server = tls === null ? createHttpServer(app) : createHttpsServer(tls, app);
      await listen(server, host, port);
      const address = consoleUrl(options, portOf(server));
      log.info("console listens", { address });
      return address;
    },
    async stop(): Promise<void> {
      parts.live.stop();
      stream.closeAll();
      if (server !== null) await closeServer(server, parts.clock);
    },
  };
}

interface Doors extends Pick<ConsoleSessions, "createLink"> {
  readonly enter: RequestHandler;
  readonly leave: RequestHandler;
  readonly guardByToken: (limitGuesses: RequestHandler) => RequestHandler;
  /** A proof for each token that it accepts: before a caller sends its token, it sees that this is no other program. */
  readonly prove: (nonce: string, port: number) => readonly string[];
  readonly stream: LiveStream;
}

function createConsoleApp(
  options: ConsoleServerOptions,
  { guardByToken, enter, leave, createLink, prove, stream }: Doors,
): Express {
  const { parts, log } = options;
  const app = express();
  const metrics = createMetrics(parts);
  app.disable("x-powered-by");
  app.use(helmet({ contentSecurityPolicy: { useDefaults: false, directives: pagePolicy } }));
  app.use(guardHost(ownNames(options)));
  const tooMany = usageError("too many requests: try again in a minute");
  const limited = (limit: number) =>
    rateLimit({ windowMs: oneMinuteMs, limit, legacyHeaders: false, message: tooMany });
  // This answer has no limit of requests: it costs less than counting would, and commands need it even when a foreign
  // page asks for it often.
  app.get("/healthz", ({ query: { nonce }, socket }, response) => {
    response.json({
      up: true,
      ...(typeof nonce === "string" && noncePattern.test(nonce) ? { proofs: prove(nonce, socket.localPort ?? 0) } : {}),
    });
  });
  app.get("/enter", enter, limited(wrongTokensPerMinute), refuseLink);
  app.use(express.static(pageFolder, { fallthrough: true }));
  app.use(guardByToken(limited(wrongTokensPerMinute)));
  app.use(limited(requestsPerMinute));
  app.get("/metrics", async (_request, response) => {
    response.type(metrics.contentType).send(await metrics.metrics());
  });
  app.get("/api/live", stream.handle);
  app.post("/api/leave", (request, response, next) => {
    leave(request, response, next);
    // Closes streams at the end, because pages that can still reach the daemon connect again at once.
    stream.closeAll();
  });
  app.post("/api/links", ({ query }, response) => {
    const isOperators = response.locals["role"] === "operator" || query["role"] === "operator";
    response.json({ path: createLink(isOperators ? "operator" : "administrator") });
  });
  if (options.config !== null)
    app.use("/api/setup", createChangeApi({ ...parts, proof: parts, config: options.config, log }));
  app.use("/api", createConsoleApi(parts), createReturnApi(parts));
  app.use((request, response) => {
    response.status(404).json(usageError(`there is no ${request.method} ${request.path}`));
  });
  app.use(apiErrors(log));
  return app;
}

export function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error) => reject(notListening(error, `${host}:${port}`)));
    server.listen(port, host, resolve);
  });
}

/** A browser opens connections in advance, and the server counts them as busy: after a while they are closed. */
export async function closeServer(server: Server, clock: Clock): Promise<void> {
  const lastCall = clock.setTimer(stopGraceMs, () => server.closeAllConnections());
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
  lastCall.cancel();
}

/** The network has not given this address so far, or the name is not known so far. */
const notThereYet: readonly unknown[] = ["EADDRNOTAVAIL", "ENOTFOUND", "EAI_AGAIN"];

/**
 * A busy port is no config error, and neither is an address that is not there so far: the other program may end and the
 * network may come up, and a service manager does not restart after config errors.
 */
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
