import { chmodSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { keepFilesPrivate } from "@fiscald/daemon/cli/private-files.js";
import { openDatabase } from "@fiscald/daemon/store/database/open-database.js";
import { silentLogger } from "@fiscald/shared/logger.js";
import { createFakeClock } from "../../support/fake-clock.js";
import { useTempFolder } from "../../support/temp-folder.js";

const folder = useTempFolder();
const umask = process.umask();
beforeEach(() => void process.umask(0o022));
afterEach(() => void process.umask(umask));

test("existing and new files of database, copies and logs are readable by this user only", () => {
  const data = join(folder(), "data");
  const logs = join(folder(), "shared-logs");
  const old = [
    join(data, "d.sqlite-old"),
    join(data, "backup", "fiscald-2026-11-19.sqlite"),
    join(logs, "fiscald-2026-11-19.log"),
  ];
  const foreign = join(logs, "other.log");
  mkdirSync(join(data, "backup"), { recursive: true });
  mkdirSync(logs, { mode: 0o755 });
  for (const path of [...old, foreign]) {
    writeFileSync(path, "");
    chmodSync(path, 0o644);
  }
  const database = join(data, "d.sqlite");
  keepFilesPrivate({ database, log: { folder: logs } });
  openDatabase({ path: database, clock: createFakeClock(), log: silentLogger, pid: 1 }).close();
  mkdirSync(join(folder(), "new"));
  const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);
  expect([...old, database, `${database}.lock`].map(modeOf)).toEqual(["600", "600", "600", "600", "600"]);
  expect([foreign, logs, join(folder(), "new")].map(modeOf)).toEqual(["644", "755", "700"]);
});
