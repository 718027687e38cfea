/** Describes an action that costs money and asks before it is done. `--yes` answers the question. */

import { formatRoubles, type Kopecks } from "@fiscald/shared/amounts.js";
import { wrongValue } from "@fiscald/shared/command-line.js";
import type { Receipt } from "@fiscald/shared/receipt/receipt.js";
import type { Config } from "../../config/config-schema.js";
import type { Messages } from "../../messages/messages.js";
import { commandReasons } from "../../messages/reasons/command-reasons.js";
import type { Job } from "../../store/job.js";
import type { Session } from "../cli-context.js";
import { Questions } from "./questions.js";

type WhatHappens = (words: Messages["commands"]["asks"]) => string;

/** False: the person refuses. Throws `usage.wrong` where there is neither `--yes` nor a terminal. */
export async function consents(
  { context, options, language, words }: Session,
  whatHappens: WhatHappens,
): Promise<boolean> {
  if (options.yes) return true;
  const { asks, nothingChanged } = words.commands;
  context.out(`${whatHappens(asks)}\n`);
  const { input, out, stopSignal } = context;
  if (input?.isTTY !== true) throw wrongValue(commandReasons.needsYes);
  const questions = new Questions({ input, out, stopSignal, language });
  try {
    // A mistyped letter must not count as consent: the key of «н» types "y" on a Latin keyboard.
    if (/^(yes|да)$/i.test(await questions.text(asks.question, { otherwise: asks.no }))) return true;
  } finally {
    questions.close();
  }
  out(`${nothingChanged}\n`);
  return false;
}

/** Such as `Sale 100.00, order A-1` or `Cash in 500.00`. */
export function nameJob(job: Job, messages: Messages): string {
  const what = sayJob(job, messages);
  return job.orderId === null ? what : messages.commands.asks.ofOrder({ what, order: job.orderId });
}

/** Such as `Sale 100.00` or `Cash in 500.00`. */
export function sayJob({ receipt, total }: Job, messages: Messages): string {
  return partsOf(receipt, total, messages).join(", ") || messages.page.jobKinds.service;
}

function partsOf(receipt: Receipt, total: Job["total"], { page, commands }: Messages): readonly string[] {
  const { jobKinds: kinds } = page;
  const sum = (kopecks: Kopecks) => commands.sum({ roubles: formatRoubles(kopecks) });
  if (receipt.kind === "receipt") return [`${kinds[receipt.operation]} ${total === null ? "" : sum(total)}`.trim()];
  return receipt.lines.flatMap((line) => {
    if (line.type === "cash") return `${kinds[`cash-${line.direction}`]} ${sum(line.sum)}`;
    return line.type === "report" ? kinds[`${line.report}-report`] : [];
  });
}

export function movesCash({ receipt }: Job): boolean {
  return receipt.kind === "service" && receipt.lines.some(({ type }) => type === "cash");
}

export function nameRegister({ registers }: Pick<Config, "registers">, id: string): string {
  const title = registers.find((register) => register.id === id)?.title ?? null;
  return title === null ? id : `«${title}» (${id})`;
}
