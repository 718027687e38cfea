import { chooseOne, chooseSettings, type EmulatedModel, type ModelOptions } from "../device/emulated-model.js";
import type { MakerProtocol } from "../device/maker-protocol.js";
import type { CommandRow } from "./command-table.js";
import { correctionCommands } from "./commands/correction.js";
import { documentCommands } from "./commands/document.js";
import { driveCommands, readingQueries } from "./commands/drive.js";
import { itemCommands } from "./commands/item.js";
import { markingCommands } from "./commands/marking.js";
import { paperCommands } from "./commands/paper.js";
import { queryCommands } from "./commands/query.js";
import { shiftCommands } from "./commands/shift.js";
import { statusCommands } from "./commands/status.js";
import { PiritDevice } from "./device.js";
import { Fields, fieldBytes } from "./fields.js";
import { linkPassword } from "./items.js";
import { PiritLink } from "./link.js";
import { paymentNames, piritModels, taxRows } from "./models.js";
import { badFormat, fail, type Outcome, wrongState } from "./outcomes.js";
import { piritSettings } from "./settings.js";

const modelNames = ["viki-print-80", "viki-print-57"] as const;
const PASSWORD_BYTES = 4;
const HEAD_BYTES = 7;

const errors = { wrongState: 0x01, unknown: 0x02, badFormat: 0x03, wrongPassword: 0x06, driveSilent: 0x61 } as const;
const NO_START_OF_WORK = 1;

const commands: ReadonlyMap<string, CommandRow> = new Map(
  [
    ...statusCommands,
    ...queryCommands,
    ...shiftCommands,
    ...documentCommands,
    ...correctionCommands,
    ...itemCommands,
    ...paperCommands,
    ...driveCommands,
    ...markingCommands,
  ].map((row) => [row.code, row]),
);

/** Both models, `viki-print-80` and `viki-print-57`, have the same protocol. */
export function preparePirit(options: ModelOptions): EmulatedModel {
  const model = piritModels[chooseOne("model", options.model ?? "viki-print-80", modelNames)];
  if (options.protocol !== null) chooseOne("protocol", options.protocol, ["v1"]);
  const settings = chooseSettings(piritSettings, options.unconfirmed);
  return {
    title: model.title,
    columns: model.columns,
    taxes: taxRows(settings),
    paymentNames,
    createProtocol: (core) => createProtocol(new PiritDevice(core, model, settings)),
  };
}

function createProtocol(device: PiritDevice): MakerProtocol {
  return {
    createLink: (port) => new PiritLink(port, { enquiryWhileBusy: device.settings["enquiry-while-busy"] }),
    namesOf: (command) => {
      const { code, row, fields } = parse(command);
      if (row === null) return [code];
      return [code, typeof row.name === "string" ? row.name : row.name(device, fields)];
    },
    perform: (command) => perform(device, command),
    refuse: (command, code) => answerOf(parse(command), fail(code)),
    refuseReading: (command) => {
      const parsed = parse(command);
      const reads = parsed.code === "78" && readingQueries.includes(parsed.fields.integer());
      return reads ? answerOf(parse(command), fail(errors.driveSilent)) : null;
    },
    durationMs: (command) => parse(command).row?.ms ?? 8,
    powerCut: () => device.powerCut(),
  };
}

interface ParsedCommand {
  readonly password: string;
  readonly id: string;
  readonly code: string;
  readonly row: CommandRow | null;
  readonly fields: Fields;
}

function parse(command: Uint8Array): ParsedCommand {
  const head = Buffer.from(command.subarray(0, HEAD_BYTES)).toString("latin1");
  const code = head.slice(PASSWORD_BYTES + 1).toUpperCase();
  return {
    password: head.slice(0, PASSWORD_BYTES),
    id: head.slice(PASSWORD_BYTES, PASSWORD_BYTES + 1),
    code,
    row: commands.get(code) ?? null,
    fields: new Fields(command.subarray(HEAD_BYTES)),
  };
}

function perform(device: PiritDevice, command: Uint8Array): Uint8Array {
  const parsed = parse(command);
  const outcome = outcomeOf(device, parsed);
  if ("error" in outcome && (outcome.error === errors.wrongState || outcome.error === errors.badFormat)) {
    device.reason = outcome.reason;
  }
  return answerOf(parsed, outcome);
}

function outcomeOf(device: PiritDevice, { password, row, fields }: ParsedCommand): Outcome {
  if (password !== linkPassword(device)) return fail(errors.wrongPassword);
  if (row === null) return fail(errors.unknown);
  if (fields.malformed) return badFormat();
  if (row.needs !== undefined && !device.started) return wrongState(NO_START_OF_WORK);
  const refusal = row.needs === "print" ? device.printerRefusal : null;
  return refusal ?? row.run(device, fields);
}

function answerOf({ id, code }: ParsedCommand, outcome: Outcome): Uint8Array {
  const error = "error" in outcome ? outcome.error : 0;
  const head = `${id}${code}${error.toString(16).toUpperCase().padStart(2, "0")}`;
  return Buffer.concat([Buffer.from(head, "latin1"), fieldBytes(outcome.data ?? [])]);
}
