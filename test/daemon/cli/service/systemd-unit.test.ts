import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { systemdUnit } from "@fiscald/daemon/cli/service/systemd-unit.js";
import { fiscald } from "../../../support/daemon-process.js";
import { needing } from "../../../support/has-program.js";
import { useTempFolder } from "../../../support/temp-folder.js";

const folder = useTempFolder();
const options = {
  node: process.execPath,
  main: fiscald,
  configPath: "/var/lib/fiscald/config.json",
  dataFolders: ["/var/lib/fiscald/data"],
  openFolders: [],
  secretFiles: [],
  serialGroup: "dialout",
};

const withSystemd = needing("systemd-analyze");

function analyze(unit: string, ...args: readonly string[]): string {
  const path = join(folder(), "fiscald.service");
  writeFileSync(path, unit);
  // Messages go to both streams. A valid unit gives none.
  return execFileSync("sh", ["-c", 'exec systemd-analyze "$@" 2>&1', "sh", ...args, path], { encoding: "utf8" });
}

withSystemd.test(`systemd-analyze verify accepts the unit${withSystemd.reason}`, () => {
  expect(analyze(systemdUnit(options), "verify")).toBe("");
});

withSystemd.test(
  `systemd-analyze verify accepts paths with blanks, quotes and special characters${withSystemd.reason}`,
  () => {
    const odd = {
      ...options,
      configPath: '/srv/a "shop" of 100%/$HOME\\x/config.json',
      dataFolders: ["/srv/my shop/data"],
    };
    expect(analyze(systemdUnit(odd), "verify")).toBe("");
  },
);

withSystemd.test(`systemd-analyze verify reports a misspelt key${withSystemd.reason}`, () => {
  expect(analyze(systemdUnit(options).replace("WatchdogSec", "WatchdogSecs"), "verify")).toContain("WatchdogSecs");
});

withSystemd.test(`systemd-analyze security rates the exposure below 3${withSystemd.reason}`, () => {
  const report = analyze(systemdUnit(options), "security", "--offline=true", "--no-pager");
  const [, level = "10"] = /Overall exposure level for \S+: ([\d.]+)/.exec(report) ?? [];
  expect(Number(level)).toBeLessThan(3);
});

test.each([
  ["a dedicated user", /^User=fiscald$/m],
  ["readiness by notification", /^Type=notify$/m],
  ["one heap for all threads", /^Environment=MALLOC_ARENA_MAX=1$/m],
  ["a watchdog", /^WatchdogSec=60$/m],
  ["a limit of restarts", /^StartLimitBurst=20$/m],
  ["no restart after a wrong config", /^RestartPreventExitStatus=2$/m],
  ["the group of serial ports", /^SupplementaryGroups=dialout$/m],
  ["a read-only system", /^ProtectSystem=strict$/m],
  ["writable data folders", /^ReadWritePaths=\/var\/lib\/fiscald\/data$/m],
  ["access to serial ports only", /^DevicePolicy=closed$[\s\S]*^DeviceAllow=char-ttyACM rw$/m],
  ["time to finish a receipt", /^TimeoutStopSec=180$/m],
])("the unit for systemd has %s", (_what, line) => {
  expect(systemdUnit(options)).toMatch(line);
});

test("a `$` in a path is doubled in the unit's command only, because systemd expands no variables in lists", () => {
  const odd = { ...options, configPath: "/srv/a$b/config.json", dataFolders: ["/srv/a$b/data"] };
  const lines = systemdUnit(odd).split("\n");
  expect(lines).toContain('ReadWritePaths="/srv/a$b/data"');
  expect(lines.find((line) => line.startsWith("ExecStart="))).toContain(' --config "/srv/a$$b/config.json"');
  expect(lines).toContain("WorkingDirectory=/srv/a$b");
});

test("the unit for systemd hides home folders unless a path of the daemon is in one", () => {
  expect(systemdUnit({ ...options, node: "/usr/bin/node", main: "/usr/lib/f.js" })).toContain("ProtectHome=yes");
  expect(systemdUnit({ ...options, main: "/home/shop/f.js" })).toContain("ProtectHome=read-only");
});
