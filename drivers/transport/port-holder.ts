import { readdir, readFile, readlink, realpath } from "node:fs/promises";

export interface PortHolder {
  readonly pid: number;
  /** As it was started, its words joined by blanks, its beginning where it is long. */
  readonly command: string;
}

const MAX_COMMAND = 120;

/**
 * The processes that have a port open, as Linux shows them under `/proc`. None where that cannot be seen: another system,
 * a process of another user.
 */
export async function findPortHolders(path: string): Promise<readonly PortHolder[]> {
  const port = await realpath(path).catch(() => path);
  const entries = await readdir("/proc").catch((): string[] => []);
  const holders: PortHolder[] = [];
  for (const pid of entries.filter((entry) => /^\d+$/.test(entry))) {
    if (!(await hasOpen(pid, port))) continue;
    const command = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
    holders.push({ pid: Number(pid), command: command.split("\0").join(" ").trim().slice(0, MAX_COMMAND) });
  }
  return holders;
}

async function hasOpen(pid: string, port: string): Promise<boolean> {
  const folder = `/proc/${pid}/fd`;
  const files = await readdir(folder).catch((): string[] => []);
  // One may be closed while it is looked at.
  const targets = await Promise.all(files.map((file) => readlink(`${folder}/${file}`).catch(() => null)));
  return targets.includes(port);
}
