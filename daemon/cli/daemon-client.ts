import { Fault, toFault } from "@fiscald/shared/fault.js";
import { isFaultCode } from "@fiscald/shared/fault-codes.js";
import { z } from "zod";
import type { Config } from "../config/config-schema.js";
import { readConsoleToken } from "../console/access/console-token.js";

/** Client of the running daemon's HTTP API. */
export interface DaemonClient {
  /** Rejects with `daemon.unreachable` or with the fault in the daemon's answer. */
  get<T>(path: string, schema: z.ZodType<T>): Promise<T>;
  post<T>(path: string, body: object, schema: z.ZodType<T>): Promise<T>;
  urlOf(path: string): string;
}

/** Longer than any exchange with a register: `resolve` waits for one. */
const timeoutMs = 120_000;
const healthTimeoutMs = 2_000;
const errorSchema = z.object({ error: z.object({ code: z.string(), message: z.string() }) });

export function createDaemonClient(config: Config): DaemonClient {
  const { tokenFile, operatorTokenFile } = config.console;
  const base = baseOf(config);

  async function call<T>(method: string, path: string, body: object | null, schema: z.ZodType<T>): Promise<T> {
    const authorization = `Bearer ${readConsoleToken(tokenFile, operatorTokenFile)}`;
    const response = await fetch(`${base}${path}`, {
      method,
      headers: { authorization, ...(body === null ? {} : { "content-type": "application/json" }) },
      signal: AbortSignal.timeout(timeoutMs),
      ...(body === null ? {} : { body: JSON.stringify(body) }),
    }).catch((error: unknown) => {
      const message = `no daemon answers at ${base}`;
      throw new Fault("daemon.unreachable", { message, place: base, cause: error });
    });
    const answer: unknown = await response.json().catch((error: unknown) => {
      throw toFault(error, "daemon.unreachable", { message: `${base} is not a fiscald daemon`, place: base });
    });
    if (!response.ok) throw answeredFault(answer, `${base} answered ${response.status}`);
    return schema.parse(answer);
  }

  return {
    get: (path, schema) => call("GET", path, null, schema),
    post: (path, body, schema) => call("POST", path, body, schema),
    urlOf: (path) => `${base}${path}`,
  };
}

/** Whether the daemon of this config is running. */
export async function isDaemonUp(config: Config): Promise<boolean> {
  try {
    return (await fetch(`${baseOf(config)}/healthz`, { signal: AbortSignal.timeout(healthTimeoutMs) })).ok;
  } catch {
    return false;
  }
}

function baseOf({ console: { host, port } }: Config): string {
  const name = host === "0.0.0.0" || host === "::" ? "localhost" : host;
  return `http://${name.includes(":") ? `[${name}]` : name}:${port}`;
}

function answeredFault(answer: unknown, otherwise: string): Fault {
  const known = errorSchema.safeParse(answer);
  if (!known.success || !isFaultCode(known.data.error.code))
    return new Fault("daemon.unreachable", { message: otherwise });
  return new Fault(known.data.error.code, { message: known.data.error.message });
}

/** The daemon runs and prints, but its console accepts no token. */
export function isConsoleClosed(error: unknown): boolean {
  return toFault(error, "internal").code === "daemon.console-closed";
}

/** Whether no daemon answered, so that the command may work on the database itself. */
export function isUnreachable(error: unknown): boolean {
  return toFault(error, "internal").code === "daemon.unreachable";
}
