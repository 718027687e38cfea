import { readFileSync } from "node:fs";
import { join } from "node:path";
import { openDatabase } from "@fiscald/daemon/store/database/open-database.js";
import { createIdleCheckpoint } from "@fiscald/daemon/store/database/wal-checkpoint.js";
import { silentLogger } from "@fiscald/shared/logger.js";
import { createFakeClock } from "../../../support/fake-clock.js";
import { useTempFolder } from "../../../support/temp-folder.js";

const folder = useTempFolder();

function openAll() {
  const clock = createFakeClock();
  const path = join(folder(), "d.sqlite");
  const { db, close } = openDatabase({ path, clock, log: silentLogger, pid: 1 });
  const insert = db.prepare("INSERT INTO meta VALUES (?, ?)");
  const checkpoint = createIdleCheckpoint({ db, clock, log: silentLogger });
  checkpoint.start();
  return {
    clock,
    write: (key: string) => insert.run(key, `value of ${key}`),
    /** What the database file itself holds, without SQLite's log. */
    holds: (key: string) => readFileSync(path, "latin1").includes(`value of ${key}`),
    /** At least as many pages of SQLite's log. */
    writePages: db.transaction((count: number) => {
      for (let page = 0; page < count; page += 1) insert.run(`page ${page}`, "x".repeat(4_000));
    }),
    end() {
      checkpoint.stop();
      expect(clock.pending).toBe(0);
      close();
    },
  };
}

test("what was written is moved into the database once nothing was written for a while", async () => {
  const { clock, write, holds, end } = openAll();
  write("tea");
  await clock.advance(5_000);
  write("cake");
  await clock.advance(5_000);
  expect([holds("tea"), holds("cake")]).toEqual([false, false]);
  await clock.advance(5_000);
  expect([holds("tea"), holds("cake")]).toEqual([true, true]);
  write("coffee");
  await clock.advance(10_000);
  expect(holds("coffee")).toBe(true);
  end();
});

test("no commit of a busy hour does it", () => {
  const { write, writePages, holds, end } = openAll();
  write("tea");
  // SQLite itself would begin at a thousand.
  writePages(1_500);
  write("cake");
  expect(holds("tea")).toBe(false);
  end();
});
