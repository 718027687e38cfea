import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Child, startChild } from "./child-process.js";
import { root } from "./read-imports.js";

export interface DaemonProcess {
  readonly child: Child;
  /** The address of its console. */
  readonly consoleUrl: string;
  /** Runs a command beside the daemon; resolves with the command's output, rejects when the command fails. */
  command(...args: readonly string[]): Promise<string>;
  /** Sends SIGTERM; resolves with the daemon's exit code. */
  stop(): Promise<number | string>;
}

/** What a till's package has may take the place of the checkout's program: `FISCALD_PROGRAM=daemon/program/main.js`. */
export const fiscald = join(root, process.env.FISCALD_PROGRAM ?? "daemon/dist/main.js");

/** Starts the built daemon on a config of the test's own; resolves when the daemon says that it has started. */
export async function startDaemon(
  configPath: string,
  env: NodeJS.ProcessEnv = {},
  program = fiscald,
): Promise<DaemonProcess> {
  const child = startChild([program, "run", "--config", configPath], { env });
  const [, port = ""] = await child.line(/\bstarted\b.* console=\S+:(\d+)/, 20_000);
  return {
    child,
    consoleUrl: `http://127.0.0.1:${port}`,
    async command(...args) {
      const command = startChild([program, ...args, "--config", configPath], { env: { FISCALD__console__port: port } });
      const code = await command.ended;
      if (code !== 0) throw new Error(`fiscald ${args.join(" ")} ended with ${code}:\n${command.output()}`);
      return command.output();
    },
    async stop() {
      child.signal("SIGTERM");
      return child.ended;
    },
  };
}

export interface TestConfig {
  readonly folder: string;
  readonly siteUrl: string;
  readonly site?: Readonly<Record<string, unknown>>;
  /** Whole sites besides `shop`. */
  readonly moreSites?: readonly Readonly<Record<string, unknown>>[];
  readonly registers: readonly Readonly<Record<string, unknown>>[];
  readonly logLevel?: string;
}

/** The config has one site with one address for all calls. Returns the config's path. */
export function writeConfig({
  folder,
  siteUrl,
  site = {},
  moreSites = [],
  registers,
  logLevel = "debug",
}: TestConfig): string {
  const names = ["orders", "result", "sync", "activity", "zreport", "error"];
  const urls = Object.fromEntries(names.map((name) => [name, siteUrl]));
  const path = join(folder, "config.json");
  writeFileSync(
    path,
    JSON.stringify({
      version: 1,
      database: "fiscald.sqlite",
      sites: [
        { id: "shop", urls, pollEverySeconds: 0.2, ...site },
        ...moreSites.map((more) => ({ pollEverySeconds: 0.2, ...more })),
      ],
      registers: registers.map((register) => ({ sites: ["shop"], ...register })),
      console: { port: 0, tokenFile: "console-token" },
      log: { folder: "logs", level: logLevel },
    }),
  );
  return path;
}
