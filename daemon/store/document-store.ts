import type { FiscalDocument } from "@fiscald/drivers/fiscal-driver.js";
import { type FnSerial, type RegisterId, toFnSerial, toRegisterId } from "@fiscald/shared/ids.js";
import { z } from "zod";
import { documentSchema } from "./fiscal-columns.js";
import { fromJson } from "./json-column.js";
import type { Database } from "./sqlite-file.js";
import { guardStore } from "./store-fault.js";

/** A fiscal document that was read back and belongs to no job of ours. */
export interface UnownedDocument {
  readonly fn: FnSerial;
  readonly register: RegisterId;
  readonly document: FiscalDocument;
}

export interface DocumentStore {
  keep(unowned: UnownedDocument, now: number): void;
  /** Those with this mark that no job has taken over meanwhile. */
  findByMark(mark: string): UnownedDocument[];
}

const documentRow = z.object({
  fn: z.string().transform(toFnSerial),
  register: z.string().transform(toRegisterId),
  document: fromJson(documentSchema),
});

export function createDocumentStore(db: Database): DocumentStore {
  const insert = db.prepare(
    `INSERT INTO documents (fn, fd, register, mark, document, read_at)
     VALUES (@fn, @fd, @register, @mark, @document, @now)
     ON CONFLICT (fn, fd) DO UPDATE SET mark = @mark, document = @document, read_at = @now`,
  );
  const byMark = db.prepare(
    `SELECT fn, register, document FROM documents
     WHERE mark = ? AND NOT EXISTS (SELECT 1 FROM jobs WHERE jobs.fn = documents.fn AND jobs.fd = documents.fd)
     ORDER BY fn, fd`,
  );
  return {
    keep: ({ fn, register, document }, now) =>
      guardStore(() => {
        insert.run({ fn, fd: document.fd, register, mark: document.mark, document: JSON.stringify(document), now });
      }),
    findByMark: (mark) => guardStore(() => byMark.all(mark).map((row) => documentRow.parse(row))),
  };
}
