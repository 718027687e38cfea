/** `fiscald return`: shows what of a printed sale would be returned, asks, and has the running daemon do it. */
import { formatRoubles, sumKopecks } from "@fiscald/shared/amounts.js";
import { Fault } from "@fiscald/shared/fault.js";
import { toOrderId } from "@fiscald/shared/ids.js";
import { z } from "zod";
import type { Config } from "../config/config-schema.js";
import { costOfPart } from "../console/returns/cost-of-part.js";
import { commandReasons } from "../messages/reasons/command-reasons.js";
import { operatorReasons } from "../messages/reasons/operator-reasons.js";
import type { Job } from "../store/job.js";
import { severalJobs } from "./arguments.js";
import { type CliContext, daemonOf, type ExitCode, exitCodes } from "./cli-context.js";
import { runAction } from "./commands/run-action.js";
import { createDaemonClient } from "./daemon-client.js";
import type { ReturnOptions } from "./options.js";
import { readState } from "./stored-state.js";
import { consents, nameRegister } from "./terminal/consent.js";

const leftSchema = z.object({
  lines: z.array(z.object({ position: z.int(), name: z.string(), quantity: z.string(), total: z.string() })),
});

interface WantedItem {
  readonly position: number;
  /** Null = all that is left. */
  readonly quantity: string | null;
}

export async function returnReceipt(context: CliContext, order: string, options: ReturnOptions): Promise<ExitCode> {
  const { config, language, words } = daemonOf(context, options);
  const { id, register, orderId } = saleOf(config, order);
  const { lines: left } = await createDaemonClient(config).get(`/api/jobs/${id}/returnable`, leftSchema);
  if (left.length === 0) throw new Fault("job.return-exceeds-sale", { message: operatorReasons.nothingToReturn });
  const lines = options.items === undefined ? null : itemsIn(options.items);
  const wanted = lines ?? left.map(({ position }) => ({ position, quantity: null }));
  const parts = wanted.flatMap(({ position, quantity }) =>
    left.filter((line) => line.position === position).map((line) => ({ line, part: quantity ?? line.quantity })),
  );
  const names = parts.map(({ line, part }) => `${line.name} x ${part}`).join(", ");
  const what = words.commands.asks.ofOrder({ what: names, order: orderId ?? "" });
  // The daemon refuses more than is left.
  const sum = formatRoubles(sumKopecks(parts.map(({ line, part }) => costOfPart(line, part))));
  const told = { register: nameRegister(config, register), sum, what };
  if (!(await consents(context, { yes: options.yes, language }, (asks) => asks.return(told)))) return exitCodes.failed;
  const body = { lines, fixes: options.fixes };
  return runAction(context, options, {
    path: `/api/jobs/${id}/return`,
    body,
    done: ({ returnQueued }) => returnQueued({ job: id }),
  });
}

/** The printed sale of the order; where it has several, the number of a job names one. */
function saleOf(config: Config, text: string): Job {
  return readState(config, ({ jobs }) => {
    const ofOrder = jobs.list({ orderId: toOrderId(text), limit: 100 }).filter(isPrintedSale);
    const named = ofOrder.length === 0 && /^[1-9]\d{0,14}$/.test(text) ? jobs.find(Number(text)) : null;
    const [sale, another] = named === null ? ofOrder : [named].filter(isPrintedSale);
    if (sale === undefined) throw new Fault("job.not-found", { message: commandReasons.noSale(text), place: text });
    if (another !== undefined) throw severalJobs(text, ofOrder);
    return sale;
  });
}

function isPrintedSale({ state, operation }: Job): boolean {
  return state === "printed" && operation === "sale";
}

/** `1,3:2`: all of the first position, two of the third. */
function itemsIn(text: string): readonly WantedItem[] {
  return text.split(",").map((item) => {
    const [, position, quantity = null] = /^\s*(\d{1,4})(?::(\d+(?:\.\d+)?))?\s*$/.exec(item) ?? [];
    if (position === undefined) throw new Fault("usage.wrong", { message: commandReasons.items(text), place: "items" });
    return { position: Number(position), quantity };
  });
}
