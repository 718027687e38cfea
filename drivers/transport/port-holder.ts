import { readdir, readFile, readlink, realpath } from "node:fs/promises";
import { basename } from "node:path";

export interface PortHolder {
  readonly pid: number;
  /** The program, and what it runs where that is named next: `node fiscald`. No further words: they may hold secrets. */
  readonly program: string;
}

/**
 * The processes that have a port open, as Linux shows them under `/proc`. None where that cannot be seen: another system,
 * a process of another user.
 */
export async function findPortHolders(path: string): Promise<readonly PortHolder[]> {
  if (process.platform !== "linux") return [];
  const port = await realpath(path).catch(() => path);
  const entries = await readdir("/proc").catch((): string[] => []);
  const holders: PortHolder[] = [];
  for (const pid of entries.filter((entry) => /^\d+$/.test(entry))) {
    if (!(await hasOpen(pid, port))) continue;
    const command = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
    holders.push({ pid: Number(pid), program: programOf(command.split("\0")) });
  }
  return holders;
}

function programOf([program = "", script = ""]: readonly string[]): string {
  const isScript = script.startsWith("/") && /^(node|python|perl|ruby|java|sh|bash)[\d.]*$/.test(basename(program));
  return [program, ...(isScript ? [script] : [])].map((path) => basename(path)).join(" ");
}

async function hasOpen(pid: string, port: string): Promise<boolean> {
  const folder = `/proc/${pid}/fd`;
  const files = await readdir(folder).catch((): string[] => []);
  // One may be closed while it is looked at.
  const targets = await Promise.all(files.map((file) => readlink(`${folder}/${file}`).catch(() => null)));
  return targets.includes(port);
}
