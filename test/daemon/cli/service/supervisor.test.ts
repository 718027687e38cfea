import { spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { createSupervisor } from "@fiscald/daemon/cli/service/supervisor.js";
import { startChild } from "../../../support/child-process.js";
import { fiscald, writeConfig } from "../../../support/daemon-process.js";
import { createFakeClock } from "../../../support/fake-clock.js";
import { needing } from "../../../support/has-program.js";
import { useTempFolder } from "../../../support/temp-folder.js";
import { createTestLogger } from "../../../support/test-logger.js";
import { startTestSite } from "../../../support/test-site.js";
import { waitFor } from "../../../support/wait-for.js";

const folder = useTempFolder();

function supervised(env: Record<string, string>, code = 0) {
  const clock = createFakeClock();
  const sent: string[] = [];
  const warnings: string[] = [];
  const supervisor = createSupervisor({
    env,
    pid: 77,
    clock,
    log: createTestLogger((line) => warnings.push(line)),
    async run(command, args) {
      sent.push([command, ...args].join(" "));
      return { code, output: code === 0 ? "" : "no socket" };
    },
  });
  return { supervisor, clock, sent, warnings };
}

const socket = { NOTIFY_SOCKET: "/run/systemd/notify" };

test("without systemd the daemon sends no message to a supervisor", async () => {
  const { supervisor, clock, sent } = supervised({});
  supervisor.ready("here");
  supervisor.stopping();
  await supervisor.close();
  expect([sent, clock.pending]).toEqual([[], 0]);
});

test("systemd's watchdog is fed at half its interval from the start until the end", async () => {
  const { supervisor, clock, sent } = supervised({ ...socket, WATCHDOG_USEC: "60000000", WATCHDOG_PID: "77" });
  supervisor.ready("here");
  await clock.advance(30_000);
  supervisor.stopping();
  await clock.advance(30_000);
  await supervisor.close();
  const feeding = "systemd-notify WATCHDOG=1";
  expect(sent).toEqual(["systemd-notify READY=1 STATUS=here", feeding, feeding, "systemd-notify STOPPING=1", feeding]);
  expect(clock.pending).toBe(0);
});

test.each([{}, { WATCHDOG_USEC: "60000000", WATCHDOG_PID: "78" }, { WATCHDOG_USEC: "0" }])(
  "without a watchdog for this process (%j) only READY is sent to systemd",
  async (env) => {
    const { supervisor, sent } = supervised({ ...socket, ...env });
    supervisor.ready("here");
    await supervisor.close();
    expect(sent).toHaveLength(1);
  },
);

test("a failed notification of systemd is logged once", async () => {
  const { supervisor, warnings } = supervised(socket, 1);
  supervisor.ready("here");
  supervisor.stopping();
  await supervisor.close();
  expect(warnings).toEqual([expect.stringContaining("systemd cannot be notified")]);
});

/** Reads datagrams like systemd and drops the descriptor on which the sender waits. */
const receiver = `
import socket, sys
server = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
server.bind(sys.argv[1])
print("bound", flush=True)
while True:
    print(repr(server.recv(4096).decode()), flush=True)`;

const withSystemd = needing("systemd-notify", "python3");

withSystemd.test(
  `the built daemon sends READY, WATCHDOG and STOPPING to a real socket${withSystemd.reason}`,
  async () => {
    const path = join(folder(), "notify");
    const systemd = spawn("python3", ["-c", receiver, path]);
    const lines: string[] = [];
    createInterface({ input: systemd.stdout }).on("line", (line) => lines.push(line));
    const site = await startTestSite();
    site.answer(() => ({ body: "" }));
    const connection = { kind: "emulator", statePath: "till.json" };
    const config = writeConfig({
      folder: folder(),
      siteUrl: site.url,
      registers: [{ id: "till", driver: "reference", connection }],
    });
    await waitFor("the socket is there", () => lines.includes("bound"));
    const env = { NOTIFY_SOCKET: path, WATCHDOG_USEC: "400000" };
    const daemon = startChild([fiscald, "run", "--config", config], { env });
    const count = (message: string) => lines.filter((line) => line.includes(message)).length;
    await waitFor("the watchdog is fed again and again", () => count("WATCHDOG=1") > 3, { timeoutMs: 60_000 });
    daemon.signal("SIGTERM");
    expect(await daemon.ended).toBe(0);
    await waitFor("it says that it stops", () => count("STOPPING=1") === 1);
    systemd.kill();
    await site.close();

    const messages = lines.filter((line) => !line.includes("BARRIER"));
    expect(messages[1]).toMatch(/READY=1.*STATUS=console at http:/);
    expect(daemon.output()).not.toContain("systemd cannot be notified");
  },
);
