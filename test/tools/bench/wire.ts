/**
 * The bytes on the wire for a receipt and, separately, for its comparison (reading the document back), beside the least
 * that the maker's protocol allows: the frames of the same recording that no program could do without. The emulator
 * records the wire, so neither the machine's speed nor its load changes a figure.
 */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { startDaemon, writeConfig } from "../../support/daemon-process.js";
import { type EmulatorProcess, startEmulator } from "../../support/emulator-process.js";
import { waitFor } from "../../support/wait-for.js";
import { makeOrder } from "../campaign/plan/orders.js";
import { findMakers, type MakerRow } from "../campaign/processes/makers.js";
import { type Exchange, exchangesIn, requestNames, splitByNeed } from "./measuring/exchanges.js";
import { type Figure, toFigure } from "./measuring/figure.js";
import { benchFolder } from "./measuring/till.js";
import { startWireSite } from "./servers/wire-site.js";

/** Longer than any pause within a comparison. */
const QUIET_MS = 1_500;
const MOST_OF_LEAST = 1.15;

/**
 * The necessary exchanges of a sale of three lines with a cashier: before it the drive, the last document, the shift
 * and whether a receipt is open (exactly-once 2), then the receipt with its mark, the subtotal (20), the close, and the
 * document that was made (5). Then the exchanges that read a document back.
 */
const least: Readonly<Record<string, { readonly receipt: string; readonly comparison: string }>> = {
  "shtrih-v1": { receipt: "11 ff01 ff40 8d ff46 ff46 ff46 ff0c ff0c 10 89 ff45 ff0a", comparison: "ff3a ff3b*" },
  "shtrih-v2": { receipt: "11 ff01 ff40 8d ff46 ff46 ff46 ff0c ff0c 10 89 ff45 ff0a", comparison: "ff3a ff3b*" },
  pirit: { receipt: "00 04 13 78/6 78/1 78/3 30 42 42 42 52 47 31 78/11", comparison: "78/15 78/16*" },
  "atol-v2": { receipt: "getFnInfo sell", comparison: "getFnDocument" },
  reference: { receipt: "STATE OPEN ITEM ITEM ITEM PAY SUBTOTAL CLOSE DOC", comparison: "DOC" },
};

export async function* run(): AsyncGenerator<Figure> {
  for (const [name, wanted] of Object.entries(least)) {
    const [row] = findMakers(name);
    if (row === undefined) throw new Error(`no register ${name}`);
    const { receipt, comparison } = await record(row, wanted);
    yield* figuresOf(`receipt on ${name}`, receipt, wanted.receipt);
    yield* figuresOf(`comparison on ${name}`, comparison, wanted.comparison);
  }
}

function* figuresOf(what: string, exchanges: readonly Exchange[], list: string): Generator<Figure> {
  const { needed, beyond } = splitByNeed(exchanges, list);
  const note = beyond.length === 0 ? "nothing beyond the least" : `beyond the least: ${beyond.map(({ name }) => name)}`;
  for (const [key, unit] of [
    ["bytes", "bytes"],
    ["trips", "round trips"],
  ] as const) {
    const sum = (some: readonly Exchange[]) => some.reduce((total, exchange) => total + exchange[key], 0);
    const beside = { least: sum(needed) };
    const atMost = beside.least * MOST_OF_LEAST;
    yield toFigure({ name: `${what}: ${unit}`, figure: sum(exchanges), unit, beside, atMost, note });
  }
}

async function record(row: MakerRow, wanted: { readonly receipt: string; readonly comparison: string }) {
  const { name, maker, protocol, listen, connection, driverOptions = {} } = row;
  const folder = benchFolder();
  const args = ["--timing", "instant", ...(protocol === undefined ? [] : ["--protocol", protocol])];
  const emulator = await startEmulator({ maker, listen, statePath: join(folder, "device.json"), args });
  const site = await startWireSite();
  const reached = connection(emulator.port);
  const register = { id: "till-1", driver: maker, connection: reached, options: driverOptions };
  const registers = [{ ...register, cashier: { name: "Кассир" } }];
  const daemon = await startDaemon(writeConfig({ folder, siteUrl: site.url, registers }));
  const nameOf = requestNames[name] ?? (() => null);
  const lastOfReceipt = wanted.receipt.split(" ").at(-1);
  const [firstOfComparison] = wanted.comparison.split(" ");

  async function printAndCompare(orderId: string) {
    const since = Date.now();
    await waitFor("the daemon waits for an order", () => site.isHeld());
    await site.print(makeOrder({ orderId, operation: "sale", prices: [10, 20, 30] }).answer);
    // A comparison may begin before the result has come, and its last byte may pass afterwards.
    const parts = async () => {
      const exchanges = exchangesIn(await piecesAfter(emulator, since), nameOf);
      const end = exchanges.findIndex((exchange) => exchange.name === lastOfReceipt) + 1;
      return { receipt: exchanges.slice(0, end), comparison: exchanges.slice(end) };
    };
    const isCompared = async () => (await parts()).comparison.some((exchange) => exchange.name === firstOfComparison);
    await waitFor("the document is compared", isCompared, { everyMs: 50 });
    await untilQuiet(emulator);
    return await parts();
  }
  try {
    // The first receipts open the shift and prove that documents are read correctly.
    await printAndCompare("first");
    await printAndCompare("second");
    return await printAndCompare("third");
  } finally {
    const stopped = daemon.stop();
    site.stopHolding();
    await stopped;
    await site.close();
    await emulator.stop();
    rmSync(folder, { recursive: true });
  }
}

const piecesSchema = z.array(z.object({ at: z.number(), direction: z.enum(["in", "out"]), hex: z.string() }));

/** The emulator records the last 1000 pieces. */
async function piecesAfter(emulator: EmulatorProcess, since: number) {
  const pieces = piecesSchema.parse(await emulator.get("/wire")).filter(({ at }) => at > since);
  return pieces.map(({ direction, hex }) => ({ direction, bytes: Buffer.from(hex, "hex") }));
}

async function untilQuiet(emulator: EmulatorProcess): Promise<void> {
  const isQuiet = async () => (await piecesAfter(emulator, Date.now() - QUIET_MS)).length === 0;
  await waitFor("the wire is quiet", isQuiet);
}
