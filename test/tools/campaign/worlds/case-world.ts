/** The registers, sites and daemons of one case of the random part. */

import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openDatabaseForReading } from "@fiscald/daemon/store/database/open-database.js";
import { ODD_ORDER, OTHER_THAN_SALE } from "@fiscald/daemon/store/journal.js";
import { isFault } from "@fiscald/shared/fault.js";
import { shownValue } from "@fiscald/shared/receipt/shown-value.js";
import { z } from "zod";
import type { Child } from "../../../support/child-process.js";
import type { EmulatorProcess } from "../../../support/emulator-process.js";
import { seeded } from "../../../support/seeded.js";
import { openTcpGate } from "../../../support/tcp-gate.js";
import type { Telling } from "../judging/telling.js";
import { alwaysWritesMarks, type CasePlan, type PlannedRegister } from "../plan/case-plan.js";
import { writeDaemonConfig } from "../processes/daemon-config.js";
import { type DaemonPool, PATIENCE_MS } from "../processes/daemon-pool.js";
import type { EmulatorHost } from "../processes/emulator-host.js";
import { emulatorOf } from "../processes/makers.js";
import { startKitSite } from "../sites/kit-site.js";
import { type OfferingSite, startPlainSite } from "../sites/plain-site.js";

export interface CaseWorldOptions {
  readonly plan: CasePlan;
  readonly folder: string;
  readonly pool: DaemonPool;
  readonly host: EmulatorHost;
  readonly off?: string | undefined;
  /** Real ms to wait for an outcome. Default: far longer than needed, so that a slow machine loses no order. */
  readonly patienceMs?: number;
}

export interface CaseWorld {
  readonly registers: readonly EmulatorProcess[];
  readonly sites: readonly OfferingSite[];
  readonly daemons: readonly CaseDaemon[];
  /** By the index of the story in the plan. */
  readonly tellings: Map<number, Telling>;
  readonly patienceMs: number;
  log(): Promise<string>;
  close(): Promise<void>;
}

export interface CaseDaemon {
  /** Stops the daemon, calls `between`, and starts it again. One restart at a time. */
  restart(signal: "SIGKILL" | "SIGTERM", between?: () => unknown): Promise<void>;
  /** A restart with another config: the plan's registers that write order marks do so from now on. */
  switchMarksOn(): Promise<void>;
  signal(name: NodeJS.Signals): void;
  copyDatabase(): Promise<void>;
  /** Puts the copy back, if there is one. The daemon must not run. */
  rollDatabaseBack(): void;
  deleteDatabase(): void;
  /** Remembers the files beside the database that a power cut may restore. */
  copyBesides(): void;
  /** The daemon must have been killed. */
  cutPower(number: "before" | "empty" | "missing"): void;
  /** Number of jobs that are not printed yet, and of closed shifts that a site was not told of yet. */
  unfinished(): number;
  unsureReceipts(): readonly UnsureReceipt[];
  /** Documents of the receipts that the daemon has stored as printed. */
  checkedDocuments(): readonly CheckedDocument[];
  /** Number of printed receipts that are not compared with the sent tags yet. */
  uncompared(): number;
  /** The operator accepts how this register registers receipts. */
  acceptDifferences(register: string): Promise<void>;
  /** The console's answer to an operator. Null: the console cannot be reached. */
  resolve(job: number, body: object): Promise<ResolveAnswer | null>;
  output(): string;
  stop(): Promise<void>;
}

export interface UnsureReceipt {
  readonly job: number;
  readonly site: number;
  readonly orderId: string;
  readonly operation: "sale" | "return";
}

export interface CheckedDocument {
  readonly fn: string;
  readonly fd: number;
  /** Tags whose difference a person was told of. `all`: the document could not be compared, and a person was told. */
  readonly told: readonly number[] | "all";
}

export interface ResolveAnswer {
  readonly ok: boolean;
  readonly text: string;
}

