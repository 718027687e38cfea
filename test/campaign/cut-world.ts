/** One register in a process of its own, one daemon in another, one site here: what a cut is made in. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Child } from "../support/child-process.js";
import type { EmulatorProcess } from "../support/emulator-process.js";
import { type FakeSite, startFakeSite } from "../support/fake-site.js";
import { writeDaemonConfig } from "./daemon-config.js";
import { type DaemonPool, PATIENCE_MS } from "./daemon-pool.js";
import type { EmulatorHost } from "./emulator-host.js";
import { emulatorOf, type MakerRow } from "./makers.js";

export interface CutWorldOptions {
  readonly folder: string;
  readonly row: MakerRow;
  /** Unconfirmed facts of its maker, by name; the emulator's defaults for the others. */
  readonly unconfirmed?: Readonly<Record<string, string>> | undefined;
  readonly pool: DaemonPool;
  readonly host: EmulatorHost;
  /** The site hands out each order once and never offers it again. */
  readonly marksOnPoll?: boolean;
  /** The net that is taken away, to see the campaign notice. */
  readonly off?: string | undefined;
  /** Real ms that an end is waited for. Default: far more than it ever takes, so that a slow machine loses no order. */
  readonly patienceMs?: number;
}

export interface CutWorld {
  readonly emulator: EmulatorProcess;
  readonly site: FakeSite;
  readonly patienceMs: number;
  killDaemon(): Promise<void>;
  startDaemon(): Promise<void>;
  signalDaemon(name: NodeJS.Signals): void;
  /** What the daemons said, and the last frames on the wire. */
  log(): Promise<string>;
  close(): Promise<void>;
}

export async function openCutWorld({
  folder,
  row,
  pool,
  host,
  unconfirmed,
  marksOnPoll = false,
  off,
  patienceMs = PATIENCE_MS,
}: CutWorldOptions): Promise<CutWorld> {
  mkdirSync(folder, { recursive: true });
  const emulator = await host.open(
    emulatorOf({ row, number: 1, ...(unconfirmed === undefined ? {} : { unconfirmed }) }),
  );
  const site = await startFakeSite({ holds: true, marksOnPoll });
  const configPath = writeDaemonConfig({
    path: join(folder, "config.json"),
    sites: [{ id: "shop", url: site.url }],
    registers: [{ id: "till-1", row, port: emulator.port, sites: ["shop"] }],
  });
  let daemon: Child | null = null;
  let earlier = "";

  async function startDaemon(): Promise<void> {
    daemon = await pool.start({ configPath, off });
  }
  async function killDaemon(): Promise<void> {
    if (daemon === null) return;
    daemon.signal("SIGKILL");
    await daemon.ended;
    earlier = daemon.output();
    daemon = null;
  }

  await startDaemon();
  return {
    emulator,
    site,
    patienceMs,
    killDaemon,
    startDaemon,
    signalDaemon: (name) => daemon?.signal(name),
    log: async () =>
      `${earlier}\n--- restarted ---\n${daemon?.output() ?? ""}\n--- wire ---\n${await emulator.getText("/wire")}`,
    async close() {
      await killDaemon();
      await site.close();
      await emulator.stop();
    },
  };
}
