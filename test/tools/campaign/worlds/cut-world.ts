/** A world for cuts: a daemon in its own process, registers in another, and a site for each register here. */
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Child } from "../../../support/child-process.js";
import { type FakeSite, startFakeSite } from "../../../support/fake-site.js";
import { writeDaemonConfig } from "../processes/daemon-config.js";
import { type DaemonPool, PATIENCE_MS } from "../processes/daemon-pool.js";
import type { EmulatorHost, HostedRegister } from "../processes/emulator-host.js";
import { HURRY_TOGETHER } from "../processes/hurried-clock.js";
import { emulatorOf, type MakerRow } from "../processes/makers.js";
import { type RegisteredDocument, readDocuments } from "../processes/registered-document.js";

export interface CutWorldOptions {
  readonly folder: string;
  readonly row: MakerRow;
  /** Unconfirmed facts of the maker by name; the others have the emulator's defaults. */
  readonly unconfirmed?: Readonly<Record<string, string>> | undefined;
  readonly pool: DaemonPool;
  readonly host: EmulatorHost;
  /** True: the site hands out each order once and never offers it again. */
  readonly marksOnPoll?: boolean;
  /** The safety net that is switched off; the campaign must notice that. */
  readonly off?: string | undefined;
  /** Real ms to wait for an outcome. Default: far longer than needed, so that a slow machine loses no order. */
  readonly patienceMs?: number;
  readonly tills?: number;
}

/** A register with a site of its own: it shares only the daemon's process with the others. */
export interface CutTill {
  readonly emulator: HostedRegister;
  readonly site: FakeSite;
  readonly patienceMs: number;
  /** Approves an order of the site as soon as it waits for approval. */
  approve(orderId: string): Promise<void>;
  /** All receipts and corrections that are in the fiscal memory now. */
  receipts(): Promise<readonly RegisteredDocument[]>;
  /** The daemons' output about this till, and the last frames on its wire. */
  log(): Promise<string>;
}

/** The fields of the world itself are the first till's. */
export interface CutWorld extends CutTill {
  readonly tills: readonly [CutTill, ...CutTill[]];
  killDaemon(): Promise<void>;
  startDaemon(): Promise<void>;
  signalDaemon(name: NodeJS.Signals): void;
  /** Waits of the running daemon that begin from now on pass so many times faster. */
  hurryDaemon(factor: number): Promise<void>;
  close(): Promise<void>;
}

/** Real ms. An order that is finished sooner is not offered again; a delayed order is, again and again. */
const AGAIN_AFTER_MS = 300;

export async function openCutWorld({
  folder,
  row,
  pool,
  host,
  unconfirmed,
  marksOnPoll = false,
  off,
  patienceMs = PATIENCE_MS,
  tills: count = 1,
}: CutWorldOptions): Promise<CutWorld> {
  mkdirSync(folder, { recursive: true });
  let daemon: Child | null = null;
  let earlier = "";
  const output = () => `${earlier}\n--- restarted ---\n${daemon?.output() ?? ""}`;

  async function post(path: string): Promise<Response> {
    const [, address = ""] = /\bstarted\b.* console=(\S+)/.exec(daemon?.output() ?? "") ?? [];
    const token = readFileSync(join(folder, "console-token"), "utf8").trim();
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json", connection: "close" };
    return fetch(`${address}/api/${path}`, { method: "POST", headers, body: JSON.stringify({ reason: "a person" }) });
  }

  async function openTill(number: number): Promise<CutTill> {
    const emulator = await host.open(
      emulatorOf({ row, number, ...(unconfirmed === undefined ? {} : { unconfirmed }) }),
    );
    const site = await startFakeSite({ holds: true, marksOnPoll, offersAgainAfterMs: AGAIN_AFTER_MS });
    const known: RegisteredDocument[] = [];
    return {
      emulator,
      site,
      patienceMs,
      async receipts() {
        // A fiscal memory only grows.
        known.push(...(await readDocuments(emulator, known.length)));
        return known.filter(({ type }) => type === "receipt" || type === "correction");
      },
      async approve(orderId) {
        // A pattern that begins with plain text is found quickly in a long log.
        const waits = new RegExp(
          `site=shop-${number} an order waits until a person approves it job=(\\d+) order=${orderId}\\b`,
        );
        const [line, job] = (await daemon?.line(waits, PATIENCE_MS)) ?? [];
        const answer = job === undefined ? null : await post(`jobs/${job}/approve`);
        if (answer?.ok !== true) throw new Error(`${orderId} could not be approved: ${line} ${await answer?.text()}`);
      },
      log: async () => `${linesOf(number, output())}\n--- wire ---\n${await emulator.getText("/wire")}`,
    };
  }

  const first = await openTill(1);
  const others = await Promise.all(Array.from({ length: count - 1 }, (_, index) => openTill(index + 2)));
  const tills = [first, ...others] as const;
  const configPath = writeDaemonConfig({
    path: join(folder, "config.json"),
    sites: tills.map(({ site }, index) => ({ id: `shop-${index + 1}`, url: site.url })),
    registers: tills.map(({ emulator }, index) => ({
      id: `till-${index + 1}`,
      row,
      port: emulator.port,
      sites: [`shop-${index + 1}`],
    })),
  });

  async function startDaemon(): Promise<void> {
    daemon = await pool.start({ configPath, off, hurry: HURRY_TOGETHER });
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
    ...first,
    tills,
    killDaemon,
    startDaemon,
    signalDaemon: (name) => daemon?.signal(name),
    async hurryDaemon(factor) {
      daemon?.send(JSON.stringify({ hurry: factor }));
      await daemon?.line(new RegExp(`^hurry ${factor}$`), PATIENCE_MS);
    },
    async close() {
      await killDaemon();
      await Promise.all(tills.flatMap(({ site, emulator }) => [site.close(), emulator.stop()]));
    },
  };
}

/** Lines that name no other till and no shop of another till. */
function linesOf(number: number, output: string): string {
  const isOfOther = (line: string) => {
    const named = [...line.matchAll(/\b(?:till|shop)-(\d+)\b/g)].map(([, named]) => Number(named));
    return named.length > 0 && !named.includes(number);
  };
  return output
    .split("\n")
    .filter((line) => !isOfOther(line))
    .join("\n");
}
