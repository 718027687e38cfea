/** The Debian package on this machine: installed, set up, printing, updated in the middle of a receipt, removed, purged. */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Child, startChild } from "../support/child-process.js";
import { type EmulatorProcess, startEmulator } from "../support/emulator-process.js";
import { type FakeSite, startFakeSite } from "../support/fake-site.js";
import { close, pay, sell, table, tea } from "../support/order-samples.js";
import { root } from "../support/read-imports.js";
import { waitFor } from "../support/wait-for.js";
import { madePackage, run, version } from "./made-packages.js";

const older = "0.0.9";
const config = "/etc/fiscald/config.json";
const work = mkdtempSync(join(tmpdir(), "fiscald-deb-"));
const services: Child[] = [];
let site: FakeSite;
let register: EmulatorProcess;

beforeAll(async () => {
  site = await startFakeSite();
  register = await startEmulator({ maker: "shtrih", listen: "tcp:127.0.0.1:0", statePath: join(work, "till.json") });
});
afterAll(async () => {
  for (const service of services) service.signal("SIGKILL");
  run("dpkg", ["--purge", "fiscald"]);
  await register?.stop();
  await site?.close();
  rmSync(work, { recursive: true, force: true });
});

/** The present package under another number. */
function makeOlder(): string {
  const folder = join(work, "older");
  const made = join(work, "older.deb");
  run("dpkg-deb", ["--raw-extract", madePackage(`fiscald_${version}_amd64.deb`), folder]);
  run("sed", ["-i", `s/^Version: .*/Version: ${older}/`, join(folder, "DEBIAN/control")]);
  run("dpkg-deb", ["--root-owner-group", "-Znone", "--build", folder, made]);
  return made;
}

/** Runs the service as systemd does, with the unit's command, in its folder, as its user. */
function startService(): Child {
  const unit = readFileSync("/usr/lib/systemd/system/fiscald.service", "utf8");
  const [, command = ""] = /^ExecStart=(.*)$/m.exec(unit) ?? [];
  const asUser = ["--reuid=fiscald", "--regid=fiscald", "--init-groups"];
  const child = startChild([...asUser, ...command.split(" ")], { program: "setpriv", cwd: "/etc/fiscald" });
  services.push(child);
  return child;
}

function sale(orderId: string): object {
  return table([sell, tea, pay(100), close], { orderId });
}

test("the Debian package prints, is updated only after a receipt in print has ended, and is purged completely", async () => {
  run("dpkg", ["--install", makeOlder()]);
  expect(run("/usr/bin/fiscald", ["--version"])).toMatch(/^\d+\.\d+\.\d+/);
  expect(run("systemd-analyze", ["verify", "/usr/lib/systemd/system/fiscald.service"])).toBe("");

  expect(() => run("/usr/bin/fiscald", ["service", "install"])).toThrow("the package brings its own unit");
  const siteAnswers = [site.url, "none", "shop"];
  const registerAnswers = ["y", "", "", "n"];
  const shopAnswers = ["", "", "moscow", ""];
  run("/usr/bin/fiscald", ["init", "--host", `127.0.0.1:${register.port}`], {
    input: [...siteAnswers, ...registerAnswers, ...shopAnswers, ""].join("\n"),
  });
  const written = JSON.parse(readFileSync(config, "utf8"));
  expect(written).toMatchObject({ database: "/var/lib/fiscald/fiscald.sqlite", log: { language: "ru" } });
  expect([statSync(config).uid, statSync(config).mode & 0o777]).toEqual([statSync("/var/lib/fiscald").uid, 0o640]);
  // `init` does not ask for the tax rate of items that name none.
  const registers = [{ ...written.registers[0], defaultTax: 11 }];
  writeFileSync(config, JSON.stringify({ ...written, registers }));

  const first = startService();
  await first.line(/ daemon started/);
  site.offer("A-1", sale("A-1"));
  expect(await site.result("A-1")).toMatchObject({ resultCode: 0 });

  await register.addFault({ effect: "pause", when: { command: "close-receipt", nth: 1 } });
  site.offer("A-2", sale("A-2"));
  await waitFor("the register is in the middle of it", async () =>
    JSON.stringify(await register.get("/state")).includes('"paused":true'),
  );
  const update = () => run("dpkg", ["--install", madePackage(`fiscald_${version}_amd64.deb`)]);
  expect(update).toThrow(`process ${first.pid} is a daemon that still runs. Stop it first`);
  first.signal("SIGTERM");
  await register.clearFaults();
  expect(await first.ended).toBe(0);
  update();
  const second = startService();
  await second.line(/ daemon started/);
  expect(await site.result("A-2")).toMatchObject({ resultCode: 0 });
  site.offer("A-3", sale("A-3"));
  expect(await site.result("A-3")).toMatchObject({ resultCode: 0 });
  second.signal("SIGTERM");
  expect(await second.ended).toBe(0);
  expect(await register.receipts()).toHaveLength(3);

  // This is the state after an update or a removal that failed: what `prerm` has stopped is made ready again.
  for (const failed of ["abort-upgrade", "abort-remove"]) run("/var/lib/dpkg/info/fiscald.postinst", [failed, older]);
  run("dpkg", ["--remove", "fiscald"]);
  expect([existsSync("/usr/bin/fiscald"), existsSync(config), existsSync("/var/lib/fiscald")]).toEqual([
    false,
    true,
    true,
  ]);
  writeFileSync("/etc/default/fiscald", "TOKEN=secret\n");
  run("dpkg", ["--purge", "fiscald"]);
  const left = ["/etc/fiscald", "/var/lib/fiscald", "/etc/default/fiscald"].filter((path) => existsSync(path));
  expect(left).toEqual([]);
  expect(() => run("id", ["fiscald"])).toThrow();
});

