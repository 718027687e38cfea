import { sumKopecks } from "@fiscald/shared/amounts.js";
import { Fault } from "@fiscald/shared/fault.js";
import { sumText } from "@fiscald/shared/texts.js";
import { z } from "zod";
import { costOfPart } from "../console/returns/cost-of-part.js";
import { commandReasons } from "../messages/reasons/command-reasons.js";
import { operatorReasons } from "../messages/reasons/operator-reasons.js";
import { saleOf } from "./arguments.js";
import { daemonConfig, type ExitCode, exitCodes, type Session } from "./cli-context.js";
import { runAction } from "./commands/run-action.js";
import { createDaemonClient } from "./daemon-client.js";
import { consents, nameRegister } from "./terminal/consent.js";

const leftSchema = z.object({
  waits: z.int().nullable(),
  lines: z.array(z.object({ position: z.int(), name: z.string(), quantity: z.string(), total: z.string() })),
});

interface WantedItem {
  readonly position: number;
  /** Null: all that is left. */
  readonly quantity: string | null;
}

export async function returnReceipt(session: Session): Promise<ExitCode> {
  const { options, words, language } = session;
  const config = daemonConfig(session);
  const { id, register, orderId } = saleOf(config, session.args[0] ?? "", options);
  const { lines: left, waits } = await createDaemonClient(config).get(`/api/jobs/${id}/returnable`, leftSchema);
  if (left.length === 0) {
    if (waits === null) throw new Fault("job.wrong-state", { message: operatorReasons.nothingToReturn });
    throw new Fault("job.being-printed", { message: operatorReasons.returnWaits({ job: waits }) });
  }
  const lines = options.items === undefined ? null : itemsIn(options.items);
  const wanted = lines ?? left.map(({ position }) => ({ position, quantity: null }));
  const parts = wanted.flatMap(({ position, quantity }) =>
    left.filter((line) => line.position === position).map((line) => ({ line, part: quantity ?? line.quantity })),
  );
  const names = parts.map(({ line, part }) => `${line.name} × ${part}`).join(", ");
  const what = words.commands.asks.ofOrder({ what: names, order: orderId ?? "" });
  // The sum needs no limit here, because the daemon refuses more than is left.
  const sum = sumText(sumKopecks(parts.map(({ line, part }) => costOfPart(line, part))))[language];
  const told = { register: nameRegister(config, register), sum, what };
  if (!(await consents(session, (asks) => asks.return(told)))) return exitCodes.failed;
  const body = { lines, fixes: options.fixes };
  return runAction(session, { path: `/api/jobs/${id}/return`, body, about: words.commands.job({ job: id }) });
}

/** `1,3:2` means all of the first position and two of the third. */
function itemsIn(text: string): readonly WantedItem[] {
  return text.split(",").map((item) => {
    const [, position, quantity = null] = /^\s*(\d{1,4})(?::(\d+(?:\.\d+)?))?\s*$/.exec(item) ?? [];
    if (position === undefined)
      throw new Fault("usage.wrong", { message: commandReasons.items({ text }), place: "items" });
    return { position: Number(position), quantity };
  });
}
