// node scripts/package/pictures.js: runs the setup in out/ under Wine, as a person does, and makes a picture of each page of
// the setup for the guide, with the seconds that it took. Debian: xvfb, scrot, imagemagick, wine, wine64, nsis, locales.
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pass } from "node:timers/promises";
import { root, run } from "./stage.js";

const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const setup = join(root, "out", `fiscald-${version}-windows-x64-setup.exe`);
const work = mkdtempSync(join(tmpdir(), "fiscald-pictures-"));
const [display, size] = [":97", "640x440"];
const env = {
  ...process.env,
  ...{ DISPLAY: display, WINEPREFIX: join(work, "wine"), WINEDEBUG: "-all" },
  ...{ LC_ALL: "ru_RU.UTF-8", LOCPATH: join(work, "locale") },
};
const wine = (...args) => spawnSync("wine", args, { env, stdio: "ignore" }).status;
const press = join(work, "press.exe");
const startedAt = Date.now();

const screen = spawn("Xvfb", [display, "-screen", "0", `${size}x24`], { stdio: "ignore" });
try {
  mkdirSync(env.LOCPATH);
  run("localedef", ["-f", "UTF-8", "-i", "ru_RU", join(env.LOCPATH, env.LC_ALL)], work);
  run("makensis", ["-V2", "-WX", `-DTARGET=${press}`, join(root, "scripts/package/windows/press.nsi")], work);
  wine("wineboot", "-i");
  wine("winecfg", "-v", "win10");
  // Windows have their frames although nobody manages them.
  wine("reg", "add", "HKCU\\Software\\Wine\\X11 Driver", "/v", "Managed", "/d", "N", "/f");
  console.log(`Wine is ready after ${seconds()} s`);
  spawn("wine", [setup], { env, stdio: "ignore" });
  for (const page of ["language", "welcome", "finish"]) {
    await until(() => wine(press, "look") === 0);
    await picture(page);
    await until(() => wine(press) === 0);
  }
} finally {
  spawnSync("wineserver", ["-k"], { env });
  screen.kill();
  rmSync(work, { recursive: true, force: true });
}

/** Three equal shots: the page stands still. */
async function picture(name) {
  const shots = [];
  const isStill = () => shots.length >= 3 && new Set(shots.slice(-3).map((shot) => shot.toString("hex"))).size === 1;
  await until(() => {
    const file = join(work, "shot.png");
    spawnSync("scrot", ["-o", file], { env });
    shots.push(readFileSync(file));
    return isStill();
  });
  const target = join(root, `daemon/docs/setup-${name}.png`);
  run("convert", [join(work, "shot.png"), "-trim", "+repage", `PNG8:${target}`], work);
  console.log(`${target} after ${seconds()} s`);
}

async function until(isDone) {
  while (!isDone()) await pass(500);
}

function seconds() {
  return Math.round((Date.now() - startedAt) / 1000);
}
