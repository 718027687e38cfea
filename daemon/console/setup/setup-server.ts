/** Serves only the set-up page, and only to this machine. A site or a register is asked only on demand. */
import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { Clock } from "@fiscald/shared/clock.js";
import { Fault, toFault } from "@fiscald/shared/fault.js";
import type { Logger } from "@fiscald/shared/logger.js";
import express, { type Response } from "express";
import { rateLimit } from "express-rate-limit";
import helmet from "helmet";
import type { ConsoleConfig } from "../../config/console-schema.js";
import { consoleTls } from "../access/console-address.js";
import { pageFolder, pagePolicy } from "../access/console-app.js";
import { guardHost } from "../access/console-guard.js";
import { createConsoleSessions, refuseLink } from "../access/console-sessions.js";
import { openConsoleToken } from "../access/console-token.js";
import { apiErrors, usageError } from "../api-errors.js";
import { closeServer, listen } from "../console-server.js";
import { createSetupApi, type SetupApiOptions } from "./setup-api.js";

export interface SetupServerOptions extends Omit<SetupApiOptions, "onWritten" | "openConsole"> {
  readonly port: number;
  /** The console that this process opens when the config is written; null: it opens none. */
  readonly consoleAfter: (() => ConsoleConfig) | null;
  /** Gets the next link when somebody has used a link that was used before or is too old. */
  readonly onUsedLink: (link: string) => void;
  readonly clock: Clock;
  readonly log: Logger;
}

const HOST = "127.0.0.1";
const MINUTE_MS = 60_000;
const REQUESTS_PER_MINUTE = 600;
const WRONG_KEYS_PER_MINUTE = 30;

export function createSetupServer(options: SetupServerOptions) {
  const { port, consoleAfter, onUsedLink, clock, log, ...api } = options;
  // The secret is new at each start, so the sessions end with this page.
  const secret = randomBytes(32).toString("hex");
  const sessions = createConsoleSessions({ clock, secret, operatorSecret: null, isSecure: false, memory: null });
  const app = express();
  let onWritten = () => {};
  const written = new Promise<void>((resolve) => {
    onWritten = resolve;
  });
  /** A browser has one cookie for all runs, so this page can sign a session of the next console. */
  function openConsole(response: Response): boolean {
    if (consoleAfter === null) return false;
    try {
      const after = consoleAfter();
      if (after.host !== HOST || after.port !== port || consoleTls(after) !== null) return false;
      const secret = openConsoleToken(after.tokenFile);
      const next = createConsoleSessions({ clock, secret, operatorSecret: null, isSecure: false, memory: null });
      next.open("administrator", response);
      return true;
    } catch (error) {
      // The config is written already, and the daemon reports what is wrong with the console.
      log.warn("the console is closed, printing goes on", { fault: toFault(error, "daemon.console-closed") });
      return false;
    }
  }

  function createLink(): string {
    const address = server.address();
    if (typeof address !== "object" || address === null) throw new Fault("internal");
    return `http://${HOST}:${address.port}${sessions.createLink("administrator")}`;
  }

  const limited = (limit: number) => rateLimit({ windowMs: MINUTE_MS, limit, legacyHeaders: false });
  app.disable("x-powered-by");
  app.disable("etag");
  app.use(helmet({ contentSecurityPolicy: { useDefaults: false, directives: pagePolicy } }));
  app.use(guardHost([HOST]));
  app.get("/enter", sessions.enter, limited(WRONG_KEYS_PER_MINUTE), (request, response, next) => {
    onUsedLink(createLink());
    refuseLink(request, response, next);
  });
  app.get("/", (_request, response) => {
    // The console serves another page at this address, and a package gives both files the same time. A browser that
    // compares only size and time would show the page that it has kept.
    response.set("cache-control", "no-store");
    response.sendFile("setup.html", { root: pageFolder, cacheControl: false, lastModified: false });
  });
  app.use(express.static(pageFolder));
  app.use((request, response, next) => {
    if (sessions.roleOf(request) === "administrator") next();
    else response.status(401).json(usageError("open the page by the link that fiscald has printed"));
  });
  app.use(limited(REQUESTS_PER_MINUTE));
  app.use("/api", createSetupApi({ ...api, openConsole, onWritten: () => onWritten() }));
  app.use((request, response) => {
    response.status(404).json(usageError(`there is no ${request.method} ${request.path}`));
  });
  app.use(apiErrors(log));
  const server = createServer(app);
  return {
    written,
    async start(): Promise<string> {
      await listen(server, HOST, port);
      return createLink();
    },
    stop: () => closeServer(server, clock),
  };
}
