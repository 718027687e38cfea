import { readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createLogger } from "@fiscald/daemon/logging/create-logger.js";
import { useTempFolder } from "../../support/temp-folder.js";
import { waitFor } from "../../support/wait-for.js";

const folder = useTempFolder();
const settings = { level: "info", namespaces: {}, keepDays: 3650, maxTotalMb: 10, language: "en" } as const;

test("all log files together stay within maxTotalMb, even on one noisy day, and the oldest files are removed first", async () => {
  const old = ["fiscald-2026-11-01.log.gz", "fiscald-2026-11-02.log.2.gz", "fiscald-2026-11-02.log.10.gz"];
  for (const name of old) writeFileSync(join(folder(), name), Buffer.alloc(4_900_000));
  const { logger, close } = createLogger({ settings: { ...settings, folder: folder() }, outputs: [], now: Date.now });
  const files = () => readdirSync(folder()).filter((name) => name.startsWith("fiscald-"));
  expect(files()).not.toContain(old[0]);
  const write = (lines: number) => {
    for (let line = 0; line < lines; line += 1) logger.error("noise ".repeat(150));
  };
  write(1000);
  const sizeOfDay = () => statSync(join(folder(), files().at(-1) ?? "")).size;
  await waitFor("they are on the disk", () => sizeOfDay() > 500_000 && sizeOfDay() < 2_000_000);
  write(2000);
  await close();
  expect(files()).not.toContain(old[1]);
  expect(files()).toContain(old[2]);
  expect(files().some((name) => name.endsWith(".log.1"))).toBe(true);
});
