/** `fiscald run` and `fiscald console` without a config serve only the set-up page, only to this machine. */
import { once } from "node:events";
import { systemClock } from "@fiscald/shared/clock.js";
import { silentLogger } from "@fiscald/shared/logger.js";
import type { Config } from "../../config/config-schema.js";
import { messagesIn } from "../../messages/messages.js";
import { type CliContext, languageWithoutConfig, loadCliConfig } from "../cli-context.js";
import { keepFilesPrivate } from "../private-files.js";

const PORT = 5480;

interface SetupOptions {
  readonly lang?: string | undefined;
  readonly onLink?: (link: string) => void;
  /** This process runs the daemon next, so the browser gets a session of its console too. */
  readonly isRunNext?: boolean;
}

/** Returns true when the config is written, false when the process was asked to end. */
export async function runSetup(
  context: CliContext,
  configPath: string,
  { lang, onLink = () => {}, isRunNext = false }: SetupOptions = {},
): Promise<boolean> {
  const { env, out, listPorts, stopSignal } = context;
  const { createSetupServer } = await import("../../console/setup/setup-server.js");
  const server = createSetupServer({
    ...{ configPath, listPorts, signal: stopSignal, clock: systemClock, log: silentLogger },
    // The Debian package sets this variable.
    dataFolder: env["FISCALD_DATA"] ?? null,
    port: consolePortIn(env),
    consoleAfter: isRunNext ? () => privateConfig(context).console : null,
  });
  const link = await server.start();
  const { setup } = messagesIn(languageWithoutConfig(context, { lang }));
  out(`${setup.openLink({ path: configPath })}\n${link}\n`);
  onLink(link);
  const stopped = stopSignal.aborted ? Promise.resolve() : once(stopSignal, "abort");
  const isWritten = await Promise.race([server.written.then(() => true), stopped.then(() => false)]);
  await server.stop();
  return isWritten;
}

/** The console's token is made before the daemon runs, in a folder that is as private as the daemon would make it. */
function privateConfig(context: CliContext): Config {
  const config = loadCliConfig(context, undefined);
  keepFilesPrivate(config);
  return config;
}

/** The port in the environment variable that would override the config's key `console.port`. */
export function consolePortIn({ FISCALD__console__port: text }: CliContext["env"]): number {
  const port = Number(text ?? PORT);
  return Number.isInteger(port) && port >= 0 && port <= 65_535 ? port : PORT;
}
