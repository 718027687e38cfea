/** What `connect` asks (PIRIT protocol, 11): nothing that writes. */
import { Fault } from "@fiscald/shared/fault.js";
import { toFnSerial, toInn, toKkm } from "@fiscald/shared/ids.js";
import { padKkm } from "../../driver-parts.js";
import { commands } from "../protocol/commands.js";
import type { Conversation } from "../protocol/conversation.js";
import { modelName, type RegisterFacts } from "../protocol/models.js";

/** Formats of fiscal documents by their code in tag 1209. */
const ffdVersions: Readonly<Record<number, string>> = { 2: "1.05", 3: "1.1", 4: "1.2" };
const STYLE_FONTS = 4;
/** Characters per line of the Pirit 2F family, which does not report them (query 02/18), and of narrow paper. */
const unreadColumns = { wide: 44, narrow: 32 } as const;
const narrowModels: readonly number[] = [3, 4];

/** Faults: `device.not-registered`, `device.wrong-password`, `device.fn-failure`. */
export async function readFacts(talk: Conversation, signal: AbortSignal): Promise<RegisterFacts> {
  const { registered } = await talk.status(signal);
  if (!registered) throw new Fault("device.not-registered");
  const kkm = padKkm(await talk.ask(commands.kkm, null, signal));
  if (!/[1-9]/.test(kkm)) throw new Fault("device.not-registered");
  const model = await talk.ask(commands.model, null, signal);
  // Query 78/14 names the drive's format, which may be newer than the one the register was registered for.
  const format =
    (await talk.askOptional(commands.format, null, signal)) ??
    (await talk.askOptional(commands.driveVersion, null, signal))?.ffd;
  return {
    columns: await readColumns(talk, model, signal),
    identity: {
      kkm: toKkm(kkm),
      inn: toInn(await talk.ask(commands.inn, null, signal)),
      fn: toFnSerial(await talk.ask(commands.driveSerial, null, signal)),
      serial: await talk.ask(commands.serial, null, signal),
      model: modelName(model),
      firmware: (await talk.askOptional(commands.firmware, null, signal)) ?? "unknown",
      ffd: format === undefined ? null : (ffdVersions[format] ?? null),
      taxSystems: (await talk.askOptional(commands.taxSystems, null, signal)) ?? 0,
    },
  };
}

async function readColumns(talk: Conversation, model: number, signal: AbortSignal): Promise<readonly number[]> {
  const columns: number[] = [];
  for (let font = 0; font < STYLE_FONTS; font += 1) {
    const width = await talk.askOptional(commands.columns, font, signal);
    if (width === null || width === 0) break;
    columns.push(width);
  }
  if (columns.length > 0) return columns;
  return [narrowModels.includes(model) ? unreadColumns.narrow : unreadColumns.wide];
}
