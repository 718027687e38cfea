// Starts a private PostgreSQL on a free port below the given folder and prints its address.
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";

const folder = process.argv[2];
const versions = "/usr/lib/postgresql";
const [version] = readdirSync(versions).sort((a, b) => Number(b) - Number(a));
const bin = join(versions, version, "bin");
const data = join(folder, "postgres");

// The server refuses to run as root.
const asServer = (command, args) =>
  process.getuid() === 0
    ? execFileSync("runuser", ["-u", "postgres", "--", join(bin, command), ...args], {
        stdio: ["ignore", "ignore", "inherit"],
      })
    : execFileSync(join(bin, command), args, { stdio: ["ignore", "ignore", "inherit"] });

const port = await new Promise((resolve) => {
  const server = createServer().listen(0, "127.0.0.1", () => {
    const { port } = server.address();
    server.close(() => resolve(port));
  });
});

chmodSync(folder, 0o755);
if (!existsSync(data)) mkdirSync(data);
if (process.getuid() === 0) execFileSync("chown", ["postgres", data]);
asServer("initdb", ["-D", data, "-U", "fiscald", "--auth=trust", "--encoding=UTF8", "--no-sync"]);
const options = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off`;
asServer("pg_ctl", ["-D", data, "-w", "-l", join(data, "log"), "-o", options, "start"]);
console.log(`postgres://fiscald@127.0.0.1:${port}/postgres`);