test("removing the Debian package is refused while its service cannot be stopped", async () => {
  const home = join(work, "running");
  mkdirSync(join(home, "bin"), { recursive: true });
  copyFileSync("/bin/sh", join(home, "node"));
  const service = startChild(["-c", "echo started; read line", "fiscald.js", "run", "--config"], {
    program: join(home, "node"),
  });
  services.push(service);
  await service.line(/started/);
  writeFileSync(join(home, "bin/systemctl"), `#!/bin/sh\n[ $1 = show ] && echo ${service.pid}\n`, { mode: 0o755 });
  writeFileSync(join(home, "bin/deb-systemd-invoke"), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
  const template = readFileSync(join(root, "scripts/package/debian/prerm"), "utf8");
  const script = join(home, "prerm");
  writeFileSync(script, template.replaceAll("@HOME@", home).replaceAll("/run/systemd/system", home));
  const prerm = () => run("env", [`PATH=${join(home, "bin")}:${process.env.PATH}`, "sh", script, "remove"]);
  expect(prerm).toThrow(`process ${service.pid} is a daemon that still runs`);
});

describe("the postinst script of the Debian package", () => {
  /** Runs the script with stand-ins for the system's programs, each of which writes what it is asked. */
  function postinst(name: string, unitOfHand: (path: string) => void = () => {}): string {
    const home = join(work, name);
    mkdirSync(home);
    const programs = [
      "groupadd",
      "useradd",
      "usermod",
      "install",
      "systemctl",
      "deb-systemd-helper",
      "deb-systemd-invoke",
    ];
    for (const program of programs) {
      const code = program === "deb-systemd-invoke" ? 1 : 0;
      writeFileSync(join(home, program), `#!/bin/sh\necho ${program} "$@"\nexit ${code}\n`, { mode: 0o755 });
    }
    unitOfHand(join(home, "fiscald.service"));
    const script = join(home, "postinst");
    const template = readFileSync(join(root, "scripts/package/debian/postinst"), "utf8");
    writeFileSync(script, template.replaceAll("/run/systemd/system", home).replaceAll("/etc/systemd/system", home));
    return run("env", [`PATH=${home}:${process.env.PATH}`, "sh", "-c", 'sh "$0" configure 2>&1', script]);
  }

  test("an update of the Debian package says when the service does not start after the update", () => {
    expect(postinst("not-started")).toContain("the service does not run");
  });

  test("an installation of the Debian package reuses the group that an earlier purge has left", () => {
    expect(postinst("group")).toMatch(/groupadd --system --force fiscald\nuseradd --system --gid fiscald /);
  });

  test("an installation of the Debian package reports a unit made by hand, and does not report a masked unit", () => {
    const said = "installation by hand";
    expect(postinst("by-hand", (path) => writeFileSync(path, "[Unit]"))).toContain(said);
    expect(postinst("masked", (path) => symlinkSync("/dev/null", path))).not.toContain(said);
  });
});

test("a purge of the Debian package succeeds when the data's folder is a mounted disk", () => {
  const home = join(work, "mounted");
  mkdirSync(home);
  for (const [name, code] of Object.entries({ rm: 1, userdel: 0, systemctl: 0, "deb-systemd-helper": 0 })) {
    writeFileSync(join(home, name), `#!/bin/sh\nexit ${code}\n`, { mode: 0o755 });
  }
  const script = join(root, "scripts/package/debian/postrm");
  expect(run("env", [`PATH=${home}:${process.env.PATH}`, "sh", script, "purge"])).toBe("");
});

test("the package's command reads the service's variables like systemd, and runs no shell code in a password", () => {
  const variables = join(work, "variables");
  writeFileSync(
    variables,
    `# a comment\nPLAIN=a$HOME b\n QUOTED\nQUOTED="pa$$word \`id\`"\nnot a name=1\nEMPTY=\nLAST='it $is'`,
  );
  const shown = '#!/bin/sh\nprintf "%s|" "$PLAIN" "$QUOTED" "$EMPTY" "$LAST"\n';
  writeFileSync(join(work, "node"), shown, { mode: 0o755 });
  const template = readFileSync(join(root, "scripts/package/debian/fiscald.sh"), "utf8");
  const command = join(work, "command.sh");
  writeFileSync(command, template.replaceAll("/etc/default/fiscald", variables).replaceAll("@HOME@", work));
  expect(run("sh", [command, "service", "status"])).toBe("a$HOME b|pa$$word `id`||it $is|");
});

test("the Linux archive runs in the folder where it is unpacked, and takes no package from the folder above", () => {
  run("tar", ["-xzf", madePackage(`fiscald-${version}-linux-x64.tar.gz`), "-C", work]);
  const [program, port] = [join(work, `fiscald-${version}-linux-x64/bin/fiscald`), "/dev/no-such-port"];
  expect(run(program, ["--version"])).toContain(version);
  const planted = join(work, "node_modules/supports-color");
  const taken = join(work, "taken");
  mkdirSync(planted, { recursive: true });
  writeFileSync(join(planted, "index.js"), `require("fs").writeFileSync(${JSON.stringify(taken)}, "")`);
  // The command loads drivers and the native module of the serial port.
  expect(() => run(program, ["discover", "--port", port, "--lang", "en"])).toThrow(port);
  expect(existsSync(taken)).toBe(false);
  const emulator = () => run(program, ["emulator", "--maker", "shtrih", "--listen", "tcp:127.0.0.1:0"]);
  expect(emulator).toThrow("@fiscald/emulators is not installed");
});

test("lintian finds no error in the Debian package", () => {
  expect(run("lintian", ["--allow-root", "--fail-on=error", madePackage(`fiscald_${version}_amd64.deb`)])).not.toMatch(
    /^E:/m,
  );
});

test("the program of the arm64 package runs with all its modules, and the package has its guides", () => {
  const folder = join(work, "arm64");
  run("dpkg-deb", ["--extract", madePackage(`fiscald_${version}_arm64.deb`), folder]);
  const guides = ["README.md", "FAULTS.md", "docs/support.ru.md", "docs/install.ru.md", "NOTICES.txt"];
  expect(guides.filter((path) => !existsSync(join(folder, "usr/share/doc/fiscald", path)))).toEqual([]);
  const home = join(folder, "usr/lib/fiscald");
  const app = join(home, "app");
  const main = join(app, "node_modules/@fiscald/daemon/bin/fiscald.js");
  const emulator = ["-L", "/usr/aarch64-linux-gnu", join(home, "node")];
  expect(run("qemu-aarch64-static", [...emulator, main, "--version"])).toContain(version);
  run("qemu-aarch64-static", [...emulator, join(root, "scripts/package/load-all.js"), app]);
});
