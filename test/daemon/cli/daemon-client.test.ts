/** The commands must not send their token to another program that listens at the daemon's port. */
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { dirname } from "node:path";
import { createDaemonClient } from "@fiscald/daemon/cli/daemon-client.js";
import { proofOfToken } from "@fiscald/daemon/console/access/console-token.js";
import { toFault } from "@fiscald/shared/fault.js";
import { z } from "zod";
import { freePort } from "../../support/free-port.js";
import { configIn } from "../../support/raw-config.js";
import { useTempFolder } from "../../support/temp-folder.js";

const folder = useTempFolder();
const token = "a-token-of-the-administrator";
let server: Server;
afterEach(() => new Promise((resolve) => server.close(resolve)));

/** Asks a program that answers a nonce with these proofs. Returns the authorization of each call, and the fault. */
async function askedOf(
  proofs: (nonce: string, port: number) => unknown,
  { status = 200, hasToken = true }: { readonly status?: number; readonly hasToken?: boolean } = {},
) {
  const seen: (string | undefined)[] = [];
  const port = await freePort();
  server = createServer((request, response) => {
    seen.push(request.headers.authorization);
    const nonce = new URL(request.url ?? "", "http://till").searchParams.get("nonce");
    response.statusCode = status;
    response.end(JSON.stringify(nonce === null ? {} : { up: true, proofs: proofs(nonce, port) }));
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const config = configIn(folder(), { console: { port } });
  mkdirSync(dirname(config.console.tokenFile), { recursive: true });
  if (hasToken) writeFileSync(config.console.tokenFile, token);
  const client = createDaemonClient(config);
  const code = await client.get("/api/now", z.unknown()).then(
    () => null,
    (error: unknown) => toFault(error, "internal").code,
  );
  return { seen, code };
}

test.each([
  ["no proof, as an older daemon", () => undefined, [undefined], "daemon.other-version"],
  ["an empty list of proofs", () => [], [undefined], "daemon.console-closed"],
  [
    "the proof of another token",
    (nonce: string, port: number) => [proofOfToken("another", nonce, port)],
    [undefined],
    "daemon.console-closed",
  ],
  [
    "the proof of another port",
    (nonce: string) => [proofOfToken(token, nonce, 1)],
    [undefined],
    "daemon.console-closed",
  ],
  [
    "the proof of another nonce",
    (_: string, port: number) => [proofOfToken(token, "0".repeat(32), port)],
    [undefined],
    "daemon.console-closed",
  ],
])("the token is not sent to a program at the daemon's port that shows %s", async (_, proofs, seen, code) => {
  expect(await askedOf(proofs)).toEqual({ seen, code });
});

test("the token is sent to a program at the daemon's port that proves to know the token", async () => {
  const asked = await askedOf((nonce, port) => [proofOfToken(token, nonce, port)]);
  expect(asked).toEqual({ seen: [undefined, `Bearer ${token}`], code: null });
});

test("without the token file, a daemon that answers counts as a daemon that cannot be asked, not as a stopped daemon", async () => {
  const asked = await askedOf((nonce, port) => [proofOfToken(token, nonce, port)], { hasToken: false });
  expect(asked).toEqual({ seen: [undefined], code: "daemon.console-closed" });
});

test("another program that answers 404 with JSON at the daemon's port counts as no daemon", async () => {
  expect(await askedOf(() => undefined, { status: 404 })).toEqual({ seen: [undefined], code: "daemon.unreachable" });
});
