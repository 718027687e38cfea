/** The registers, sites and daemons of one case of the random part. */
import { copyFileSync, existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { openDatabaseForReading } from "@fiscald/daemon/store/open-database.js";
import type { Child } from "../support/child-process.js";
import type { EmulatorProcess } from "../support/emulator-process.js";
import { alwaysWritesMarks, type CasePlan, type PlannedRegister } from "./case-plan.js";
import { writeDaemonConfig } from "./daemon-config.js";
import { type DaemonPool, PATIENCE_MS } from "./daemon-pool.js";
import type { EmulatorHost } from "./emulator-host.js";
import { startKitSite } from "./kit-site.js";
import { emulatorOf } from "./makers.js";
import { type OfferingSite, startPlainSite } from "./plain-site.js";
import { seeded } from "./seeded.js";

export interface CaseWorldOptions {
  readonly plan: CasePlan;
  readonly folder: string;
  readonly pool: DaemonPool;
  readonly host: EmulatorHost;
  readonly off?: string | undefined;
  /** Real ms that an end is waited for. Default: far more than it ever takes, so that a slow machine loses no order. */
  readonly patienceMs?: number;
}

export interface CaseWorld {
  readonly registers: readonly EmulatorProcess[];
  readonly sites: readonly OfferingSite[];
  readonly daemons: readonly CaseDaemon[];
  readonly patienceMs: number;
  log(): Promise<string>;
  close(): Promise<void>;
}

export interface CaseDaemon {
  /** Kills it, does what is to be done with its files, and starts it again. One restart at a time. */
  restart(signal: "SIGKILL" | "SIGTERM", between?: () => void): Promise<void>;
  /** The same with another config: the registers of the plan that write order marks do so from now on. */
  switchMarksOn(): Promise<void>;
  signal(name: NodeJS.Signals): void;
  copyDatabase(): Promise<void>;
  /** Puts the copy back, where there is one. For a daemon that is not running. */
  rollDatabaseBack(): void;
  deleteDatabase(): void;
  /** Jobs that are still to be printed or are being printed. */
  unfinishedJobs(): number;
  output(): string;
  stop(): Promise<void>;
}

export async function openCaseWorld({
  plan,
  folder,
  pool,
  host,
  off,
  patienceMs = PATIENCE_MS,
}: CaseWorldOptions): Promise<CaseWorld> {
  mkdirSync(folder, { recursive: true });
  const registers = await Promise.all(plan.registers.map((register) => host.open(emulatorOf(register))));
  const sites = await Promise.all(
    Array.from({ length: plan.sites }, (_, index) =>
      plan.kit ? startKitSite(join(folder, "site.sqlite")) : startPlainSite(seeded(plan.seed + index)),
    ),
  );
  const siteRows = sites.map(({ url }, index) => ({ id: `site-${index}`, url }));
  const daemons = await Promise.all(
    Array.from({ length: plan.daemons }, (_, daemon) => {
      const home = join(folder, `daemon-${daemon}`);
      mkdirSync(home, { recursive: true });
      const own = plan.registers.flatMap((register, index) =>
        register.daemon === daemon ? [{ register, index }] : [],
      );
      const configPath = join(home, "config.json");
      const writeConfig = (writesMarks: (register: PlannedRegister) => boolean) =>
        writeDaemonConfig({
          path: configPath,
          sites: siteRows,
          registers: own.map(({ register, index }) => ({
            id: `till-${index + 1}`,
            row: register.row,
            port: registers[index]?.port ?? 0,
            sites: siteRows.map(({ id }) => id),
            group: register.group,
            orderMark: writesMarks(register),
          })),
        });
      writeConfig((register) => alwaysWritesMarks(plan, register));
      return startCaseDaemon({
        home,
        start: () => pool.start({ configPath, off }),
        configureMarks: () => void writeConfig(({ orderMark }) => orderMark),
      });
    }),
  );
  return {
    registers,
    sites,
    daemons,
    patienceMs,
    async log() {
      const wires = await Promise.all(registers.map((register) => register.getText("/wire")));
      const daemonLogs = daemons.map((daemon, index) => `--- daemon ${index} ---\n${daemon.output()}`);
      return [...daemonLogs, ...wires.map((wire, index) => `--- wire of till-${index + 1} ---\n${wire}`)].join("\n");
    },
    async close() {
      await Promise.all(daemons.map((daemon) => daemon.stop()));
      await Promise.all([...sites.map((site) => site.close()), ...registers.map((register) => register.stop())]);
    },
  };
}

async function startCaseDaemon(options: {
  readonly home: string;
  start(): Promise<Child>;
  configureMarks(): void;
}): Promise<CaseDaemon> {
  const database = join(options.home, "fiscald.sqlite");
  const copy = join(options.home, "copy.sqlite");
  let child = await options.start();
  let earlier = "";
  let restarting: Promise<void> = Promise.resolve();

  async function restartNow(signal: "SIGKILL" | "SIGTERM", between: () => void): Promise<void> {
    child.signal("SIGCONT");
    child.signal(signal);
    await child.ended;
    earlier += `${child.output()}\n--- ${signal}, restarted ---\n`;
    between();
    child = await options.start();
  }

  function deleteDatabase(): void {
    for (const suffix of ["", "-wal", "-shm"]) rmSync(`${database}${suffix}`, { force: true });
  }

  function restart(signal: "SIGKILL" | "SIGTERM", between = () => {}): Promise<void> {
    restarting = restarting.then(() => restartNow(signal, between));
    return restarting;
  }

  return {
    restart,
    switchMarksOn: () => restart("SIGTERM", options.configureMarks),
    signal: (name) => child.signal(name),
    async copyDatabase() {
      const { db, close } = openDatabaseForReading(database);
      await db.backup(copy);
      close();
    },
    rollDatabaseBack() {
      if (!existsSync(copy)) return;
      deleteDatabase();
      copyFileSync(copy, database);
    },
    deleteDatabase,
    unfinishedJobs() {
      const { db, close } = openDatabaseForReading(database);
      const count = db.prepare("SELECT id FROM jobs WHERE state IN ('queued', 'printing')").all().length;
      close();
      return count;
    },
    output: () => `${earlier}${child.output()}`,
    async stop() {
      await restarting.catch(() => {});
      child.signal("SIGCONT");
      child.signal("SIGKILL");
      await child.ended;
    },
  };
}
