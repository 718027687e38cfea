import type { Kopecks } from "@fiscald/shared/amounts.js";
import { type FnSerial, type OrderId, type RegisterId, toFnSerial, toRegisterId } from "@fiscald/shared/ids.js";
import { markedOrderId, type OrderMark } from "@fiscald/shared/receipt/order-mark.js";
import { z } from "zod";
import type { Database } from "./database/sqlite-file.js";
import { guarded } from "./database/store-fault.js";
import { documentSchema } from "./rows/fiscal-columns.js";
import { fromJson } from "./rows/json-column.js";
import { createKeptReads } from "./rows/kept-reads.js";

export type UnownedDocument = Readonly<z.output<typeof documentRow>>;

/**
 * `afterLoss`: from a time that the database has lost. `afterCrash`: made while the daemon was cut off, when the
 * database may be an older copy. `newRegister`: older than the register's record here. `running`: made by another
 * program.
 */
const foundWhen = ["afterLoss", "afterCrash", "newRegister", "running"] as const;
export type FoundWhen = (typeof foundWhen)[number];

/** Limit of a query for documents of a data loss. One sweep reads at most a few hundred documents. */
const MAX_LOST = 500;
/** The most receipts of other programs that are stored per drive. They show that the drive is shared. */
const MAX_OTHERS = 1_000;
/** In kopecks. A register may round a receipt's total off by less than this amount. */
const ROUBLE = 100;

const documentRow = z.object({
  fn: z.string().transform(toFnSerial),
  register: z.string().transform(toRegisterId),
  document: fromJson(documentSchema),
  foundWhen: z.enum(foundWhen),
});

export type DocumentStore = ReturnType<typeof createDocumentStore>;

export function createDocumentStore(db: Database) {
  const insert = db.prepare(
    `INSERT INTO documents (fn, fd, register, mark, document, read_at, found_when)
     VALUES (@fn, @fd, @register, @mark, @document, @now, @foundWhen)
     ON CONFLICT (fn, fd) DO UPDATE SET mark = @mark, document = @document, read_at = @now
       WHERE json_extract(document, '$.body') <> 'full' OR json_extract(@document, '$.body') = 'full'`,
  );
  const isUnowned = "NOT EXISTS (SELECT 1 FROM jobs WHERE jobs.fn = documents.fn AND jobs.fd = documents.fd)";
  const isOfLoss = "found_when IN ('afterLoss', 'afterCrash')";
  const select = (condition: string) =>
    db.prepare(`SELECT fn, register, document, found_when AS foundWhen FROM documents WHERE ${condition}`);
  // Only a dot and hex digits follow the order id in an order mark, and both sort below "g".
  const marked = select(
    `mark IS NOT NULL AND (mark >= @prefix AND mark < @prefix || 'g' OR substr(mark, -8) = @digits)
     AND ${isUnowned} ORDER BY fn, fd`,
  );
  const lost = select(
    `${isOfLoss} AND ${isUnowned}
     AND coalesce(json_extract(document, '$.total'), @total) BETWEEN @total - ${ROUBLE} AND @total + ${ROUBLE}
     ORDER BY read_at DESC, fd DESC LIMIT ${MAX_LOST}`,
  );
  const above = select(`fn = ? AND fd > ? AND ${isUnowned} ORDER BY fd`);
  const ofShift = select(`fn = ? AND json_extract(document, '$.shift') = ? AND ${isUnowned} ORDER BY fd`);
  const one = select("fn = ? AND fd = ?");
  const unreadable = select(
    `fn = ? AND ${isOfLoss} AND json_extract(document, '$.body') = 'unreadable' AND ${isUnowned} ORDER BY fd`,
  );
  const remove = db.prepare("DELETE FROM documents WHERE fn = ? AND fd = ?");
  const prune = db.prepare(
    "DELETE FROM documents WHERE fn = ? AND fd < ? AND mark IS NULL AND found_when IN ('newRegister', 'running')",
  );
  const recount = (now: FoundWhen, before: string) =>
    db.prepare(`UPDATE documents SET found_when = '${now}' WHERE register = ? AND ${before}`);
  const lose = recount("afterLoss", "found_when = 'newRegister'");
  const accept = recount("newRegister", isOfLoss);
  const kept = createKeptReads(db);
  const isThere = (condition: string) => {
    const statement = db.prepare(`SELECT 1 FROM documents WHERE ${condition} LIMIT 1`);
    return kept.keep(() => statement.get() !== undefined);
  };
  const isOneMarked = isThere("mark IS NOT NULL");
  const isOneOfLoss = isThere(isOfLoss);
  const decodeAll = (rows: readonly unknown[]): UnownedDocument[] => rows.map((row) => documentRow.parse(row));
  return guarded({
    /** A document that is stored already keeps its `foundWhen`. */
    keep({ fn, register, document, foundWhen: when }: UnownedDocument, now: number): void {
      const { fd, mark } = document;
      kept.forget();
      insert.run({ fn, fd, register, mark, document: JSON.stringify(document), now, foundWhen: when });
      prune.run(fn, fd - MAX_OTHERS);
    },
    find: (fn: FnSerial, fd: number) => decodeAll(one.all(fn, fd))[0] ?? null,
    remove(fn: FnSerial, fd: number): void {
      kept.forget();
      remove.run(fn, fd);
    },
    /** Documents without an owner whose order mark has this order id or these digits. */
    findMarked: (orderId: OrderId, { digits }: OrderMark) =>
      isOneMarked() ? decodeAll(marked.all({ prefix: `${markedOrderId(orderId)} `, digits })) : [],
    /** Documents of a data loss or a crash without an owner, of about this total or an unknown total; newest first. */
    matchableAfterLoss: (total: Kopecks) => (isOneOfLoss() ? decodeAll(lost.all({ total })) : []),
    above: (fn: FnSerial, fd: number) => decodeAll(above.all(fn, fd)),
    ofShift: (fn: FnSerial, shift: number) => decodeAll(ofShift.all(fn, shift)),
    /** Numbers of this drive's documents of a data loss or a crash that could not be read at all, ascending. */
    unreadableOf: (fn: FnSerial) => decodeAll(unreadable.all(fn)).map(({ document: { fd } }) => fd),
    /** From now on, documents from before the register was known here count as documents of a data loss. */
    lose(register: RegisterId): void {
      kept.forget();
      lose.run(register);
    },
    /** From now on no document of the register counts as one of a data loss. */
    accept(register: RegisterId): void {
      kept.forget();
      accept.run(register);
    },
  });
}
