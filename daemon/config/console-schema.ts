import { createSecureContext } from "node:tls";
import { messageOf } from "@fiscald/shared/fault.js";
import { isThisMachine } from "@fiscald/shared/http/local-guard.js";
import { z } from "zod";
import { configReasons } from "../messages/reasons/config-reasons.js";
import { type ConfigProblem, configProblem } from "./config-problem.js";
import { type ConfigSurroundings, fileTextField, orNull, pathField, port } from "./field-types.js";

export function consoleSchema(surroundings: ConfigSurroundings) {
  const path = pathField(surroundings);
  const fileText = fileTextField(surroundings);
  return z
    .strictObject({
      host: z
        .string()
        .min(1)
        .default("127.0.0.1")
        .describe("Address to listen on; another than this machine's own needs `console.tls`"),
      port: z
        .union([z.literal(0), port])
        .default(usualPort)
        .transform((inFile) => portIn(surroundings.env) ?? inFile)
        .describe("0 = any free one; the variable `FISCALD__console__port` counts more"),
      tls: z
        .strictObject({
          certFile: orNull(fileText).describe("PEM of the certificate, with its chain"),
          keyFile: orNull(fileText).describe("PEM of its key"),
        })
        .nullable()
        .prefault(null)
        .transform((tls) => tls ?? { certFile: null, keyFile: null })
        .describe("With both files the console speaks HTTPS only; they are read at each start; null = HTTP"),
      tokenFile: path.prefault("data/console-token").describe("Token of the console, made at the first start"),
      operatorTokenFile: orNull(path).describe(
        "A second token, which all users of this machine may read: it looks, retries and prints X reports",
      ),
    })
    .prefault({});
}

const usualPort = 5480;

export function consolePortIn(env: ConfigSurroundings["env"]): number {
  return portIn(env) ?? usualPort;
}

/** Environment variables that look like a key of the config but are not read. */
export function unreadVariables(env: ConfigSurroundings["env"]): readonly string[] {
  const named = Object.keys(env).filter((name) => /^FISCALD__/i.test(name) && env[name] !== "");
  return named.filter((name) => name !== "FISCALD__console__port" || portIn(env) === null);
}

function portIn({ FISCALD__console__port: text = "" }: ConfigSurroundings["env"]): number | null {
  return /^\d{1,5}$/.test(text) && Number(text) <= 65_535 ? Number(text) : null;
}

export type ConsoleConfig = z.output<ReturnType<typeof consoleSchema>>;

/** Someone who listens on the network could read the token, the session and the buyers' orders, so TLS is required. */
export function checkConsole({ host, tls: { certFile, keyFile } }: ConsoleConfig): readonly ConfigProblem[] {
  if ((certFile === null) !== (keyFile === null)) return [configProblem("console.tls", configReasons.certAndKey)];
  if (certFile !== null && keyFile !== null) {
    const flaw = flawOf(certFile, keyFile);
    return flaw === null ? [] : [configProblem("console.tls", configReasons.certificate({ detail: flaw }))];
  }
  if (isThisMachine(host)) return [];
  const message = configReasons.openConsole({ host });
  return [configProblem("console.host", message)];
}

function flawOf(cert: string, key: string): string | null {
  try {
    createSecureContext({ cert, key });
    return null;
  } catch (error) {
    return messageOf(error);
  }
}
