import type { FiscalDocument } from "@fiscald/drivers/fiscal-driver.js";
import type { Kopecks } from "@fiscald/shared/amounts.js";
import { type FnSerial, type OrderId, type RegisterId, toFnSerial, toRegisterId } from "@fiscald/shared/ids.js";
import { markedOrderId, type OrderMark } from "@fiscald/shared/receipt/order-mark.js";
import { z } from "zod";
import type { Database } from "./database/sqlite-file.js";
import { guardStore } from "./database/store-fault.js";
import { documentSchema } from "./rows/fiscal-columns.js";
import { fromJson } from "./rows/json-column.js";

/** A fiscal document that was read from a register and belongs to no job. */
export interface UnownedDocument {
  readonly fn: FnSerial;
  readonly register: RegisterId;
  readonly document: FiscalDocument;
  /** Found after a data loss, at the first connection of the register, or among documents printed between our jobs. */
  readonly found: FoundIn;
}

const foundIn = ["loss", "first-sight", "gap"] as const;
export type FoundIn = (typeof foundIn)[number];

export interface DocumentStore {
  keep(unowned: UnownedDocument, now: number): void;
  /** Documents without an owner whose order mark has this order id or these digits. */
  findMarked(orderId: OrderId, mark: OrderMark): UnownedDocument[];
  /** Documents without an owner and without a mark, with about this total or an unknown total; newest first. */
  findUnmarked(total: Kopecks): UnownedDocument[];
  /** Numbers of this drive's unreadable documents, ascending. Documents with a readable header are not among them. */
  unreadableOf(fn: FnSerial): number[];
  /** Removes a document that belongs to no order. */
  remove(fn: FnSerial, fd: number): void;
  /** Removes the register's documents without a mark after a person has checked them. */
  dropUnmarked(register: RegisterId): void;
}

/** Above the number of documents that a gap check reads completely (a few hundred). */
const MAX_UNMARKED = 500;
/** In kopecks. The register rounds the total of a receipt by less than this. */
const ROUBLE = 100;

const documentRow = z.object({
  fn: z.string().transform(toFnSerial),
  register: z.string().transform(toRegisterId),
  document: fromJson(documentSchema),
  found: z.enum(foundIn),
});

export function createDocumentStore(db: Database): DocumentStore {
  const insert = db.prepare(
    `INSERT INTO documents (fn, fd, register, mark, document, read_at, found)
     VALUES (@fn, @fd, @register, @mark, @document, @now, @found)
     ON CONFLICT (fn, fd) DO UPDATE SET mark = @mark, document = @document, read_at = @now`,
  );
  const isUnowned = "NOT EXISTS (SELECT 1 FROM jobs WHERE jobs.fn = documents.fn AND jobs.fd = documents.fd)";
  // Only a dot and hex digits follow the order id in a mark, and they sort below "g".
  const marked = db.prepare(
    `SELECT fn, register, document, found FROM documents
     WHERE mark IS NOT NULL AND (mark >= @prefix AND mark < @prefix || 'g' OR substr(mark, -8) = @digits)
       AND ${isUnowned}
     ORDER BY fn, fd`,
  );
  const unmarked = db.prepare(
    `SELECT fn, register, document, found FROM documents
     WHERE mark IS NULL AND ${isUnowned}
       AND coalesce(json_extract(document, '$.total'), @total) BETWEEN @total - ${ROUBLE} AND @total + ${ROUBLE}
     ORDER BY read_at DESC, fd DESC LIMIT ${MAX_UNMARKED}`,
  );
  const unreadable = db.prepare(
    `SELECT fd FROM documents
     WHERE fn = ? AND json_extract(document, '$.body') = 'unreadable' AND ${isUnowned} ORDER BY fd`,
  );
  const remove = db.prepare("DELETE FROM documents WHERE fn = ? AND fd = ?");
  const dropUnmarked = db.prepare("DELETE FROM documents WHERE register = ? AND mark IS NULL");
  const decodeAll = (rows: readonly unknown[]) => rows.map((row) => documentRow.parse(row));
  return {
    keep: ({ fn, register, document, found }, now) =>
      guardStore(() => {
        insert.run({
          fn,
          fd: document.fd,
          register,
          mark: document.mark,
          document: JSON.stringify(document),
          now,
          found,
        });
      }),
    findMarked: (orderId, { digits }) =>
      guardStore(() => decodeAll(marked.all({ prefix: `${markedOrderId(orderId)} `, digits }))),
    unreadableOf: (fn) => guardStore(() => z.array(z.int()).parse(unreadable.pluck().all(fn))),
    remove: (fn, fd) => guardStore(() => void remove.run(fn, fd)),
    dropUnmarked: (register) => guardStore(() => void dropUnmarked.run(register)),
    findUnmarked: (total) => guardStore(() => decodeAll(unmarked.all({ total }))),
  };
}
