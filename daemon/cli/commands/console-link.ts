/**
 * `fiscald console` prints a one-time link to the operator's page, and opens the link if there is a screen. Without a
 * config the command serves the set-up page until the config is written.
 */
import { spawn } from "node:child_process";
import { win32 } from "node:path";
import { z } from "zod";
import {
  type CliContext,
  daemonConfig,
  type ExitCode,
  exitCodes,
  isMissing,
  pathOfDaemonConfig,
  printJson,
  type Session,
} from "../cli-context.js";
import { createDaemonClient } from "../daemon-client.js";
import { formatSteps, packageSteps } from "../terminal/output.js";
import { runSetup } from "./run-setup.js";

const linkAnswer = z.object({ path: z.string().startsWith("/enter?key=") });

export async function showConsoleLink(session: Session): Promise<ExitCode> {
  const { context, options, words } = session;
  const path = pathOfDaemonConfig(context, options.config);
  // With `--config` a missing file is an error, because the path may be mistyped.
  if (options.config === undefined && !options.json && isMissing(path)) {
    const onLink = (link: string) => openInBrowser(link, context.env);
    const isWritten = await runSetup(session, path, { onLink });
    if (!isWritten) return exitCodes.failed;
    const steps = packageSteps(context.env);
    if (steps !== null) context.out(formatSteps(words.init.next, steps));
    return exitCodes.done;
  }
  const client = createDaemonClient(daemonConfig(session));
  const answer = await client.post(`/api/links${options.operator ? "?role=operator" : ""}`, {}, linkAnswer);
  const url = client.urlOf(answer.path);
  if (options.json) {
    printJson(context, { url });
    return exitCodes.done;
  }
  context.out(`${words.consoleLink.once}\n${url}\n`);
  openInBrowser(url, context.env);
  return exitCodes.done;
}

function openInBrowser(url: string, env: CliContext["env"]): void {
  const hasScreen = process.platform !== "linux" || (env["DISPLAY"] ?? env["WAYLAND_DISPLAY"]) !== undefined;
  if (!hasScreen || process.stdout.isTTY !== true) return;
  const { program, args } = browserCommand(url, process.platform, env);
  const child = spawn(program, args, { detached: true, stdio: "ignore", windowsVerbatimArguments: true });
  child.on("error", () => {});
  child.unref();
}

/**
 * The desktop opens the link with the rights of the logged-in user, because this program has an administrator's rights.
 * Explorer reads an address only up to `=`, except in quotes.
 */
export function browserCommand(url: string, platform: NodeJS.Platform, env: CliContext["env"]) {
  if (platform !== "win32") return { program: platform === "darwin" ? "open" : "xdg-open", args: [url] };
  return { program: win32.join(env["SystemRoot"] ?? "C:\\Windows", "explorer.exe"), args: [`"${url}"`] };
}
