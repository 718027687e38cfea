/**
 * One case of an exhaustive part: a three-line sale or a return, and what is done to it on the way. The register always
 * comes back and can be read, so nothing may stay unsure.
 */
import { z } from "zod";
import { waitFor } from "../support/wait-for.js";
import type { DialogueLength } from "./cut-cases.js";
import type { CutWorld } from "./cut-world.js";
import { type CampaignOrder, makeOrder } from "./orders.js";
import type { FailedCase } from "./part-report.js";
import { isClean, judge, type Verdict } from "./verdict.js";
import type { WorldCase } from "./world-case.js";

const prices = [10, 20.5, 30.25];

/** Bytes of one undisturbed receipt, by direction: the last bytes that a cut can be made at. */
export async function measureDialogue(world: CutWorld, operation: "sale" | "return"): Promise<DialogueLength> {
  const before = await countBytes(world);
  await printClean(world, `measure-${operation}`, operation);
  const after = await countBytes(world);
  return { in: after.in - before.in, out: after.out - before.out };
}

/** Without a fault: the read-back proof is made, the shift is open, there is cash for returns. */
export async function warmUp(world: CutWorld): Promise<void> {
  await printClean(world, "warm-up-1", "sale");
  await printClean(world, "warm-up-2", "sale");
}

export async function printClean(world: CutWorld, orderId: string, operation: "sale" | "return"): Promise<void> {
  const order = makeOrder({ orderId, operation, prices });
  world.site.offer(orderId, order.answer);
  const result = await waitForFinal(world, orderId);
  if (result["outcome"] !== "printed") throw new Error(`${orderId} was not printed: ${JSON.stringify(result)}`);
}

/** Null when all went well. */
export async function runWorldCase(world: CutWorld, one: WorldCase, number: number): Promise<FailedCase | null> {
  const { name, operation, faults, kills } = one;
  const order = makeOrder({ orderId: `c${number}`, operation, prices });
  try {
    for (const fault of faults) await world.emulator.addFault(fault);
    world.site.offer(order.orderId, order.answer);
    if (kills) await killWhenPaused(world, order.orderId);
    await waitForFinal(world, order.orderId);
  } catch (error) {
    const said = error instanceof Error ? error.stack : String(error);
    await world.emulator.clearFaults();
    return { name, verdict: await judgeOne(world, order), log: `${said}\n${await world.log()}` };
  }
  await world.emulator.clearFaults();
  const verdict = await judgeOne(world, order);
  return isClean(verdict) ? null : { name, verdict, log: await world.log() };
}

async function killWhenPaused(world: CutWorld, orderId: string): Promise<void> {
  const paused = await waitFor(
    "the wire stands still, or the receipt is through",
    async () => ((await isPaused(world)) ? "paused" : world.site.results(orderId).length > 0 ? "through" : null),
    { timeoutMs: world.patienceMs },
  );
  if (paused === "through") return;
  await world.killDaemon();
  await world.emulator.clearFaults();
  await world.startDaemon();
}

const stateSchema = z.object({ paused: z.boolean() });

export async function isPaused(world: CutWorld): Promise<boolean> {
  return stateSchema.parse(await world.emulator.get("/state")).paused;
}

/** `unknown` may still be corrected: it is final only when nothing else comes. */
export function waitForFinal(world: CutWorld, orderId: string): Promise<Record<string, unknown>> {
  return waitFor(
    `${orderId} is reported`,
    () => world.site.results(orderId).find((result) => result["outcome"] !== "unknown"),
    { timeoutMs: world.patienceMs },
  );
}

async function judgeOne(world: CutWorld, order: CampaignOrder): Promise<Verdict> {
  const receipts = await world.emulator.receipts();
  return judge({ orders: [{ order }], receipts, resultsOf: ({ orderId }) => world.site.results(orderId) });
}

const bytesSchema = z.object({ bytes: z.object({ in: z.number(), out: z.number() }) });

export async function countBytes(world: CutWorld): Promise<DialogueLength> {
  return bytesSchema.parse(await world.emulator.get("/state")).bytes;
}
