import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Each test of the file gets a new folder, which is removed after the test. */
export function useTempFolder(): () => string {
  let folder = "";
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "fiscald-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  return () => folder;
}
