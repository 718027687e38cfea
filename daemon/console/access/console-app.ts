/** Express, the set-up and the metrics take 20 MB, so the app is loaded at the first request. */
import { fileURLToPath } from "node:url";
import type { Logger } from "@fiscald/shared/logger.js";
import express, { type Express } from "express";
import { rateLimit } from "express-rate-limit";
import helmet from "helmet";
import type { ConsoleConfig } from "../../config/console-schema.js";
import type { MetaStore } from "../../store/database/meta-store.js";
import { apiErrors, usageError } from "../api-errors.js";
import { createConsoleApi } from "../console-api.js";
import type { ConsoleParts } from "../console-parts.js";
import { createMetrics } from "../metrics.js";
import { createReturnApi } from "../returns/return-api.js";
import { createChangeApi, type RunningConfig } from "../setup/change-api.js";
import { consoleTls, ownNames } from "./console-address.js";
import { type ConsoleTokens, guardHost, guardToken } from "./console-guard.js";
import { createConsoleSessions, refuseLink } from "./console-sessions.js";
import { proofOfToken } from "./console-token.js";

export interface ConsoleServerOptions extends ConsoleConfig {
  /** The config that the set-up page changes; null: the page cannot change it. */
  readonly config: RunningConfig | null;
  readonly parts: ConsoleParts;
  readonly memory: MetaStore;
  readonly log: Logger;
}

/** The folder of the built page holds no data: the page reads data with a session. */
export const pageFolder = fileURLToPath(new URL("../page/", import.meta.url));
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
const noncePattern = /^[0-9a-f]{32}$/;
const wrongTokensPerMinute = 30;

export function createConsoleApp(options: ConsoleServerOptions, tokens: ConsoleTokens): Express {
  const { parts, memory, log } = options;
  const { administrator, operator } = tokens;
  const app = express();
  const secrets = { secret: administrator, operatorSecret: operator };
  const isSecure = consoleTls(options) !== null;
  const sessions = createConsoleSessions({ clock: parts.clock, ...secrets, isSecure, memory });
  const metrics = createMetrics(parts);
  app.disable("x-powered-by");
  app.use(helmet({ contentSecurityPolicy: { useDefaults: false, directives: pagePolicy } }));
  app.use(guardHost(ownNames(options)));
  const tooMany = usageError("too many requests: try again in a minute");
  const limited = (limit: number) =>
    rateLimit({ windowMs: oneMinuteMs, limit, legacyHeaders: false, message: tooMany });
  /** By a proof, one for each token, a caller sees that no other program listens, before it sends its token. */
  const prove = (nonce: string, port: number) =>
    [administrator, operator].flatMap((token) => (token === null ? [] : proofOfToken(token, nonce, port)));
  // Counting requests would cost more than this answer, and a foreign page must not keep commands from it.
  app.get("/healthz", ({ query: { nonce }, socket }, response) => {
    response.json({
      up: true,
      ...(typeof nonce === "string" && noncePattern.test(nonce) ? { proofs: prove(nonce, socket.localPort ?? 0) } : {}),
    });
  });
  app.get("/enter", sessions.enter, limited(wrongTokensPerMinute), refuseLink);
  app.use(express.static(pageFolder, { fallthrough: true }));
  app.use(guardToken(tokens, sessions, limited(wrongTokensPerMinute)));
  app.use(limited(requestsPerMinute));
  app.get("/metrics", async (_request, response) => {
    response.type(metrics.contentType).send(await metrics.metrics());
  });
  app.get("/api/live", parts.live.handle);
  app.post("/api/leave", (request, response) => {
    sessions.leave(request, response);
    // Streams are closed last, because pages that can still reach the daemon connect again at once.
    parts.live.closeAll();
  });
  app.post("/api/links", ({ query }, response) => {
    const isOperators = response.locals["role"] === "operator" || query["role"] === "operator";
    response.json({ path: sessions.createLink(isOperators ? "operator" : "administrator") });
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
