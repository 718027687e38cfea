/**
 * The product's own time for one receipt: from the site's answer to the result at the site, without the register's own
 * time. The register reports its time for each receipt: from the last byte of a command to the end of its answer. The
 * site's time is left out too: its answer is made before the clock starts, and the clock stops with the last byte of
 * the result, before the site reads it (wire-site.ts). The time on the connections between the three is included.
 *
 * Beside it stand two lower bounds of the same machine in the same minute: the wire's (the same bytes, with the
 * register's own time and without a program) and the disk's (the same number of durable commits alone). The daemon's
 * whole processor time per receipt is a mean, with its work after the result and between two receipts: it compares two
 * builds even on a machine that others use. At the end a register is as slow as a real one.
 */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { openSqliteFile } from "@fiscald/daemon/store/database/sqlite-file.js";
import { z } from "zod";
import { startDaemon, writeConfig } from "../../support/daemon-process.js";
import type { EmulatorProcess } from "../../support/emulator-process.js";
import { waitFor } from "../../support/wait-for.js";
import { makeOrder } from "../campaign/plan/orders.js";
import { cpuTimeMs } from "./measuring/cpu-time.js";
import { type Figure, percentile, toFigure } from "./measuring/figure.js";
import { writtenKb } from "./measuring/process-memory.js";
import { type LinkProtocol, replayDialogue, type WirePiece } from "./measuring/replay-dialogue.js";
import { scaled } from "./measuring/scaled.js";
import { benchFolder, startTill, tillAt } from "./measuring/till.js";
import { startWireSite, type WireSite } from "./servers/wire-site.js";

/** V8 still compiles after the first hundreds of receipts. A daemon runs for months, so the time after them is measured. */
const WARM_UP = scaled(2000);
/** With this many receipts the slowest hundredth is ten. */
const RECEIPTS = scaled(1000);
/** Accepted, claimed, printed. */
const FLUSHED_COMMITS = 3;
/** Longer than any pause within a dialogue, and shorter than the pause before a comparison. */
const QUIET_MS = 300;

/** Receipts on a register whose commands take as long as on a real device. */
const REALISTIC = scaled(30);
const IDLE_MS = scaled(20_000);
/** A register that has been free for two seconds compares its last receipt. */
const UNTIL_COMPARED_MS = 3_000;

/** Both link protocols take more than a minute, so each is reported when it is done. */
export async function* run(): AsyncGenerator<Figure> {
  for (const link of ["v1", "v2"] as const) {
    yield* await withTill({ link, timing: "instant" }, (till) => measure(link, till));
  }
  yield* await withTill({ link: "v2", timing: "realistic" }, measureRealistic);
}

interface Till {
  readonly folder: string;
  readonly emulator: EmulatorProcess;
  readonly site: WireSite;
  readonly pid: number;
  stopDaemon(): Promise<void>;
}

type TillOptions = { readonly link: LinkProtocol; readonly timing: "instant" | "realistic" };
type Measurement = (till: Till) => Promise<readonly Figure[]>;

async function withTill({ link, timing }: TillOptions, measure: Measurement): Promise<readonly Figure[]> {
  const folder = benchFolder();
  const emulator = await startTill({ folder, link, args: ["--timing", timing] });
  const site = await startWireSite();
  const registers = [tillAt(emulator.port, "till-1", link)];
  const daemon = await startDaemon(writeConfig({ folder, siteUrl: site.url, registers, logLevel: "info" }));
  const stopDaemon = async () => {
    const stopped = daemon.stop();
    site.stopHolding();
    await stopped;
  };
  try {
    return await measure({ folder, emulator, site, pid: daemon.child.pid, stopDaemon });
  } finally {
    await stopDaemon();
    await site.close();
    await emulator.stop();
    rmSync(folder, { recursive: true });
  }
}

async function measure(link: LinkProtocol, till: Till): Promise<readonly Figure[]> {
  const { folder, emulator, site, pid } = till;
  for (let number = 0; number < WARM_UP; number += 1) await printOne(site, `warm${number}`);
  const dialogue = await recordDialogue(emulator, site);
  const walls: number[] = [];
  const own: number[] = [];
  const cpuBefore = cpuMs(pid);
  const writtenBefore = writtenKb(pid);
  let before = await answeringMs(emulator);
  for (let number = 0; number < RECEIPTS; number += 1) {
    const wall = await printOne(site, `r${number}`);
    const after = await answeringMs(emulator);
    walls.push(wall);
    own.push(wall - (after - before));
    before = after;
  }
  const cpu = (cpuMs(pid) - cpuBefore) / RECEIPTS;
  const written = (writtenKb(pid) - writtenBefore) / RECEIPTS;
  await till.stopDaemon();
  const wire = await replayDialogue({ port: emulator.port, link, dialogue, times: WARM_UP + RECEIPTS });
  const floors = { "disk floor": diskFloor(join(folder, "floor.sqlite")), "wire floor": wire.slice(WARM_UP) };
  const ownTimes = [0.5, 0.99].map((share) =>
    toFigure({
      name: `receipt overhead p${share * 100}, link ${link}`,
      figure: percentile(own, share),
      unit: "ms",
      beside: {
        "disk floor": percentile(floors["disk floor"], share),
        "wire floor": percentile(floors["wire floor"], share),
        wall: percentile(walls, share),
      },
      atMost: share === 0.5 ? 3 : 12,
      note: `${RECEIPTS} receipts after ${WARM_UP} to warm up`,
    }),
  );
  return [
    ...ownTimes,
    toFigure({ name: `daemon's CPU of a receipt, link ${link}`, figure: cpu, unit: "ms", atMost: 6 }),
    toFigure({ name: `written for a receipt, link ${link}`, figure: written, unit: "KB", atMost: 60 }),
  ];
}

