import { randomBytes } from "node:crypto";
import { Fault, saidBy, toFault } from "@fiscald/shared/fault.js";
import type { FaultText } from "@fiscald/shared/fault-codes.js";
import { isFaultCode } from "@fiscald/shared/fault-codes.js";
import { callTexts } from "@fiscald/shared/http/call-texts.js";
import { z } from "zod";
import type { Config } from "../config/config-schema.js";
import { consoleUrl } from "../console/access/console-address.js";
import { isSameToken, proofOfToken, readConsoleToken } from "../console/access/console-token.js";
import { commandReasons } from "../messages/reasons/command-reasons.js";
import { askConsole, type ConsoleRequest } from "./console-request.js";

export type DaemonClient = ReturnType<typeof createDaemonClient>;

/** Longer than any exchange with a register, because `resolve` waits for an exchange. */
const timeoutMs = 120_000;
const healthTimeoutMs = 2_000;
const healthSchema = z.object({ proofs: z.array(z.string()) });
const errorSchema = z.object({ error: z.object({ code: z.string(), message: z.string(), ru: z.string().nullish() }) });

/** A call rejects with `daemon.unreachable`, `daemon.console-closed`, `daemon.other-version` or the daemon's fault. */
export function createDaemonClient(config: Config) {
  const { tokenFile, operatorTokenFile } = config.console;
  const base = consoleUrl(config.console, config.console.port);

  const ask = (request: ConsoleRequest) =>
    askConsole(config, request).catch((error: unknown) => {
      const message = commandReasons.noDaemon({ address: base });
      throw new Fault("daemon.unreachable", { message, place: base, cause: error });
    });

  /** Any program may listen on the port, so the token is sent only to a program that proves to have the same token. */
  async function authorize(): Promise<Readonly<Record<string, string>>> {
    const nonce = randomBytes(16).toString("hex");
    const { status, text } = await ask({ method: "GET", path: `/healthz?nonce=${nonce}`, headers: {}, timeoutMs });
    // A daemon of any version answers 200 here.
    const { data, error } = healthSchema.safeParse(jsonOf(status === 200 ? text : "", base));
    if (data === undefined) throw new Fault("daemon.other-version", { place: base, cause: error });
    const token = readConsoleToken(tokenFile, operatorTokenFile);
    if (data.proofs.some((proof) => isSameToken(proof, proofOfToken(token, nonce, config.console.port)))) {
      return { authorization: `Bearer ${token}` };
    }
    const message = commandReasons.otherToken({ address: base, file: tokenFile });
    // A daemon may be running and printing, so this fault is not `daemon.unreachable`.
    throw new Fault("daemon.console-closed", { message, place: base });
  }

  async function call<T>(method: string, path: string, body: object | null, schema: z.ZodType<T>): Promise<T> {
    const { status, text } = await ask({
      ...{ method, path, timeoutMs },
      headers: { ...(await authorize()), ...(body === null ? {} : { "content-type": "application/json" }) },
      ...(body === null ? {} : { body: JSON.stringify(body) }),
    });
    const answer = jsonOf(text, base);
    if (status >= 400) throw answeredFault(answer, callTexts.answered(base, status));
    const known = schema.safeParse(answer);
    if (!known.success) throw new Fault("daemon.other-version", { place: base, cause: known.error });
    return known.data;
  }

  return {
    get: <T>(path: string, schema: z.ZodType<T>) => call("GET", path, null, schema),
    post: <T>(path: string, body: object, schema: z.ZodType<T>) => call("POST", path, body, schema),
    urlOf: (path: string) => `${base}${path}`,
  };
}

export async function isDaemonUp(config: Config): Promise<boolean> {
  try {
    const { status } = await askConsole(config, {
      ...{ method: "GET", path: "/healthz", headers: {}, timeoutMs: healthTimeoutMs },
    });
    return status === 200;
  } catch {
    return false;
  }
}

function jsonOf(text: string, base: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw toFault(error, "daemon.unreachable", { message: commandReasons.noFiscald({ address: base }), place: base });
  }
}

function answeredFault(answer: unknown, otherwise: FaultText): Fault {
  const known = errorSchema.safeParse(answer);
  if (!known.success || !isFaultCode(known.data.error.code))
    return new Fault("daemon.unreachable", { message: otherwise });
  const { code, message, ru = null } = known.data.error;
  return new Fault(code, { message: saidBy({ message, ru }) });
}

/** When no daemon answered, a command that only shows something reads the database itself. */
export function isUnreachable(error: unknown): boolean {
  return toFault(error, "internal").code === "daemon.unreachable";
}
