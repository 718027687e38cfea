/** Documents of the drive: 78/11 gives a document's record, 78/15 and 78/16 its tags (PIRIT protocol, 7). */
import { type Kopecks, kopecks } from "@fiscald/shared/amounts.js";
import { Fault } from "@fiscald/shared/fault.js";
import { type LocalTime, localTimeOf } from "@fiscald/shared/local-time.js";
import { ByteReader, integerOf } from "../../codec/byte-cursor.js";
import {
  documentItemsOf,
  hasItems,
  isWholeDocument,
  markOf,
  operationOf,
  parseTags,
  readEach,
  readTags,
  typeOfForm,
  unknownDocument,
} from "../../codec/document-tags.js";
import { tagsOfTlvs } from "../../codec/tag-values.js";
import { fiscalSignOf, fiscalSignText, moneyOf, type Tlv, tagOf, tagValue, textOf, timeOf } from "../../codec/tlv.js";
import type { FiscalDocument } from "../../fiscal-document.js";
import { commands } from "../protocol/commands.js";
import type { Conversation } from "../protocol/conversation.js";

/** No document has more pieces: a register whose pieces never end must not keep the driver for ever. */
const MAX_PIECES = 4_000;

export async function documentsSince(
  talk: Conversation,
  fd: number,
  signal: AbortSignal,
  toFd = Number.POSITIVE_INFINITY,
): Promise<readonly FiscalDocument[]> {
  const lastFd = await talk.ask(commands.lastFd, null, signal);
  return readEach(fd, Math.min(lastFd, toFd), (number) => readDocument(talk, number, signal));
}

export async function readDocument(talk: Conversation, fd: number, signal: AbortSignal): Promise<FiscalDocument> {
  const body = await readBody(talk, fd, signal);
  const whole = body === null ? null : readTags(() => (isWhole(body, fd) ? fromTags(body, fd) : null));
  if (whole !== null) return whole;
  const header = await readHeader(talk, fd, signal);
  const form = header?.form ?? body?.form ?? null;
  return header === null || form === null ? unknownDocument(fd) : fromHeader(header, form, fd);
}

/** The block of query 78/11: a document in the layout of the drive's archive (PIRIT protocol, 7). */
export interface DocumentHeader {
  /** Form of the document. Null: the block has none. */
  readonly form: number | null;
  readonly time: LocalTime | null;
  readonly fiscalSign: number;
  /** Tags 1054 (operation) and 1020 (total) of a receipt. Null: the block has neither. */
  readonly receipt: { readonly operation: number; readonly total: Kopecks } | null;
}

const HEAD_BYTES = 5 + 4 + 4;
const RECEIPT_BYTES = 1 + 5;

/**
 * The maker's manual does not say whether the form of the document precedes its time: the place where the document's
 * own number stands decides. Null when the number is in neither place, or the register refuses.
 */
export async function readHeader(talk: Conversation, fd: number, signal: AbortSignal): Promise<DocumentHeader | null> {
  const block = await talk.askOptional(commands.archivedDocument, fd, signal);
  for (const lead of [1, 0]) {
    if (block === null || block.length < lead + HEAD_BYTES) continue;
    const reader = new ByteReader(block);
    const form = lead === 0 ? null : reader.u8();
    const [year, month, day, hour, minute] = [reader.u8(), reader.u8(), reader.u8(), reader.u8(), reader.u8()];
    if (reader.u32() !== fd) continue;
    const time = localTimeOf({ year: 2000 + year, month, day, hour, minute });
    if (time === null) continue;
    const fiscalSign = reader.u32();
    const receipt =
      reader.remaining < RECEIPT_BYTES ? null : { operation: reader.u8(), total: kopecks(reader.uint(5)) };
    return { form, time, fiscalSign, receipt };
  }
  return null;
}

/** Tags 1125 (internet payment) and 1187 (place) of a document. Fault `device.bad-value` when it cannot be read. */
export async function readPlace(
  talk: Conversation,
  fd: number,
  signal: AbortSignal,
): Promise<{ readonly internet: boolean; readonly place: string | null }> {
  const body = await readBody(talk, fd, signal);
  if (body === null || !isWhole(body, fd)) {
    throw new Fault("device.bad-value", {
      message: `document ${fd} cannot be read: whether it has tags 1125 and 1187 is not known`,
    });
  }
  return { internet: tagOf(body.tags, 1125, integerOf) === 1, place: tagOf(body.tags, 1187, textOf) };
}

interface Body {
  readonly form: number;
  readonly tags: readonly Tlv[];
}

/** Null when the register refuses. Link faults go through. */
async function readBody(talk: Conversation, fd: number, signal: AbortSignal): Promise<Body | null> {
  const begun = await talk.askOptional(commands.beginReadTags, fd, signal);
  if (begun === null) return null;
  const bytes: number[] = [];
  for (let count = 0; count < MAX_PIECES && bytes.length < begun.size; count += 1) {
    const piece = await talk.askOptional(commands.readTags, null, signal);
    if (piece === null || piece.length === 0) break;
    bytes.push(...piece);
  }
  const tags = bytes.length === begun.size ? parseTags(Uint8Array.from(bytes)) : null;
  return { form: begun.form, tags: tags ?? [] };
}

/** True: the tags are the whole document (`isWholeDocument`), with fiscal sign, and a receipt's total and operation. */
function isWhole({ form, tags }: Body, fd: number): boolean {
  const type = typeOfForm(form);
  const total = tagOf(tags, 1020, moneyOf);
  if (!isWholeDocument({ fd, type, total }, tags) || tagValue(tags, 1077) === null) return false;
  return !hasItems(type, tags) || (total !== null && tagValue(tags, 1054) !== null);
}

function fromTags({ form, tags }: Body, fd: number): FiscalDocument {
  const type = typeOfForm(form);
  const receipt = type === "receipt" || type === "correction";
  const number = (tag: number) => tagOf(tags, tag, integerOf);
  return {
    fd,
    type,
    operation: receipt ? operationOf(number(1054)) : null,
    total: receipt ? tagOf(tags, 1020, moneyOf) : null,
    fiscalSign: fiscalSignOf(tagValue(tags, 1077) ?? new Uint8Array()),
    time: tagOf(tags, 1012, timeOf),
    shift: number(1038),
    receiptNumber: number(1042),
    mark: markOf(tags),
    body: "full",
    items: documentItemsOf(tags),
    contact: tagOf(tags, 1008, textOf),
    ...tagsOfTlvs(tags),
  };
}

function fromHeader({ time, fiscalSign, ...header }: DocumentHeader, form: number, fd: number): FiscalDocument {
  const type = typeOfForm(form);
  const receipt = type === "receipt" || type === "correction" ? header.receipt : null;
  return {
    ...unknownDocument(fd),
    type,
    operation: receipt === null ? null : operationOf(receipt.operation),
    total: receipt?.total ?? null,
    fiscalSign: fiscalSignText(fiscalSign),
    time,
  };
}
