import type { FiscalDocument } from "@fiscald/drivers/fiscal-document.js";
import type { StoredDocument } from "@fiscald/emulators/memory/documents.js";
import { textOf } from "@fiscald/emulators/memory/fiscal-tag.js";

/** The driver reads the register's memory correctly, document by document and field by field. */
export function expectSeen(
  seen: readonly FiscalDocument[],
  held: readonly StoredDocument[],
  bodies: "full" | "header",
): void {
  expect(seen).toEqual(
    held.map((document) => (hasBody(document) && bodies === "full" ? fullView(document) : headOf(document))),
  );
}

function hasBody({ type }: StoredDocument): boolean {
  return type === "receipt" || type === "correction";
}

/** The fields that the driver reads of every document, even without lines. */
function headOf({ fd, type, operation, total, fiscalSign, time }: StoredDocument) {
  return expect.objectContaining({
    fd,
    type: typeOf(type),
    operation: operationOf(operation),
    total,
    fiscalSign: String(fiscalSign).padStart(10, "0"),
    time,
    items: [],
  });
}

/** Every field: some receipts differ in one field alone. */
function fullView({ fiscalSign, lines, tags, type, operation, ...document }: StoredDocument): FiscalDocument {
  const requisite = tags.find(({ tag }) => tag === 1084);
  const { fd, total, time, shift, receiptNumber } = document;
  return {
    fd,
    type: typeOf(type),
    operation: operationOf(operation),
    total,
    fiscalSign: String(fiscalSign).padStart(10, "0"),
    time,
    shift,
    receiptNumber,
    mark: requisite !== undefined && "items" in requisite ? textOf(requisite.items, 1086) : null,
    body: "full",
    items: lines.map(({ name, price, quantity, sum }) => ({ name, price, quantity, sum })),
    contact: textOf(tags, 1008),
    tags: expect.anything(),
  };
}

function typeOf(type: StoredDocument["type"]): FiscalDocument["type"] {
  return type === "registration" ? "other" : type;
}

function operationOf(operation: StoredDocument["operation"]): FiscalDocument["operation"] {
  return operation === null || operation === "sale" || operation === "return" ? operation : "other";
}
