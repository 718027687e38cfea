/** node test/dist/daemon/console/page/take-pictures.js: the pictures of the operator's page in the guides. */
import { fileURLToPath } from "node:url";
import { openPageWorld } from "./page-world.js";

const docs = fileURLToPath(new URL("../../../../../daemon/docs/", import.meta.url));
const world = await openPageWorld({ titles: ["Касса у входа", "Касса в зале", "Самообслуживание"] });
try {
  const page = await world.open({ viewport: { width: 1024, height: 620 } });
  await page.locator(".light.green").waitFor();
  await page.screenshot({ path: `${docs}console.png` });
  await world.fault("paper-out");
  await page.locator(".light.red").waitFor();
  await page.screenshot({ path: `${docs}console-trouble.png` });
} finally {
  await world.close();
}
