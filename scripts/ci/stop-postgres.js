// Stops what start-postgres.js started below the given folder; quiet when there is nothing.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const data = join(process.argv[2], "postgres");
const pidFile = join(data, "postmaster.pid");
if (existsSync(pidFile) && readdirSync(data).length > 0) {
  const pid = Number(readFileSync(pidFile, "utf8").split("\n")[0]);
  execFileSync("kill", ["-INT", String(pid)]);
}
