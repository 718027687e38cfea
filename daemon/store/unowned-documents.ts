import type { FiscalDocument } from "@fiscald/drivers/fiscal-driver.js";
import type { Kopecks } from "@fiscald/shared/amounts.js";
import { type FnSerial, type OrderId, type RegisterId, toFnSerial, toRegisterId } from "@fiscald/shared/ids.js";
import { markedOrderId, type OrderMark } from "@fiscald/shared/receipt/mark.js";
import { z } from "zod";
import type { Database } from "./database/sqlite-file.js";
import { guardStore } from "./database/store-fault.js";
import { documentSchema } from "./rows/fiscal-columns.js";
import { fromJson } from "./rows/json-column.js";

/** A fiscal document that was read back and belongs to no job of ours. */
export interface UnownedDocument {
  readonly fn: FnSerial;
  readonly register: RegisterId;
  readonly document: FiscalDocument;
  /**
   * When it was found: after a loss of the database, at the first sight of its register, or among what appeared
   * meanwhile.
   */
  readonly found: FoundIn;
}

const foundIn = ["loss", "first-sight", "gap"] as const;
export type FoundIn = (typeof foundIn)[number];

export interface DocumentStore {
  keep(unowned: UnownedDocument, now: number): void;
  /** Those whose mark names this order id, or has these digits, and that no job has taken over meanwhile. */
  findMarked(orderId: OrderId, mark: OrderMark): UnownedDocument[];
  /** Those without a mark that no job has taken over meanwhile, of about this total or an unknown one; newest first. */
  findUnmarked(total: Kopecks): UnownedDocument[];
  /** Numbers of those of this drive that could not be read, ascending. One that has no more than a header stays so. */
  unreadableOf(fn: FnSerial): number[];
  /** It turned out as nobody's. */
  remove(fn: FnSerial, fd: number): void;
  /** A person has looked at this register's documents: those without a mark are nobody's. */
  dropUnmarked(register: RegisterId): void;
}

/** More than a shop can forget of one sum: a gap is read whole only up to a few hundred documents. */
const MAX_UNMARKED = 500;
/** A receipt may be rounded off by less than this. */
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
  const free = "NOT EXISTS (SELECT 1 FROM jobs WHERE jobs.fn = documents.fn AND jobs.fd = documents.fd)";
  // Behind the order id come a dot and hex digits only, and these sort below "g".
  const marked = db.prepare(
    `SELECT fn, register, document, found FROM documents
     WHERE mark IS NOT NULL AND (mark >= @prefix AND mark < @prefix || 'g' OR substr(mark, -8) = @digits) AND ${free}
     ORDER BY fn, fd`,
  );
  const unmarked = db.prepare(
    `SELECT fn, register, document, found FROM documents
     WHERE mark IS NULL AND ${free}
       AND coalesce(json_extract(document, '$.total'), @total) BETWEEN @total - ${ROUBLE} AND @total + ${ROUBLE}
     ORDER BY read_at DESC, fd DESC LIMIT ${MAX_UNMARKED}`,
  );
  const unreadable = db.prepare(
    `SELECT fd FROM documents WHERE fn = ? AND json_extract(document, '$.body') = 'unreadable' AND ${free} ORDER BY fd`,
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
