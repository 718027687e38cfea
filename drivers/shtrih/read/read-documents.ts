/** Documents of the fiscal drive: headers by FF0Ah, bodies by FF3Ah and FF3Bh (Shtrih-M protocol, 8.8 and 8.9). */
import { integerOf } from "../../codec/byte-cursor.js";
import {
  documentItemsOf,
  isWholeDocument,
  markOf,
  parseTags,
  readEach,
  readTags,
  unknownDocument,
} from "../../codec/document-tags.js";
import { tagsOfTlvs } from "../../codec/tag-values.js";
import { fiscalSignText, type Tlv, tagOf, textOf, timeOf } from "../../codec/tlv.js";
import { makerErrorOf } from "../../driver-parts.js";
import type { FiscalDocument } from "../../fiscal-document.js";
import { commands } from "../protocol/commands.js";
import type { Conversation } from "../protocol/conversation.js";
import { noDataErrors } from "../protocol/device-errors.js";
import type { DocumentHeader } from "../protocol/drive-commands.js";

/** FF3Ah (begin reading a document) right after a print may be refused for a while (error 73h). */
const BODY_TRIES = 3;
/** No document has more pieces: a register whose pieces never end must not keep the driver for ever. */
const MAX_PIECES = 2_000;

export async function documentsSince(
  talk: Conversation,
  fd: number,
  signal: AbortSignal,
  toFd = Number.POSITIVE_INFINITY,
): Promise<readonly FiscalDocument[]> {
  const { lastFd } = await talk.ask(commands.fnStatus, talk.admin, signal);
  return readEach(fd, Math.min(lastFd, toFd), (number) => readDocument(talk, number, signal));
}

async function readDocument(talk: Conversation, fd: number, signal: AbortSignal): Promise<FiscalDocument> {
  const header = await talk.askOptional(commands.findDocument, { ...talk.admin, fd }, signal);
  if (header === null || header.fd !== fd) return unknownDocument(fd);
  const tags = await readBody(talk, fd, signal);
  return readTags(() => (isWholeDocument(header, tags) ? documentOf(header, tags) : null)) ?? documentOf(header, []);
}

function documentOf(header: DocumentHeader, tags: readonly Tlv[]): FiscalDocument {
  const number = (tag: number) => tagOf(tags, tag, integerOf);
  return {
    fd: header.fd,
    type: header.type,
    operation: header.operation,
    total: header.total,
    fiscalSign: fiscalSignText(header.fiscalSign),
    time: tagOf(tags, 1012, timeOf) ?? header.time,
    shift: header.shift ?? number(1038),
    receiptNumber: number(1042),
    mark: markOf(tags),
    body: tags.length === 0 ? "unreadable" : "full",
    items: documentItemsOf(tags),
    contact: tagOf(tags, 1008, textOf),
    ...(tags.length === 0 ? {} : tagsOfTlvs(tags)),
  };
}

/** Empty when the register refuses or the answer cannot be read. Link faults go through. */
async function readBody(talk: Conversation, fd: number, signal: AbortSignal): Promise<readonly Tlv[]> {
  for (let attempt = 1; attempt <= BODY_TRIES; attempt += 1) {
    const begun = await talk.askOptional(commands.beginReadDocument, { ...talk.admin, fd }, signal);
    const body = begun === null ? null : await readPieces(talk, begun.length, signal);
    const tags = body === null ? null : parseTags(body);
    if (tags !== null && tags.length > 0) return tags;
    if (attempt < BODY_TRIES) await talk.settlePrint(signal);
  }
  return [];
}

async function readPieces(talk: Conversation, length: number, signal: AbortSignal): Promise<Uint8Array | null> {
  const pieces: number[] = [];
  for (let count = 0; count < MAX_PIECES && pieces.length < length; count += 1) {
    try {
      pieces.push(...(await talk.ask(commands.readDocumentPiece, talk.admin, signal)));
    } catch (error) {
      const makerError = makerErrorOf(error);
      if (makerError === null) throw error;
      return noDataErrors.includes(makerError) ? Uint8Array.from(pieces) : null;
    }
  }
  return Uint8Array.from(pieces);
}
