import { startDaemon, writeConfig } from "../../support/daemon-process.js";
import { useTempFolder } from "../../support/temp-folder.js";

const folder = useTempFolder();

test("when its terminal window is closed, the daemon ends as after a requested stop, not in the middle of a receipt", async () => {
  const registers = [{ id: "till", driver: "reference", connection: { kind: "emulator" } }];
  const { child } = await startDaemon(writeConfig({ folder: folder(), siteUrl: "http://127.0.0.1:9", registers }));
  child.signal("SIGHUP");
  expect(await child.ended).toBe(0);
});
