import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Child, startChild } from "./child-process.js";
import { root } from "./read-imports.js";

export interface DaemonProcess {
  readonly child: Child;
  /** Where its console answers. */
  readonly consoleUrl: string;
  /** One command beside the running daemon; resolves with what it printed, rejects when it fails. */
  command(...args: readonly string[]): Promise<string>;
  /** SIGTERM; resolves with its exit code. */
  stop(): Promise<number | string>;
}

export const fiscald = join(root, "daemon/dist/main.js");

/** The built daemon on a config of the test's own; ready when it says that it has started. */
export async function startDaemon(configPath: string, env: NodeJS.ProcessEnv = {}): Promise<DaemonProcess> {
  const child = startChild([fiscald, "run", "--config", configPath], { env });
  const [, port = ""] = await child.line(/\bstarted\b.* console=\S+:(\d+)/, 20_000);
  return {
    child,
    consoleUrl: `http://127.0.0.1:${port}`,
    async command(...args) {
      const command = startChild([fiscald, ...args, "--config", configPath], { env: { FISCALD__console__port: port } });
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
  /** Sites besides `shop`, whole. */
  readonly moreSites?: readonly Readonly<Record<string, unknown>>[];
  readonly registers: readonly Readonly<Record<string, unknown>>[];
  /** Default `debug`. */
  readonly logLevel?: string;
}

/** Writes a config with one site that has one address for everything; returns its path. */
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
