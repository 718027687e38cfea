import { checkShape } from "@fiscald/shared/http/schema-problems.js";
import { z } from "zod";
import { type DeliveryCall, type DeliveryOperation, readOperation, writeOperation } from "../backend/backend.js";
import { deleteRecord, editRecord, requireRecord, withHashedPasswords, writeRecords } from "../catalog/catalog.js";
import {
  type CatalogRow,
  catalogRows,
  exampleRecord,
  recordView,
  renderCatalogRecord,
} from "../catalog/catalog-table.js";
import { createSchema, editSchema } from "../catalog/record-fields.js";
import { listRecords, type StoredRecord, textField } from "../catalog/records.js";
import { closeCourierSessions } from "../couriers/courier-sessions.js";
import { noBody } from "../http/endpoint.js";
import { pagingQuery, toPage, toPageIfAsked } from "../http/paging.js";
import { batchOf, idIn, isOddContact, ODD_CONTACT, warningsOut } from "../http/wire-types.js";
import { commitScope } from "../orders/order-change.js";
import { settleByAlerts } from "../settling/settle-accounts.js";

function operationsOf(row: CatalogRow): readonly DeliveryOperation[] {
  const path = `/${row.kind}`;
  const named = recordView(row)
    .extend({ warnings: warningsOut })
    .meta({ id: schemaName(row) });
  const creation = createSchema(row.fields);
  const edit = editSchema(row.fields, "");
  const replacement = editSchema(row.fields, row.idField);
  const id = String(row.example[row.idField]);
  const byId = { [row.idField]: id };
  const shown = renderCatalogRecord(row, exampleRecord(row));

  const scopeOf = ({ caller, now }: DeliveryCall<unknown, unknown>) => ({ row, resource: caller.resource, now });

  const getQuery: Record<string, z.ZodType> = { [row.idField]: idIn.optional(), ...pagingQuery };

  const get = readOperation({
    path,
    summary: `One ${row.title} by its ${row.idField}, or the list of active ones`,
    query: z.object(getQuery),
    answer: z.union([named, z.array(named)]),
    example: { query: byId, answer: shown },
    async run({ backend, query, caller }, db) {
      const wanted = query[row.idField];
      if (typeof wanted === "string") {
        const record = await requireRecord(db, { row, resource: caller.resource }, wanted);
        return renderCatalogRecord(row, record);
      }
      const { pageBase } = backend.rules;
      const page = row.isPaged === true ? toPage(query, pageBase) : toPageIfAsked(query, pageBase);
      const records = await listRecords(db, { resource: caller.resource, kind: row.kind, page });
      return records.map((record) => renderCatalogRecord(row, record));
    },
  });

  const create = writeOperation({
    method: "post",
    path,
    summary: `Creates each ${row.title} of an array, all or none`,
    body: batchOf(creation),
    answer: z.array(named),
    example: { body: [row.example], answer: [shown] },
    prepare: ({ backend, body }) => withHashedPasswords(body, backend.rules.passwordCost),
    async run(call, tx) {
      warnOfContacts(row, call, call.body);
      const records = await writeRecords(tx, scopeOf(call), call.body, null);
      return records.map((record) => renderCatalogRecord(row, record));
    },
  });

  const edited = writeOperation({
    method: "put",
    path,
    summary: `Changes the given fields of one ${row.title}`,
    query: z.object({ [row.idField]: idIn }),
    body: edit,
    example: { query: byId, body: exampleChange(row) },
    prepare: async ({ backend, body }) => (await withHashedPasswords([body], backend.rules.passwordCost))[0] ?? body,
    async run(call, tx) {
      await editRecord(tx, scopeOf(call), String(call.query[row.idField]), call.body);
      if (row.completes !== undefined) await settleByAlerts(commitScope(call, tx), row.completes);
    },
  });

  const replace = writeOperation({
    method: "post",
    path: `${path}/replace`,
    summary: `Updates each ${row.title} of an array that is known, creates the others`,
    body: batchOf(replacement),
    example: { body: [row.example] },
    prepare: ({ backend, body }) => withHashedPasswords(body, backend.rules.passwordCost),
    async run(call, tx) {
      // An element with an unknown id needs all that a creation needs.
      const newProblems = (position: number) => checkShape(creation, call.body[position], [position]).problems ?? [];
      await writeRecords(tx, scopeOf(call), call.body, newProblems);
      if (row.completes !== undefined) await settleByAlerts(commitScope(call, tx), row.completes);
    },
  });

  const remove = writeOperation({
    method: "delete",
    path,
    summary: `Marks one ${row.title} as deleted`,
    query: z.object({ [row.idField]: idIn }),
    body: noBody,
    example: { query: byId },
    async run({ backend, query, caller, now }, tx) {
      const deletedId = String(query[row.idField]);
      await deleteRecord(tx, { row, resource: caller.resource, now }, deletedId);
      if (row.kind === "couriers") await closeCourierSessions({ backend, tx, now }, caller.resource, deletedId);
    },
  });

  return [get, create, edited, replace, remove];
}

function warnOfContacts(
  { contacts = [] }: CatalogRow,
  { warn }: DeliveryCall<unknown, unknown>,
  records: readonly StoredRecord[],
): void {
  for (const [position, record] of records.entries())
    for (const name of contacts) if (isOddContact(textField(record, name))) warn(`[${position}].${name}`, ODD_CONTACT);
}

function schemaName(row: CatalogRow): string {
  return row.title.replace(/(^|\s)(\w)/g, (_all, _space, letter: string) => letter.toUpperCase());
}

function exampleChange(row: CatalogRow): Record<string, unknown> {
  const field = "title" in row.example ? "title" : "firstname";
  return { [field]: row.example[field] };
}

export const catalogOperations: readonly DeliveryOperation[] = catalogRows.flatMap(operationsOf);
