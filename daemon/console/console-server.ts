import { createServer, type Server } from "node:http";
import { fileURLToPath } from "node:url";
import { Fault, toFault } from "@fiscald/shared/fault.js";
import type { Logger } from "@fiscald/shared/logger.js";
import express, { type Express, type RequestHandler } from "express";
import { rateLimit } from "express-rate-limit";
import helmet from "helmet";
import { guardHost, guardToken, refuseAll } from "./access/console-guard.js";
import { type ConsoleSessions, createConsoleSessions } from "./access/console-sessions.js";
import { openConsoleToken } from "./access/console-token.js";
import { apiErrors, usageError } from "./api-errors.js";
import { createConsoleApi } from "./console-api.js";
import type { ConsoleParts } from "./console-parts.js";
import { createLiveStream, type LiveStream } from "./live-updates.js";
import { createMetrics } from "./metrics.js";

export interface ConsoleServerOptions {
  readonly host: string;
  /** 0 = any free port. */
  readonly port: number;
  readonly tokenFile: string;
  readonly operatorTokenFile: string | null;
  readonly parts: ConsoleParts;
  readonly log: Logger;
}

export interface ConsoleServer {
  /** Resolves with the address. Fault `daemon.port-busy` or `config.invalid` when the server cannot listen. */
  start(): Promise<string>;
  /** Why all requests except `/healthz` are refused; null = the console is open. */
  readonly closedBy: Fault | null;
  stop(): Promise<void>;
}

/** The built page (daemon/console/page). It holds no data: those come with a session. */
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
const oneMinuteMs = 60_000;
const requestsPerMinute = 1200;
const wrongTokensPerMinute = 30;

/** Serves the operator's console: an HTTP API for this machine only. */
export function createConsoleServer(options: ConsoleServerOptions): ConsoleServer {
  const { host, port, parts, log } = options;
  const stream = createLiveStream(parts);
  let server: Server | null = null;
  let closedBy: Fault | null = null;

  const sessions = createConsoleSessions(parts.clock);

  function guardByToken(limitGuesses: RequestHandler): RequestHandler {
    try {
      const { tokenFile, operatorTokenFile } = options;
      const tokens = {
        administrator: openConsoleToken(tokenFile),
        operator: operatorTokenFile === null ? null : openConsoleToken(operatorTokenFile, "operator"),
      };
      return guardToken(tokens, sessions, limitGuesses);
    } catch (error) {
      closedBy = toFault(error, "daemon.console-closed");
      log.warn("the console is closed, printing goes on", { fault: closedBy });
      return refuseAll(closedBy);
    }
  }

  return {
    get closedBy() {
      return closedBy;
    },
    async start() {
      server = createServer(createConsoleApp(options, { guardByToken, sessions, stream }));
      await listen(server, host, port);
      const address = addressOf(server, host);
      log.info("console listens", { address });
      return address;
    },
    async stop() {
      parts.live.stop();
      stream.closeAll();
      const closing = server;
      if (closing === null) return;
      await new Promise<void>((resolve) => {
        closing.close(() => resolve());
        closing.closeIdleConnections();
      });
    },
  };
}

interface Doors {
  readonly guardByToken: (limitGuesses: RequestHandler) => RequestHandler;
  readonly sessions: ConsoleSessions;
  readonly stream: LiveStream;
}

function createConsoleApp(
  { host, parts, log }: ConsoleServerOptions,
  { guardByToken, sessions, stream }: Doors,
): Express {
  const app = express();
  const metrics = createMetrics(parts);
  app.disable("x-powered-by");
  app.use(helmet({ contentSecurityPolicy: { useDefaults: false, directives: pagePolicy } }));
  app.use(guardHost(host));
  const tooMany = usageError("too many requests: try again in a minute");
  const limited = (limit: number) =>
    rateLimit({ windowMs: oneMinuteMs, limit, legacyHeaders: false, message: tooMany });
  app.get("/healthz", limited(requestsPerMinute), (_request, response) => {
    response.json({ up: true });
  });
  app.get("/enter", limited(wrongTokensPerMinute), sessions.enter);
  app.use(express.static(pageFolder, { fallthrough: true }));
  app.use(guardByToken(limited(wrongTokensPerMinute)));
  app.use(limited(requestsPerMinute));
  app.get("/metrics", async (_request, response) => {
    response.type(metrics.contentType).send(await metrics.metrics());
  });
  app.get("/api/live", stream.handle);
  app.post("/api/links", (_request, response) => {
    response.json({ path: sessions.createLink(response.locals["role"] === "operator" ? "operator" : "administrator") });
  });
  app.use("/api", createConsoleApi(parts));
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

/**
 * A busy port is no config error: the other program may end, and a service manager does not restart after config
 * errors.
 */
function notListening(error: Error, address: string): Fault {
  const isBusy = "code" in error && error.code === "EADDRINUSE";
  if (!isBusy) return toFault(error, "config.invalid", { place: "console.port" });
  return new Fault("daemon.port-busy", {
    message: `another program listens at ${address}`,
    place: "console.port",
    cause: error,
  });
}

function addressOf(server: Server, host: string): string {
  const address = server.address();
  const boundPort = typeof address === "object" && address !== null ? address.port : 0;
  return `http://${host.includes(":") ? `[${host}]` : host}:${boundPort}`;
}
