import { addSeconds } from "@fiscald/shared/local-time.js";
import { documentForms, operations, type StoredDocument } from "../../memory/documents.js";
import { encodeTag, encodeTags } from "../../memory/fn-tlv.js";
import { driveDate, driveDateTime, integer, joined, spacedText } from "../bytes.js";
import { type CommandContext, type CommandRow, fail, type Outcome, ok } from "../command-table.js";
import type { ShtrihDevice } from "../device.js";

const NO_DATA = 0x08;
const reading = { password: "sys", ms: 6 } as const;

export const driveCommands: readonly CommandRow[] = [
  { ...reading, code: 0xff01, name: "drive-status", run: ({ device }) => driveStatus(device) },
  { ...reading, code: 0xff02, name: "drive-number", run: ({ device }) => ok(spacedText(device.core.fn, 16)) },
  {
    ...reading,
    code: 0xff03,
    name: "drive-expiry",
    run: ({ device }) => {
      const { daysLeft } = device.core.drive;
      return ok(driveDate(addSeconds(device.core.now(), daysLeft * 86_400)), [29, 1]);
    },
  },
  { ...reading, code: 0xff09, name: "last-registration", run: ({ device }) => registration(device) },
  { ...reading, code: 0xff60, name: "registration-tag", min: 3, run: registrationTag },
  {
    ...reading,
    code: 0xff0a,
    name: "find-document",
    min: 4,
    run: ({ device, fields }) => {
      const document = device.core.find(fields.integer(4));
      return document === null ? fail(NO_DATA) : found(device, document);
    },
  },
  { ...reading, code: 0xff3a, name: "document-body", min: 4, run: requestBody },
  { ...reading, code: 0xff3b, name: "read-tlv", run: readTlv },
  {
    ...reading,
    code: 0xff39,
    name: "exchange-status",
    run: ({ device }) => {
      const { count, first } = device.core.unsent;
      return ok(
        [count > 0 ? 2 : 0, 0],
        integer(count, 2),
        integer(first?.fd ?? 0, 4),
        driveDateTime(first?.time ?? null),
      );
    },
  },
  {
    ...reading,
    code: 0xff63,
    name: "drive-room",
    run: ({ device }) => ok(integer(device.core.drive.documentsLeft, 4), integer(30_000, 4)),
  },
];

function driveStatus(device: ShtrihDevice): Outcome {
  const { core, settings } = device;
  const open = core.receipt !== null && settings["current-document"] === "receipt";
  return ok(
    [
      3,
      open ? (core.receipt?.document === "receipt" ? 4 : 0x14) : 0,
      open ? 1 : 0,
      core.shift === "closed" ? 0 : 1,
      core.drive.warnings,
    ],
    driveDateTime(core.lastDocumentAt),
    spacedText(core.fn, 16),
    integer(core.lastFd, 4),
  );
}

/** The answer has 50 bytes, as in format 1.05. */
function registration({ core }: ShtrihDevice): Outcome {
  const { kkm, inn, taxSystems } = core.registration;
  const report = core.find(1);
  return ok(
    driveDateTime(report?.time ?? null),
    spacedText(inn, 12),
    spacedText(kkm, 20),
    [taxSystems, 0],
    integer(1, 4),
    integer(report?.fiscalSign ?? 0, 4),
  );
}

/** One tag of a report of registration; number 0 is the last report. */
function registrationTag({ device: { core }, fields }: CommandContext): Outcome {
  const number = fields.integer(1);
  const wanted = fields.integer(2);
  const reports = core.documents.filter(({ type }) => type === "registration");
  const report = reports.at(number - 1);
  const tag = report === undefined ? undefined : core.bodyOf(report).find((one) => one.tag === wanted);
  return tag === undefined ? fail(NO_DATA) : ok(encodeTag(tag));
}

function found(device: ShtrihDevice, document: StoredDocument): Outcome {
  const sent = device.core.isSent(document) ? 1 : 0;
  const head = joined(
    [documentForms[document.type], sent],
    driveDateTime(document.time),
    integer(document.fd, 4),
    integer(document.fiscalSign, 4),
  );
  return ok(head, ownPart(device, document));
}

function ownPart({ core }: ShtrihDevice, document: StoredDocument): Uint8Array {
  switch (document.type) {
    case "receipt":
    case "correction": {
      const operation = document.operation === null ? 0 : operations.indexOf(document.operation) + 1;
      return joined([operation], integer(document.total ?? 0, 5));
    }
    case "shift-open":
    case "shift-close":
      return integer(document.shift, 2);
    default:
      return joined(spacedText(core.registration.inn, 12), spacedText(core.registration.kkm, 20), [
        core.registration.taxSystems,
        0,
      ]);
  }
}

function requestBody({ device, fields }: CommandContext): Outcome {
  const printing = device.core.printer.status === "printing";
  if (printing && device.settings["read-while-printing"] === "refused") return fail(0x73);
  const asked = fields.integer(4);
  const document = device.core.find(asked);
  device.reading = null;
  if (document === null) return fail(NO_DATA);
  const tags = device.core.bodyOf(document);
  const room = device.model.maxAnswer - 3;
  device.reading = { parts: tags.flatMap((tag) => pieces(encodeTag(tag), room)), next: 0 };
  return ok(integer(documentForms[document.type], 2), integer(encodeTags(tags).length, 2));
}

/** Splits a document into answers of FF3Bh: a tag that does not fit one answer continues in the next. */
function pieces(bytes: Uint8Array, room: number): readonly Uint8Array[] {
  const count = Math.ceil(bytes.length / room);
  return Array.from({ length: count }, (_, index) => bytes.subarray(index * room, (index + 1) * room));
}

function readTlv({ device }: CommandContext): Outcome {
  const { reading: document, settings, model } = device;
  if (document === null) return fail(0x73);
  const answer: Uint8Array[] = [];
  let room = model.maxAnswer - 3;
  for (let part = document.parts[document.next]; part !== undefined; part = document.parts[document.next]) {
    if (part.length > room || (answer.length > 0 && settings["tlv-per-read"] === "one")) break;
    answer.push(part);
    room -= part.length;
    document.next += 1;
  }
  if (answer.length > 0) return ok(...answer);
  device.reading = null;
  return fail(settings["tlv-end"] === "08" ? NO_DATA : 0x34);
}
