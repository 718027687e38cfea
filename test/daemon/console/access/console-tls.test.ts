import { readFileSync } from "node:fs";
import type { App } from "@fiscald/daemon/app.js";
import { askConsole } from "@fiscald/daemon/cli/console-request.js";
import { createDaemonClient } from "@fiscald/daemon/cli/daemon-client.js";
import type { Config } from "@fiscald/daemon/config/config-schema.js";
import { z } from "zod";
import { hasOpenssl, selfSigned, signedBy } from "../../../support/certificates.js";
import { freePort } from "../../../support/free-port.js";
import { appOn, configIn, rawSite } from "../../../support/raw-config.js";
import { useTempFolder } from "../../../support/temp-folder.js";
import { startTestSite, type TestSite } from "../../../support/test-site.js";

const folder = useTempFolder();
let site: TestSite;
let app: App;
let config: Config;
let address: string;

const withOpenssl = hasOpenssl ? describe : describe.skip;

withOpenssl("a console with console.tls", () => {
  beforeEach(async () => {
    site = await startTestSite();
    const { cert, key } = signedBy(selfSigned(folder(), "authority"), folder(), "till");
    const console = { host: "0.0.0.0", port: await freePort(), tls: { certFile: cert, keyFile: key } };
    config = configIn(folder(), { sites: [rawSite(site.url)], console });
    app = appOn(config);
    address = await app.start();
  });

  afterEach(async () => {
    await app.stop();
    await site.close();
  });

  test("the command line makes a console link that opens a session by HTTPS only", async () => {
    const client = createDaemonClient(config);
    const { path } = await client.post("/api/links", {}, z.object({ path: z.string() }));
    expect([address, client.urlOf("/")]).toEqual([
      `https://localhost:${config.console.port}`,
      `https://localhost:${config.console.port}/`,
    ]);
    const { headers, status } = await ask(path);
    expect([status, headers["set-cookie"]]).toEqual([303, [expect.stringMatching(/; Secure; SameSite=Strict$/)]]);
    await expect(fetch(`http://127.0.0.1:${config.console.port}/healthz`)).rejects.toThrow();
  });

  test("the command line sends its token to no console with another certificate", async () => {
    const stranger = selfSigned(folder(), "stranger");
    const tls = { certFile: readFileSync(stranger.cert, "utf8"), keyFile: readFileSync(stranger.key, "utf8") };
    const client = createDaemonClient({ ...config, console: { ...config.console, tls } });
    await expect(client.get("/api/now", z.unknown())).rejects.toMatchObject({ code: "daemon.unreachable" });
  });

  function ask(path: string) {
    return askConsole(config, { method: "GET", path, headers: {}, timeoutMs: 10_000 });
  }
});
