import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTestTill } from "#handlers/print-server/http/test-till.js";
import { startChild } from "../support/child-process.js";
import { freePort } from "../support/free-port.js";
import { root } from "../support/read-imports.js";
import { waitFor } from "../support/wait-for.js";

const secret = "whsec_c2VjcmV0LXNlY3JldC1zZWNyZXQ=";
const folder = mkdtempSync(join(tmpdir(), "fiscald-servers-"));
symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const page = readFileSync(join(root, "handlers/SERVERS.md"), "utf8");
const samples = [...page.matchAll(/^## (\w+)\n[^#]*?```js\n([\s\S]*?)```/gm)];

test("the page has a whole sample for Fastify and for Hono", () => {
  expect(samples.map(([, server]) => server)).toEqual(["Fastify", "Hono"]);
});

test.each(samples.map(([, server = "", code = ""]) => [server, code] as const))(
  "the sample for %s, as written, sells its order and ends although a poll waits",
  async (server, code) => {
    const port = String(await freePort());
    const own = join(folder, server);
    mkdirSync(own);
    writeFileSync(join(own, "shop.mjs"), code.replace("3000", port));
    const shop = startChild(["shop.mjs"], { cwd: own, env: { FISCAL_SECRET: secret } });
    const site = `http://127.0.0.1:${port}/fiscal`;
    const till = createTestTill({ site, auth: { kind: "signature", secret } });
    await waitFor("the sample's order is printed", async () => {
      const receipt = await till.printNext().catch(() => null);
      return receipt?.orderId === "A-1042";
    });
    await shop.line(/^send the buyer A-1042/);
    const held = till.poll({ waitSeconds: 50 }).catch(() => null);
    await till.poll();
    shop.signal("SIGTERM");
    expect([await shop.ended, await held]).toEqual([0, null]);
  },
);
