/** `fiscald run` and `fiscald console` without a config: the set-up page alone, on this machine. */
import { once } from "node:events";
import { systemClock } from "@fiscald/shared/clock.js";
import { silentLogger } from "@fiscald/shared/logger.js";
import { messagesIn } from "../../messages/messages.js";
import { type CliContext, languageWithoutConfig } from "../cli-context.js";

const PORT = 5480;

interface SetupOptions {
  readonly lang?: string | undefined;
  readonly onLink?: (link: string) => void;
}

/** True: there is a config now. False: the process was asked to end. */
export async function runSetup(
  context: CliContext,
  configPath: string,
  { lang, onLink = () => {} }: SetupOptions = {},
): Promise<boolean> {
  const { env, out, listPorts, stopSignal } = context;
  const { createSetupServer } = await import("../../console/setup/setup-server.js");
  const server = createSetupServer({
    ...{ configPath, listPorts, signal: stopSignal, clock: systemClock, log: silentLogger },
    // Set by the Debian package.
    dataFolder: env["FISCALD_DATA"] ?? null,
    port: portIn(env["FISCALD__console__port"]),
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

/** As the config's key would be overridden. */
function portIn(text: string | undefined): number {
  const port = Number(text ?? PORT);
  return Number.isInteger(port) && port >= 0 && port <= 65_535 ? port : PORT;
}
