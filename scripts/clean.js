import { rmSync } from "node:fs";

rmSync(new URL("../daemon/program", import.meta.url), { recursive: true, force: true });
for (const folder of ["shared", "drivers", "drivers/emulators", "daemon", "handlers", "test"]) {
  rmSync(new URL(`../${folder}/dist`, import.meta.url), { recursive: true, force: true });
}