/** A till's real pace: each receipt is compared before the next one comes, and the daemon's code is seldom run. */
async function measureRealistic({ emulator, site, pid }: Till): Promise<readonly Figure[]> {
  await printCompared(emulator, site, "warm");
  const idleBefore = cpuMs(pid);
  await setTimeout(IDLE_MS);
  const idlePerMs = (cpuMs(pid) - idleBefore) / IDLE_MS;
  const walls: number[] = [];
  const registers: number[] = [];
  const startedAt = performance.now();
  const cpuBefore = cpuMs(pid);
  for (let number = 0; number < REALISTIC; number += 1) {
    const { wall, register } = await printCompared(emulator, site, `slow${number}`);
    walls.push(wall);
    registers.push(register);
  }
  const cpu = (cpuMs(pid) - cpuBefore - idlePerMs * (performance.now() - startedAt)) / REALISTIC;
  return [
    toFigure({
      name: "receipt over a realistic register's own time p50",
      figure: (percentile(walls, 0.5) / percentile(registers, 0.5) - 1) * 100,
      unit: "%",
      atMost: 1,
      note: `${Math.round(percentile(walls, 0.5))} ms, of which the register ${Math.round(percentile(registers, 0.5))}`,
    }),
    toFigure({ name: "daemon's CPU above idle of a receipt and its comparison", figure: cpu, unit: "ms" }),
  ];
}

/** Milliseconds of the whole receipt, and of its register alone. */
async function printCompared(emulator: EmulatorProcess, site: WireSite, orderId: string) {
  const before = await answeringMs(emulator);
  const wall = await printOne(site, orderId);
  const register = (await answeringMs(emulator)) - before;
  await setTimeout(UNTIL_COMPARED_MS);
  await untilQuiet(emulator);
  return { wall, register };
}

function cpuMs(pid: number): number {
  return cpuTimeMs(pid) ?? Number.NaN;
}

async function printOne(site: WireSite, orderId: string): Promise<number> {
  // The site holds the poll, so the answer leaves as soon as it is given.
  await waitFor("the daemon waits for an order", () => site.isHeld());
  return site.print(makeOrder({ orderId, operation: "sale", prices: [10, 20, 30] }).answer);
}

const stateSchema = z.object({
  answeringMs: z.number(),
  bytes: z.object({ in: z.number(), out: z.number() }),
});

async function answeringMs(emulator: EmulatorProcess): Promise<number> {
  return stateSchema.parse(await emulator.get("/state")).answeringMs;
}

const framesSchema = z.array(z.object({ at: z.number(), direction: z.enum(["in", "out"]), hex: z.string() }));

async function recordDialogue(emulator: EmulatorProcess, site: WireSite): Promise<readonly WirePiece[]> {
  const since = Date.now();
  await printOne(site, "recorded");
  await untilQuiet(emulator);
  return piecesSince(emulator, since);
}

async function piecesSince(emulator: EmulatorProcess, since: number): Promise<readonly WirePiece[]> {
  const frames = framesSchema.parse(await emulator.get("/wire")).filter(({ at }) => at >= since);
  return frames.map(({ direction, hex }) => ({ direction, bytes: Buffer.from(hex, "hex") }));
}

/** Waits until nothing has passed on the wire for a moment. */
async function untilQuiet(emulator: EmulatorProcess): Promise<void> {
  let before = Number.NaN;
  const isQuiet = async () => {
    const { bytes } = stateSchema.parse(await emulator.get("/state"));
    const earlier = before;
    before = bytes.in + bytes.out;
    return before === earlier;
  };
  await waitFor("the wire is quiet", isQuiet, { everyMs: QUIET_MS });
}

function diskFloor(path: string): number[] {
  const db = openSqliteFile(path);
  db.pragma("journal_mode = WAL");
  db.pragma("synchronous = FULL");
  db.exec("CREATE TABLE t (id INTEGER PRIMARY KEY, body TEXT)");
  const insert = db.prepare("INSERT INTO t (body) VALUES (?)");
  const body = "x".repeat(800);
  const times: number[] = [];
  for (let number = 0; number < RECEIPTS; number += 1) {
    const startedAt = performance.now();
    for (let commit = 0; commit < FLUSHED_COMMITS; commit += 1) insert.run(body);
    times.push(performance.now() - startedAt);
  }
  db.close();
  return times;
}
