/** The TCP ports that a start needs: asked for before anything is opened, so that a busy one leaves nothing half done. */
import { createServer } from "node:net";
import { findListeners } from "@fiscald/drivers/transport/port-holder.js";
import { Fault } from "@fiscald/shared/fault.js";
import type { Config } from "../config/config-schema.js";

/**
 * Where the daemon itself will listen: its console, and the control ports of emulated registers. Fault
 * `daemon.port-busy` names the first busy port, the program that holds it and the config key that sets it.
 */
export async function requireFreePorts({ console, registers }: Config): Promise<void> {
  const { parseHostAndPort } = await import("@fiscald/drivers/emulator/wire/serve.js");
  const controls = registers.flatMap(({ connection }, index) => {
    if (connection.kind !== "emulator" || connection.control === undefined) return [];
    return [{ ...parseHostAndPort(connection.control), place: `registers[${index}].connection.control` }];
  });
  for (const { host, port, place } of [{ ...console, place: "console.port" }, ...controls]) {
    if (await isFree(host, port)) continue;
    const [holder] = await findListeners(port);
    const who = holder === undefined ? "another program" : `${holder.program} (process ${holder.pid})`;
    throw new Fault("daemon.port-busy", { message: `${who} listens at ${host}:${port}, which ${place} needs`, place });
  }
}

/** Other errors than a busy port are left to the part that opens the port: it knows what they mean. */
function isFree(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", (error) => resolve(!("code" in error && error.code === "EADDRINUSE")));
    server.listen(port, host, () => server.close(() => resolve(true)));
  });
}
