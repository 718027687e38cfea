/** Without a config, `fiscald run` and `fiscald console` serve only the set-up page, and only to this machine. */
import { once } from "node:events";
import { systemClock } from "@fiscald/shared/clock.js";
import { silentLogger } from "@fiscald/shared/logger.js";
import type { Config } from "../../config/config-schema.js";
import { consolePortIn } from "../../config/console-schema.js";
import { loadCliConfig, type Session } from "../cli-context.js";
import { keepFilesPrivate } from "../private-files.js";

interface SetupOptions {
  readonly onLink?: (link: string) => void;
  /** This process runs the daemon next, so the browser also gets a session of the daemon's console. */
  readonly isRunNext?: boolean;
}

/** Returns false when the process was asked to end before the config was written. */
export async function runSetup(
  session: Session,
  configPath: string,
  { onLink = () => {}, isRunNext = false }: SetupOptions = {},
): Promise<boolean> {
  const { env, out, listPorts, stopSignal } = session.context;
  const { createSetupServer } = await import("../../console/setup/setup-server.js");
  const server = createSetupServer({
    ...{ configPath, listPorts, signal: stopSignal, clock: systemClock, log: silentLogger },
    // The Debian package sets this variable.
    dataFolder: env["FISCALD_DATA"] ?? null,
    port: consolePortIn(env),
    onUsedLink: (link) => out(`${link}\n`),
    consoleAfter: isRunNext ? () => privateConfig(session).console : null,
  });
  const link = await server.start();
  out(`${session.words.setup.openLink({ path: configPath })}\n${link}\n`);
  onLink(link);
  const stopped = stopSignal.aborted ? Promise.resolve() : once(stopSignal, "abort");
  const isWritten = await Promise.race([server.written.then(() => true), stopped.then(() => false)]);
  await server.stop();
  return isWritten;
}

/** The console's token is made before the daemon runs, in a folder that is as private as the daemon would make it. */
function privateConfig(session: Session): Config {
  const config = loadCliConfig(session);
  keepFilesPrivate(config);
  return config;
}
