import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { collectFiles, foreignPath, placeFiles, secretVariables } from "@fiscald/daemon/cli/move/till-files.js";
import { useTempFolder } from "../../../support/temp-folder.js";

const folder = useTempFolder();

const config = JSON.stringify({
  sites: [{ auth: { kind: "bearer", token: { fromFile: "secrets/shop" } }, tls: { caFile: "/etc/shop/ca.pem" } }],
  registers: [{ options: { password: { fromEnv: "TILL_PASSWORD" } } }],
  console: { operatorTokenFile: "operator-token" },
});

test("the secrets and pictures of a moved till are put where the config of the new computer names them", () => {
  mkdirSync(join(folder(), "secrets"));
  mkdirSync(join(folder(), "images"));
  writeFileSync(join(folder(), "secrets/shop"), "secret");
  writeFileSync(join(folder(), "images/logo.png"), "picture");
  const files = collectFiles(config, { folder: folder(), images: join(folder(), "images") });
  const placed = placeFiles(files, { folder: "/srv/till", images: "/srv/pictures" });
  expect([...placed].map(([path, data]) => [path, Buffer.from(data).toString()])).toEqual([
    ["/srv/till/secrets/shop", "secret"],
    ["/srv/pictures/logo.png", "picture"],
  ]);
});

test("the environment variables that hold secrets of a config are named", () => {
  expect(secretVariables(config)).toEqual(["TILL_PASSWORD"]);
});

test.each([
  ["linux", "C:\\ProgramData\\fiscald\\db.sqlite"],
  ["linux", "d:/fiscald/db.sqlite"],
  ["linux", "\\\\server\\share\\db.sqlite"],
  ["win32", "/var/lib/fiscald/db.sqlite"],
] as const)("a path of another operating system is recognised on %s: %s", (platform, path) => {
  expect(foreignPath(JSON.stringify({ database: path }), platform)).toBe(path);
});

test.each([
  ["linux", "/var/lib/fiscald/db.sqlite"],
  ["win32", "C:\\ProgramData\\fiscald\\db.sqlite"],
  ["win32", "data/db.sqlite"],
  ["linux", "data/db.sqlite"],
] as const)("a path is not taken for a path of another operating system on %s: %s", (platform, path) => {
  expect(foreignPath(JSON.stringify({ database: path }), platform)).toBeNull();
});