/** Indexes of the sites that a daemon polls. */
export function sitesOf({ shared, sites }: CasePlan, daemon: number): readonly number[] {
  return shared === null ? Array.from({ length: sites }, (_, site) => site) : [daemon];
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
  // The second daemon uses another address of a register: two daemons of one machine may not share one address.
  const relays = await Promise.all(
    registers.map(({ port }, index) => (takesOneHost(plan, index) ? openTcpGate(port) : null)),
  );
  const portFor = (daemon: number, index: number) =>
    (daemon === 0 ? null : relays[index]?.port) ?? registers[index]?.port ?? 0;
  const daemons = await Promise.all(
    Array.from({ length: plan.daemons }, (_, daemon) => {
      const home = join(folder, `daemon-${daemon}`);
      mkdirSync(home, { recursive: true });
      const own = plan.registers.flatMap((register, index) =>
        plan.shared !== null || register.daemon === daemon ? [{ register, index }] : [],
      );
      const copied = plan.shared?.copiedConfig === true;
      const siteRows = sitesOf(plan, daemon).map((site) => ({
        id: `site-${copied ? 0 : site}`,
        url: sites[site]?.url ?? "",
        ...(off === "issuer" ? { issuer: "one for all" } : {}),
      }));
      const configPath = join(home, "config.json");
      const writeConfig = (writesMarks: (register: PlannedRegister) => boolean) =>
        writeDaemonConfig({
          path: configPath,
          sites: siteRows,
          registers: own.map(({ register, index }) => ({
            id: `till-${index + 1}`,
            row: register.row,
            port: portFor(daemon, index),
            sites: siteRows.map(({ id }) => id),
            group: register.group,
            orderMark: writesMarks(register),
          })),
        });
      writeConfig((register) => alwaysWritesMarks(plan, register));
      return startCaseDaemon({
        home,
        firstSite: copied ? daemon : 0,
        start: () => pool.start({ configPath, off }),
        forgetsRuns: off === "run",
        configureMarks: () => void writeConfig(({ orderMark }) => orderMark),
      });
    }),
  );
  return {
    registers,
    sites,
    daemons,
    tellings: new Map(),
    patienceMs,
    async log() {
      const wires = await Promise.all(registers.map((register) => register.getText("/wire")));
      const daemonLogs = daemons.map((daemon, index) => `--- daemon ${index} ---\n${daemon.output()}`);
      return [...daemonLogs, ...wires.map((wire, index) => `--- wire of till-${index + 1} ---\n${wire}`)].join("\n");
    },
    async close() {
      await Promise.all(daemons.map((daemon) => daemon.stop()));
      await Promise.all(relays.map((relay) => relay?.close()));
      await Promise.all([...sites.map((site) => site.close()), ...registers.map((register) => register.stop())]);
    },
  };
}

/** A shared register behind a line: one daemon has it at a time. A print service has many clients. */
export function takesOneHost({ shared, registers }: CasePlan, index: number): boolean {
  return shared !== null && registers[index]?.row.ofService === undefined;
}

const unsureRow = z.object({
  id: z.number(),
  site: z.string(),
  order_id: z.string(),
  operation: z.enum(["sale", "return"]),
});

function readUnsure(database: string): readonly z.output<typeof unsureRow>[] {
  try {
    const { db, close } = openDatabaseForReading(database);
    const rows = db.prepare("SELECT * FROM jobs WHERE state = 'unsure' AND kind = 'receipt' AND site NOT NULL").all();
    close();
    return z.array(unsureRow).parse(rows);
  } catch (error) {
    // The database was deleted, and its daemon has not made a new one yet.
    if (isFault(error) && error.code === "store.not-ready") return [];
    throw error;
  }
}

const checkedRow = z.object({
  fn: z.string(),
  fd: z.number(),
  what: z.string().nullable(),
  details: z.string().nullable(),
});
const difference = z.object({ tag: z.number(), sent: z.string(), read: z.string().nullable() });
const toldDetails = z.object({
  differences: z.array(difference).optional(),
  warnings: z.array(z.object({ path: z.string() })).default([]),
});
/** Tag 1199 (VAT rate). */
const RATE = 1199;
/** Where a warning names a rate of the receipt. What is odd in the order itself is named by the order's own field. */
const ofReceipt = /^items\[\d+\]\.tax$/;
const shownDifference = z.intersection(difference, z.object({ fn: z.string(), weight: z.string() }));

function readChecked(database: string): readonly CheckedDocument[] {
  const { db, close } = openDatabaseForReading(database);
  const rows = db
    .prepare(
      `SELECT jobs.fn, jobs.fd, what, details FROM jobs LEFT JOIN journal ON journal.job = jobs.id
         AND what IN ('document differs', 'document not compared', '${OTHER_THAN_SALE}', '${ODD_ORDER}')
       WHERE state = 'printed' AND jobs.fn NOT NULL AND jobs.fd NOT NULL`,
    )
    .all();
  const shown = z.array(shownDifference).parse(db.prepare("SELECT * FROM document_differences").all());
  close();
  // A warning is for all registers of its model. The journal also has the differences that were accepted before.
  const isTold = (fn: string, { tag, sent, read }: z.infer<typeof difference>) =>
    shown.some(
      (one) =>
        one.tag === tag &&
        (one.weight === "warn" ||
          (one.fn === fn &&
            shownValue(tag, one.sent) === sent &&
            (one.read === null ? null : shownValue(tag, one.read)) === read)),
    );
  return z
    .array(checkedRow)
    .parse(rows)
    .map(({ fn, fd, what, details }) => {
      if (details === null) return { fn, fd, told: [] };
      const { differences, warnings } = toldDetails.parse(JSON.parse(details));
      if (what === OTHER_THAN_SALE || what === ODD_ORDER)
        return { fn, fd, told: warnings.some(({ path }) => ofReceipt.test(path)) ? [RATE] : [] };
      if (differences === undefined) return { fn, fd, told: "all" };
      return { fn, fd, told: differences.filter((one) => isTold(fn, one)).map(({ tag }) => tag) };
    });
}

