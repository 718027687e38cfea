import { accessSync, constants, existsSync, statfsSync } from "node:fs";
import { dirname } from "node:path";
import { Fault, toFault } from "@fiscald/shared/fault.js";
import { describeRights } from "@fiscald/shared/files/folder-rights.js";
import type { Config } from "../../config/config-schema.js";
import { faultFinding, type SetupFinding, troubleFinding, wellFinding } from "../../setup/finding.js";
import { identityFileOf } from "../../store/database/sidecar-files.js";
import { portsOf, requireFreePorts } from "../busy-ports.js";

interface WrittenPlaces extends Pick<Config, "database" | "images"> {
  readonly log: Pick<Config["log"], "folder">;
  readonly console: Pick<Config["console"], "tokenFile">;
}

/** Less free space than this is a warning. Log and database grow by less than this in a day. */
const FEW_MEGABYTES = 20;

/** The config and the pictures need only be readable, because the daemon writes only the other files. */
export function checkFiles(
  configPath: string,
  { database, log, console, images }: WrittenPlaces,
  freeMegabytes = freeMegabytesAt,
): readonly SetupFinding[] {
  const written = [database, log.folder, console.tokenFile];
  return [
    ...new Set([configPath, images.folder].filter((path) => existsSync(path))),
    ...new Set(written.map((path) => nearestExisting(path))),
  ].map((path) => fileFinding(path, path !== configPath && path !== images.folder, freeMegabytes));
}

/** Empty: the till was not exported. An exported till prints nothing here. */
export function checkMoved({ database }: Pick<Config, "database">): readonly SetupFinding[] {
  if (identityFileOf(database).read().moved === null) return [];
  return [faultFinding({ check: "files", about: database }, new Fault("store.moved"))];
}

function freeMegabytesAt(path: string): number {
  const { bavail, bsize } = statfsSync(path);
  return Math.floor((bavail * bsize) / 1e6);
}

function fileFinding(path: string, isWritten: boolean, freeMegabytes: typeof freeMegabytesAt): SetupFinding {
  const place = { check: "files", about: path } as const;
  const { R_OK, W_OK } = constants;
  if (isWritten ? isAllowed(path, R_OK | W_OK) : isAllowed(path, R_OK)) {
    const free = isWritten ? freeMegabytes(path) : FEW_MEGABYTES;
    if (free >= FEW_MEGABYTES) return wellFinding(place, ({ files }) => files.text);
    return faultFinding(place, new Fault("store.full", { message: `${free} MB are free` }));
  }
  const wrong = isWritten ? "forbidden" : "unreadable";
  return troubleFinding(place, "bad", ({ files }) => [files[wrong], files.next], describeRights(path));
}

function isAllowed(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
}

function nearestExisting(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestExisting(dirname(path));
}

export async function tryConsole(config: Config, isRunning: boolean, closed: Fault | null): Promise<SetupFinding> {
  const { host, port } = config.console;
  const place = { check: "console", about: `${host}:${port}` } as const;
  if (closed !== null) return faultFinding(place, closed);
  if (isRunning) return wellFinding(place, ({ console }) => console.answers);
  try {
    await requireFreePorts(portsOf(config));
    return wellFinding(place, ({ console }) => console.free);
  } catch (error) {
    return faultFinding(place, toFault(error, "daemon.port-busy"));
  }
}

const proxyVariables = ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"];

export function checkProxy(env: Readonly<Record<string, string | undefined>>): SetupFinding {
  const names = proxyVariables.filter((name) => (env[name] ?? "") !== "");
  const place = { check: "proxy", about: "" } as const;
  if (names.length === 0) return wellFinding(place, ({ proxy }) => proxy.none);
  return troubleFinding(place, "warning", ({ proxy }) => [proxy.set({ names: names.join(", ") }), proxy.next]);
}
