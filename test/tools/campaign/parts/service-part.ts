/** The exhaustive part for registers behind a print service: every request, every state of the job. */

import { join } from "node:path";
import { z } from "zod";
import { countBytes, printClean, warmUp } from "../cases/run-world-case.js";
import { type ServiceSteps, serviceCases, stepsIn } from "../cases/service-cases.js";
import {
  failedBeforeCases,
  namesIn,
  runWorldCases,
  type WorldCase,
  type WorldCasesOptions,
} from "../cases/world-case.js";
import { type FailedCase, makeReport, type PartReport } from "../judging/part-report.js";
import type { MakerRow } from "../processes/makers.js";
import { type CutWorld, openCutWorld } from "../worlds/cut-world.js";

export interface ServicePartOptions extends Omit<WorldCasesOptions, "unconfirmed"> {
  readonly selection: {
    readonly seed: number;
    /** Approximate number for each variant, spread over all. Null: all. */
    readonly cases: number | null;
    readonly shard: { readonly number: number; readonly of: number };
  };
  readonly wanted?: ((one: WorldCase) => boolean) | undefined;
}

export function hasService({ ofService }: MakerRow): boolean {
  return ofService !== undefined;
}

/** First all unconfirmed facts have their first values, then all have their second ones, and so on. */
export async function runServicePart(options: ServicePartOptions): Promise<PartReport> {
  const { row, selection, say } = options;
  const startedAt = performance.now();
  const found = { cases: 0, documents: 0, undecidable: 0, failures: [] as FailedCase[] };
  for (const [number, unconfirmed] of variantsOf(row).entries()) {
    const inVariant = { ...options, unconfirmed, folder: join(options.folder, `service-${number}`) };
    const label = [row.name, ...Object.entries(unconfirmed).map(([name, value]) => `${name}=${value}`)].join(" ");
    const steps = await measure(inVariant, label);
    if ("log" in steps) {
      options.onFailure(steps);
      found.failures.push(steps);
      continue;
    }
    const forgets = unconfirmed["killed"] === "lost";
    const all = [...serviceCases(label, steps, forgets)].filter((one) => options.wanted?.(one) !== false);
    const done = namesIn(options.resumeFile);
    const todo = selectSome(all, selection).filter(({ name }) => !done.has(name));
    say(`${label}: ${steps.sale.length} and ${steps.return.length} requests, ${todo.length} of ${all.length} cases`);
    const counts = await runWorldCases(inVariant, todo);
    found.cases += counts.cases;
    found.documents += counts.documents;
    found.undecidable += counts.undecidable;
    found.failures.push(...counts.failures);
  }
  return makeReport({ part: `service ${row.name}`, seed: selection.seed, startedAt, ...found });
}

export function variantsOf({ unconfirmed, ofService }: MakerRow): readonly Readonly<Record<string, string>>[] {
  const names = Object.entries({ ...unconfirmed, ...ofService });
  const count = Math.max(...names.map(([, values]) => values.length));
  return Array.from({ length: count }, (_, place) =>
    Object.fromEntries(names.map(([name, values]) => [name, values[place % values.length] ?? ""])),
  );
}

function selectSome(all: readonly WorldCase[], { seed, cases, shard }: ServicePartOptions["selection"]) {
  const every = cases === null ? 1 : Math.max(1, Math.floor(all.length / cases));
  const chosen = all.filter((_, index) => index % every === seed % every);
  return chosen.filter((_, index) => index % shard.of === shard.number - 1);
}

async function measure(options: WorldCasesOptions, label: string): Promise<ServiceSteps | FailedCase> {
  const world = await openCutWorld({ ...options, folder: join(options.folder, `${options.row.name}-0`) });
  try {
    await warmUp(world);
    return { sale: await stepsOf(world, "sale"), return: await stepsOf(world, "return") };
  } catch (error) {
    return failedBeforeCases(world, `${label} without a fault`, error);
  } finally {
    await world.close();
  }
}

const wireSchema = z.array(z.object({ direction: z.enum(["in", "out"]), hex: z.string() }));

async function stepsOf(world: CutWorld, operation: "sale" | "return"): Promise<ServiceSteps["sale"]> {
  const before = (await countBytes(world)).in;
  await printClean(world, `measure-${operation}`, operation);
  const length = (await countBytes(world)).in - before;
  const records = wireSchema.parse(await world.emulator.get("/wire"));
  const hex = records.flatMap(({ direction, hex }) => (direction === "in" ? [hex] : [])).join("");
  return stepsIn(Buffer.from(hex, "hex").subarray(-length).toString("utf8"));
}
