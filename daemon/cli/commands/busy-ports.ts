import { endpointName } from "@fiscald/drivers/discover/endpoints.js";
import type { Config } from "../../config/config-schema.js";
import { type CliContext, loadCliConfig } from "../cli-context.js";
import { isDaemonUp } from "../daemon-client.js";

/** Places that the running daemon talks to, and what to say of them: a register has one host at a time. */
export async function portsOfDaemon(
  context: CliContext,
  configOption: string | undefined,
): Promise<ReadonlyMap<string, string>> {
  const config = readConfig(context, configOption);
  if (config === null || !(await isDaemonUp(config))) return new Map();
  return new Map(
    config.registers.flatMap(({ id, connection }) => {
      const reason = `register ${id} of the running daemon is here: see \`fiscald status\``;
      if (connection.kind === "serial") return [[connection.path, reason] as const];
      if (connection.kind !== "tcp") return [];
      const { host, port } = connection;
      return [[endpointName({ kind: "tcp", host, port, named: true }), reason] as const];
    }),
  );
}

/** Looking for registers needs no config: one that is missing or wrong is no matter here. */
function readConfig(context: CliContext, option: string | undefined): Config | null {
  try {
    return loadCliConfig(context, option);
  } catch {
    return null;
  }
}
