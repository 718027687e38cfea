/**
 * Own overhead of one receipt: from the site's answer to the result at the site, less what the wire takes with the very
 * same bytes and nobody behind them. Beside it the disk's floor: the same number of durable commits alone.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSqliteFile } from "@fiscald/daemon/store/sqlite-file.js";
import { z } from "zod";
import { makeOrder } from "../campaign/orders.js";
import { startDaemon, writeConfig } from "../support/daemon-process.js";
import { type EmulatorProcess, startEmulator } from "../support/emulator-process.js";
import { type FakeSite, startFakeSite } from "../support/fake-site.js";
import { waitFor } from "../support/wait-for.js";
import { type Figure, percentile, toFigure } from "./figure.js";

const WARM_UP = 20;
const RECEIPTS = 300;
/** Accepted, claimed, printed, delivered. */
const COMMITS = 4;

interface Chunk {
  readonly direction: "in" | "out";
  readonly bytes: Uint8Array;
}

export async function run(): Promise<readonly Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), "fiscald-bench-"));
  const emulator = await openEmulator(folder, "device");
  const site = await startFakeSite({ holds: true, marksOnPoll: true });
  const daemon = await startDaemon(
    writeConfig({
      folder,
      siteUrl: site.url,
      registers: [
        {
          id: "till-1",
          driver: "shtrih",
          connection: { kind: "tcp", host: "127.0.0.1", port: emulator.port },
          options: { link: "v1" },
        },
      ],
    }),
  );
  try {
    for (let number = 0; number < WARM_UP; number += 1) await printOne(site, `warm${number}`);
    const dialogue = await recordDialogue(emulator, site);
    const walls: number[] = [];
    for (let number = 0; number < RECEIPTS; number += 1) walls.push(await printOne(site, `r${number}`));
    await daemon.stop();
    const wire = await wireFloor(emulator, dialogue);
    const disk = diskFloor(join(folder, "floor.sqlite"));
    const own = walls.map((wall) => wall - percentile(wire, 0.5));
    const beside = (share: number) => ({
      "disk floor": percentile(disk, share),
      "wire floor": percentile(wire, share),
      wall: percentile(walls, share),
    });
    return [
      toFigure({
        name: "receipt overhead p50",
        figure: percentile(own, 0.5),
        unit: "ms",
        beside: beside(0.5),
        atMost: 5,
      }),
      toFigure({
        name: "receipt overhead p99",
        figure: percentile(own, 0.99),
        unit: "ms",
        beside: beside(0.99),
        atMost: 20,
      }),
    ];
  } finally {
    await daemon.stop();
    await site.close();
    await emulator.stop();
    rmSync(folder, { recursive: true });
  }
}

function openEmulator(folder: string, name: string): Promise<EmulatorProcess> {
  return startEmulator({
    maker: "shtrih",
    listen: "tcp:127.0.0.1:0",
    statePath: join(folder, `${name}.json`),
    args: ["--protocol", "v1", "--timing", "instant"],
  });
}

async function printOne(site: FakeSite, orderId: string): Promise<number> {
  // Its poll is held: the answer goes out in the moment of the offer.
  await waitFor("the daemon waits for an order", () => site.isHeld());
  const order = makeOrder({ orderId, operation: "sale", prices: [10, 20, 30] });
  const arrived = site.nextResult();
  const startedAt = performance.now();
  site.offer(orderId, order.answer);
  await arrived;
  return performance.now() - startedAt;
}

const framesSchema = z.array(z.object({ at: z.number(), direction: z.enum(["in", "out"]), hex: z.string() }));

async function recordDialogue(emulator: EmulatorProcess, site: FakeSite): Promise<readonly Chunk[]> {
  await waitFor("the daemon waits for an order", () => site.isHeld());
  const since = Date.now();
  await printOne(site, "recorded");
  const frames = framesSchema.parse(await emulator.get("/wire")).filter(({ at }) => at >= since);
  return frames.map(({ direction, hex }) => ({ direction, bytes: Buffer.from(hex, "hex") }));
}

/** The recorded dialogue again and again, in lockstep, to the same register and with nothing behind the socket. */
async function wireFloor(emulator: EmulatorProcess, dialogue: readonly Chunk[]): Promise<number[]> {
  const socket = connect({ host: "127.0.0.1", port: emulator.port, noDelay: true });
  const times: number[] = [];
  try {
    for (let number = 0; number < WARM_UP + RECEIPTS; number += 1) {
      const startedAt = performance.now();
      for (const { direction, bytes } of dialogue) {
        if (direction === "in") socket.write(bytes);
        else await readBytes(socket, bytes.length);
      }
      times.push(performance.now() - startedAt);
    }
  } finally {
    socket.destroy();
  }
  return times.slice(WARM_UP);
}

async function readBytes(socket: Socket, count: number): Promise<void> {
  let left = count;
  while (left > 0) {
    const chunk: Buffer | null = socket.read(Math.min(left, Math.max(1, socket.readableLength)));
    if (chunk === null) await new Promise((resolve) => socket.once("readable", resolve));
    else left -= chunk.length;
  }
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
    for (let commit = 0; commit < COMMITS; commit += 1) insert.run(body);
    times.push(performance.now() - startedAt);
  }
  db.close();
  return times;
}
