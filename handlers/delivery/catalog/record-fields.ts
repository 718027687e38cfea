/** Fields of the catalog's records as data. Schemas of requests and answers are made from them. */
import { z } from "zod";
import {
  absentIfNull,
  coordinateIn,
  flagIn,
  flagOut,
  idIn,
  idOut,
  meantByNull,
  moneyIn,
  optionalIn,
  receiptTextIn,
  textIn,
  toWireId,
} from "../http/wire-types.js";
import { fromWire, type JsonValue, type StoredRecord } from "./records.js";

export interface RecordField {
  readonly input: z.ZodType;
  readonly output: z.ZodType;
  readonly render: (value: JsonValue) => JsonValue;
  readonly required: boolean;
  /** In requests null means "not set" and clears the field in an edit; in answers it means unknown. */
  readonly nullable: boolean;
  readonly secret: boolean;
}

export type RecordFields = Readonly<Record<string, RecordField>>;

const asStored = (value: JsonValue) => value;

export function field(input: z.ZodType, output: z.ZodType, render: RecordField["render"] = asStored): RecordField {
  return { input, output, render, required: false, nullable: true, secret: false };
}

export const id = field(idIn, idOut, (value) => (typeof value === "string" ? toWireId(value) : value));
export const text = field(textIn, z.string());
export const receiptText = field(receiptTextIn, z.string());
export const moneyField = field(moneyIn, z.number());
export const coordinate = field(coordinateIn, z.string());
export const activeFlag = { ...field(absentIfNull(flagIn), flagOut), nullable: false };

export function required(base: RecordField): RecordField {
  return { ...base, required: true, nullable: false };
}

/** No receipt can be made of a good without a name. */
export const receiptTitle = required(
  field(
    receiptTextIn.refine((title) => /\S/.test(title), { error: "must not be empty" }),
    z.string(),
  ),
);

export function nullable(base: RecordField): RecordField {
  return { ...base, nullable: true };
}

export function secret(base: RecordField): RecordField {
  return { ...base, secret: true };
}

export function createSchema(fields: RecordFields) {
  return recordSchema(fields, (given) => given.required);
}

export function editSchema(fields: RecordFields, idField: string) {
  return recordSchema(fields, (_given, name) => name === idField);
}

function recordSchema(fields: RecordFields, isRequired: (field: RecordField, name: string) => boolean) {
  const shape = mapFields(fields, (given, name) => {
    if (isRequired(given, name)) return given.nullable ? meantByNull(given.input, null) : given.input;
    return given.nullable ? optionalIn(given.input) : given.input.optional();
  });
  return z.object(shape).transform(fromWire);
}

export function viewSchema(fields: RecordFields) {
  const open = Object.fromEntries(Object.entries(fields).filter(([, given]) => !given.secret));
  return z.strictObject(mapFields(open, (given) => (given.nullable ? given.output.nullable() : given.output)));
}

export function renderRecord(fields: RecordFields, record: StoredRecord): Record<string, JsonValue> {
  const rendered: Record<string, JsonValue> = {};
  for (const [name, given] of Object.entries(fields)) {
    if (given.secret) continue;
    const value = record[name];
    rendered[name] = value === undefined || value === null ? null : given.render(value);
  }
  return rendered;
}

function mapFields(
  fields: RecordFields,
  toSchema: (field: RecordField, name: string) => z.ZodType,
): Record<string, z.ZodType> {
  return Object.fromEntries(Object.entries(fields).map(([name, given]) => [name, toSchema(given, name)]));
}

export const addressPartsIn = {
  postindex: absentIfNull(textIn),
  city: absentIfNull(textIn),
  street: absentIfNull(textIn),
  home: absentIfNull(textIn),
  apartment: absentIfNull(textIn),
  latitude: absentIfNull(coordinateIn),
  longitude: absentIfNull(coordinateIn),
};
export const addressPartsOut = z
  .strictObject({
    postindex: z.string(),
    city: z.string(),
    street: z.string(),
    home: z.string(),
    apartment: z.string(),
    latitude: z.string(),
    longitude: z.string(),
  })
  .partial();

/** The client's `addressEntity`. Each part may be left out, in answers too. */
export const clientAddress = field(z.object(addressPartsIn), addressPartsOut);