/** The differences of this register that a person still has to decide about. */
function readOpen(database: string, register: string): readonly z.infer<typeof difference>[] {
  const { db, close } = openDatabaseForReading(database);
  const rows = db
    .prepare("SELECT tag, sent, read FROM document_differences WHERE register = ? AND accepted_at IS NULL")
    .all(register);
  close();
  return z.array(difference).parse(rows);
}

const identityFile = z.record(z.string(), z.unknown());

function forgetRun(path: string): void {
  const { database: _, run: __, ...identity } = identityFile.parse(JSON.parse(readFileSync(path, "utf8")));
  writeFileSync(path, JSON.stringify(identity));
}

async function startCaseDaemon(options: {
  readonly home: string;
  /** Index of the site that the config names first. */
  readonly firstSite: number;
  start(): Promise<Child>;
  configureMarks(): void;
  /** True: the safety net `run` is switched off, so a power cut leaves the files that an earlier version wrote. */
  readonly forgetsRuns: boolean;
}): Promise<CaseDaemon> {
  const database = join(options.home, "fiscald.sqlite");
  const copy = join(options.home, "copy.sqlite");
  const lastAttempt = `${database}.last-attempt`;
  const numberBefore = join(options.home, "last-attempt.before");
  let child = await options.start();
  let earlier = "";
  let restarting: Promise<void> = Promise.resolve();

  async function restartNow(signal: "SIGKILL" | "SIGTERM", between: () => unknown): Promise<void> {
    child.signal("SIGCONT");
    child.signal(signal);
    await child.ended;
    earlier += `${child.output()}\n--- ${signal}, restarted ---\n`;
    await between();
    child = await options.start();
  }

  function deleteDatabase(): void {
    for (const suffix of ["", "-wal", "-shm"]) rmSync(`${database}${suffix}`, { force: true });
  }

  function restart(signal: "SIGKILL" | "SIGTERM", between: () => unknown = () => {}): Promise<void> {
    restarting = restarting.then(() => restartNow(signal, between));
    return restarting;
  }

  async function post(path: string, body: object): Promise<ResolveAnswer | null> {
    const [, address] = /\bstarted\b.* console=(\S+)/.exec(child.output()) ?? [];
    if (address === undefined) return null;
    const token = readFileSync(join(options.home, "console-token"), "utf8").trim();
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json", connection: "close" };
    const request = { method: "POST", headers, body: JSON.stringify(body) };
    const answer = await fetch(`${address}/api/${path}`, request).catch(() => null);
    return answer === null ? null : { ok: answer.ok, text: await answer.text() };
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
    copyBesides: () => copyFileSync(lastAttempt, numberBefore),
    cutPower(number) {
      if (number === "before") copyFileSync(numberBefore, lastAttempt);
      if (number === "empty") writeFileSync(lastAttempt, "");
      if (number === "missing") rmSync(lastAttempt, { force: true });
      if (options.forgetsRuns) forgetRun(`${database}.identity`);
    },
    unfinished() {
      const { db, close } = openDatabaseForReading(database);
      // A receipt that waits for an unsure receipt of its order waits for a person.
      const jobs = db
        .prepare(
          `SELECT id FROM jobs WHERE state = 'printing' OR state = 'queued' AND NOT EXISTS (
             SELECT 1 FROM jobs AS unsure WHERE unsure.state = 'unsure' AND unsure.id < jobs.id
               AND unsure.site = jobs.site AND unsure.order_id = jobs.order_id)`,
        )
        .all();
      const shifts = db.prepare("SELECT id FROM outbox WHERE kind = 'zreport' AND state = 'pending'").all();
      close();
      return jobs.length + shifts.length;
    },
    unsureReceipts() {
      return readUnsure(database).map(({ id, site, order_id: orderId, operation }) => {
        return { job: id, site: Number(site.replace("site-", "")) + options.firstSite, orderId, operation };
      });
    },
    checkedDocuments: () => readChecked(database),
    uncompared() {
      const { db, close } = openDatabaseForReading(database);
      const due = db.prepare("SELECT job FROM sent_documents JOIN jobs ON id = job WHERE state = 'printed'").all();
      close();
      return due.length;
    },
    acceptDifferences: async (register) => {
      for (const found of readOpen(database, register)) {
        await post(`registers/${register}/accept-differences`, { ...found, reason: "it is right so" });
      }
    },
    resolve: (job, body) => post(`jobs/${job}/resolve`, body),
    output: () => `${earlier}${child.output()}`,
    async stop() {
      await restarting.catch(() => {});
      child.signal("SIGCONT");
      child.signal("SIGKILL");
      await child.ended;
    },
  };
}
