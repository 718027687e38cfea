import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { systemdUnit } from "@fiscald/daemon/cli/service/systemd-unit.js";
import { fiscald } from "../../../support/daemon-process.js";
import { hasProgram } from "../../../support/has-program.js";
import { useTempFolder } from "../../../support/temp-folder.js";

const folder = useTempFolder();
const options = {
  node: process.execPath,
  main: fiscald,
  configPath: "/var/lib/fiscald/config.json",
  dataFolders: ["/var/lib/fiscald/data"],
  secretFiles: [],
  serialGroup: "dialout",
};

const withSystemd = hasProgram("systemd-analyze") ? test : test.skip;

function analyze(unit: string, ...args: readonly string[]): string {
  const path = join(folder(), "fiscald.service");
  writeFileSync(path, unit);
  // What it has to say goes to either stream: both must be empty for a unit that is right.
  return execFileSync("sh", ["-c", 'exec systemd-analyze "$@" 2>&1', "sh", ...args, path], { encoding: "utf8" });
}

withSystemd("systemd-analyze verify finds nothing to say about the unit", () => {
  expect(analyze(systemdUnit(options), "verify")).toBe("");
});

withSystemd("systemd-analyze verify takes paths with blanks, quotes and signs of its own", () => {
  const odd = {
    ...options,
    configPath: '/srv/a "shop" of 100%/$HOME\\x/config.json',
    dataFolders: ["/srv/my shop/data"],
  };
  expect(analyze(systemdUnit(odd), "verify")).toBe("");
});

withSystemd("systemd-analyze would notice a misspelt key", () => {
  expect(analyze(systemdUnit(options).replace("WatchdogSec", "WatchdogSecs"), "verify")).toContain("WatchdogSecs");
});

withSystemd("systemd-analyze security rates it as little exposed", () => {
  const told = analyze(systemdUnit(options), "security", "--offline=true", "--no-pager");
  const [, level = "10"] = /Overall exposure level for \S+: ([\d.]+)/.exec(told) ?? [];
  expect(Number(level)).toBeLessThan(3);
});

test.each([
  ["a user of its own", /^User=fiscald$/m],
  ["readiness told by itself", /^Type=notify$/m],
  ["a watchdog", /^WatchdogSec=60$/m],
  ["limits to restarting", /^StartLimitBurst=20$/m],
  ["no restart after a wrong config", /^RestartPreventExitStatus=2$/m],
  ["the group of serial ports", /^SupplementaryGroups=dialout$/m],
  ["a system that it cannot write", /^ProtectSystem=strict$/m],
  ["but its data", /^ReadWritePaths=\/var\/lib\/fiscald\/data$/m],
  ["serial ports and no other device", /^DevicePolicy=closed$[\s\S]*^DeviceAllow=char-ttyACM rw$/m],
  ["time to finish the receipt in hand", /^TimeoutStopSec=180$/m],
])("the unit has %s", (_what, line) => {
  expect(systemdUnit(options)).toMatch(line);
});

test("a `$` in a path is written twice in the command only: lists know no variables", () => {
  const odd = { ...options, configPath: "/srv/a$b/config.json", dataFolders: ["/srv/a$b/data"] };
  const lines = systemdUnit(odd).split("\n");
  expect(lines).toContain('ReadWritePaths="/srv/a$b/data"');
  expect(lines.find((line) => line.startsWith("ExecStart="))).toContain(' --config "/srv/a$$b/config.json"');
  expect(lines).toContain("WorkingDirectory=/srv/a$b");
});

test("homes are out of sight unless something of the daemon is in one", () => {
  expect(systemdUnit({ ...options, node: "/usr/bin/node", main: "/usr/lib/f.js" })).toContain("ProtectHome=yes");
  expect(systemdUnit({ ...options, main: "/home/shop/f.js" })).toContain("ProtectHome=read-only");
});
