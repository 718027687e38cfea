/** These ports are checked before the start opens anything, so that a busy port leaves nothing half done. */
import { createServer } from "node:net";
import { findListeners } from "@fiscald/drivers/transport/port-holder.js";
import { Fault } from "@fiscald/shared/fault.js";
import { parseHostAndPort } from "@fiscald/shared/http/host-and-port.js";
import type { Config } from "../config/config-schema.js";

export interface NeededPort {
  readonly host: string;
  readonly port: number;
  readonly place: string;
}

export function portsOf({ console, registers }: Config): readonly NeededPort[] {
  const controls = registers.flatMap(({ connection }, index) => {
    if (connection.kind !== "emulator" || connection.control === undefined) return [];
    return [{ ...parseHostAndPort(connection.control), place: `registers[${index}].connection.control` }];
  });
  return [{ host: console.host, port: console.port, place: "console.port" }, ...controls];
}

export async function requireFreePorts(ports: readonly NeededPort[]): Promise<void> {
  for (const { host, port, place } of ports) {
    if (await isFree(host, port)) continue;
    const [holder] = await findListeners(port);
    const who = holder === undefined ? "another program" : `${holder.program} (process ${holder.pid})`;
    throw new Fault("daemon.port-busy", { message: `${who} listens at ${host}:${port}, which ${place} needs`, place });
  }
}

/** Errors other than a busy port are left to the part that opens the port, because that part can explain them. */
function isFree(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", (error) => resolve(!("code" in error && error.code === "EADDRINUSE")));
    server.listen(port, host, () => server.close(() => resolve(true)));
  });
}
