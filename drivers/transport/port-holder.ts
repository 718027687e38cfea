import { readdir, readFile, readlink, realpath, stat } from "node:fs/promises";
import { basename, isAbsolute } from "node:path";

export interface PortHolder {
  readonly pid: number;
  /** The program's file, and a script's name: `node main.js`. Further arguments may be secrets. */
  readonly program: string;
}

export type FindPortHolders = (path: string) => Promise<readonly PortHolder[]>;

/** The processes that have a serial port open, by `/proc`. Empty where the system hides them from this user. */
export async function findPortHolders(path: string): Promise<readonly PortHolder[]> {
  if (process.platform !== "linux") return [];
  return findHolders([await realpath(path).catch(() => path)]);
}

/** The processes that listen at a TCP port of this machine, found in the same way. */
export async function findListeners(port: number): Promise<readonly PortHolder[]> {
  if (process.platform !== "linux") return [];
  const tables = await Promise.all(
    ["tcp", "tcp6"].map((name) => readFile(`/proc/net/${name}`, "utf8").catch(() => "")),
  );
  const atPort = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  const rows = tables.flatMap((table) => table.split("\n")).map((row) => row.trim().split(/\s+/));
  const listening = rows.filter(([, local = "", , state]) => local.endsWith(atPort) && state === LISTENING);
  return findHolders(listening.map((row) => `socket:[${row[INODE]}]`));
}

const INODE = 9;
const LISTENING = "0A";

/** `files`: as the links in `/proc/PID/fd` name them. */
async function findHolders(files: readonly string[]): Promise<readonly PortHolder[]> {
  const entries = await readdir("/proc").catch((): string[] => []);
  const holders: PortHolder[] = [];
  for (const pid of entries.filter((entry) => /^\d+$/.test(entry))) {
    if (!(await hasOpen(pid, files))) continue;
    holders.push({ pid: Number(pid), program: await programOf(pid) });
  }
  return holders;
}

/** Named by its file, because a process may rewrite its own name and arguments. */
async function programOf(pid: string): Promise<string> {
  const file = await readlink(`/proc/${pid}/exe`).catch(() => "");
  const program = basename(file.replace(/ \(deleted\)$/, ""));
  if (!/^(node|python|perl|ruby|java|sh|bash|dash)[\d.]*$/.test(program)) return program;
  const command = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
  const [, script = ""] = command.split("\0");
  const isScript = isAbsolute(script) && (await stat(script).catch(() => null))?.isFile() === true;
  return isScript ? `${program} ${basename(script)}` : program;
}

async function hasOpen(pid: string, searched: readonly string[]): Promise<boolean> {
  const folder = `/proc/${pid}/fd`;
  const files = await readdir(folder).catch((): string[] => []);
  // The process may end while its files are read.
  const targets = await Promise.all(files.map((file) => readlink(`${folder}/${file}`).catch(() => null)));
  return targets.some((target) => target !== null && searched.includes(target));
}
