/** The ten simple resources of the API as rows of a table, with everything that differs between them. */
import type { FaultCode } from "@fiscald/shared/fault-codes.js";
import { isNoContact, parsePhones } from "@fiscald/shared/receipt/buyer-contact.js";
import { vatRates } from "@fiscald/shared/receipt/vat.js";
import { z } from "zod";
import type { Problem } from "../http/api-errors.js";
import {
  countIn,
  dateIn,
  dictionaryId,
  formatApiTime,
  idIn,
  innIn,
  piecesIn,
  priceIn,
  timeOut,
  unitIn,
} from "../http/wire-types.js";
import { calcIds } from "./dictionaries.js";
import {
  activeFlag,
  clientAddress,
  coordinate,
  createSchema,
  field,
  id,
  moneyField,
  nullable,
  type RecordFields,
  receiptText,
  receiptTitle,
  renderRecord,
  required,
  secret,
  text,
  viewSchema,
} from "./record-fields.js";
import { type CatalogRecord, type RecordKind, recordKinds, type StoredRecord, textField } from "./records.js";
import type { NamedRecords } from "./references.js";
import { vatOfTax } from "./tax-rates.js";

export interface CatalogRow {
  readonly kind: RecordKind;
  readonly title: string;
  readonly idField: string;
  readonly fields: RecordFields;
  /** The API's document ("List paging") has pages for this list. Other lists are whole unless a page is asked for. */
  readonly isPaged?: true;
  readonly updatedAt?: true;
  readonly references?: NamedRecords;
  readonly contacts?: readonly string[];
  /** Checks what the fields' types cannot. The problem's place is below the element; null: no problem. */
  check?(record: StoredRecord): Problem | null;
  /** Codes of alerts that an edit of the record may settle. */
  readonly completes?: readonly FaultCode[];
  readonly example: Readonly<Record<string, unknown>>;
}

/** Whether the text is empty, or phones of a supplier that can be read (tag 1171). */
export function isPhones(text: string | null): boolean {
  return isNoContact(text ?? "") || parsePhones(text ?? "") !== null;
}

const goodWarehouses = field(
  z.array(z.object({ warehouseId: idIn, count: countIn })).max(100),
  z.array(z.strictObject({ warehouseId: z.string(), count: z.number() })),
);

const birthday = field(dateIn, z.string().meta({ pattern: "^\\d{4}-\\d{2}-\\d{2}$" }));

const calcId = field(dictionaryId(calcIds, "goodCalcTypes"), z.int());

const table: Readonly<Record<RecordKind, Omit<CatalogRow, "kind">>> = {
  goods: {
    title: "good",
    idField: "goodId",
    isPaged: true,
    fields: {
      goodId: required(id),
      article: text,
      parentId: nullable(required(id)),
      taxId: required(id),
      calcId,
      title: receiptTitle,
      unit: field(unitIn, z.string()),
      weight: text,
      multiplicity: field(piecesIn, z.number()),
      price: required(field(priceIn, z.number())),
      description: text,
      imageUrl: text,
      imageBigUrl: text,
      warehouses: goodWarehouses,
      isActive: activeFlag,
    },
    references: { parentId: "goods", taxId: "taxes", "warehouses.warehouseId": "warehouses" },
    example: {
      goodId: 501,
      article: "TEA-50",
      parentId: null,
      taxId: 1,
      calcId: 1,
      title: "Чай зелёный, 50 г",
      unit: "шт",
      weight: "0.05",
      multiplicity: 1,
      price: 250.5,
      description: "Крупнолистовой",
      warehouses: [{ warehouseId: "1", count: 40 }],
    },
  },
  specificities: {
    title: "specificity",
    idField: "specificityId",
    isPaged: true,
    fields: {
      specificityId: required(id),
      parentId: nullable(required(id)),
      title: receiptTitle,
      value: receiptText,
      price: required(moneyField),
      imageUrl: text,
      imageBigUrl: text,
      article: text,
      isActive: activeFlag,
    },
    references: { parentId: "specificities" },
    example: { specificityId: 31, parentId: null, title: "Упаковка", value: "подарочная", price: 0, article: "BOX" },
  },
  warehouses: {
    title: "warehouse",
    idField: "warehouseId",
    isPaged: true,
    fields: {
      warehouseId: required(id),
      title: required(text),
      firstname: text,
      lastname: text,
      phone: text,
      city: text,
      street: text,
      house: text,
      apartment: text,
      latitude: coordinate,
      longitude: coordinate,
      description: text,
      isActive: activeFlag,
    },
    updatedAt: true,
    example: { warehouseId: 1, title: "Основной", phone: "+74950000000", city: "Москва", street: "Ленина", house: "1" },
  },
  couriers: {
    title: "courier",
    idField: "courierId",
    fields: {
      courierId: required(id),
      title: required(text),
      email: text,
      phone: text,
      roleId: id,
      sourcePassword: secret(text),
      inn: text,
    },
    updatedAt: true,
    references: { roleId: "userRoles" },
    example: {
      courierId: 7,
      title: "Сидоров Пётр",
      email: "sidorov@shop.example",
      phone: "+79160000007",
      roleId: null,
      sourcePassword: "letmein-2026",
      inn: "770000000007",
    },
  },
  userRoles: {
    title: "role",
    idField: "roleId",
    fields: { roleId: required(id), title: required(text), isActive: activeFlag },
    example: { roleId: 2, title: "Курьер" },
  },
  clients: {
    title: "client",
    idField: "clientId",
    fields: {
      clientId: required(id),
      title: text,
      firstname: text,
      lastname: text,
      birthday,
      addressEntity: clientAddress,
      inn: text,
      phone: text,
      email: text,
      description: text,
    },
    updatedAt: true,
    contacts: ["phone", "email"],
    example: {
      clientId: 900,
      firstname: "Анна",
      lastname: "Петрова",
      phone: "+79160000900",
      email: "anna@mail.example",
    },
  },
  suppliers: {
    title: "supplier",
    idField: "supplierId",
    isPaged: true,
    fields: {
      supplierId: required(id),
      title: receiptTitle,
      taxId: id,
      inn: field(innIn, z.string()),
      phone: text,
      address: text,
      description: text,
    },
    references: { taxId: "taxes" },
    check: (supplier) =>
      isPhones(textField(supplier, "phone"))
        ? null
        : { place: "phone", message: "must be phones with their codes, such as +74951112233, apart by commas" },
    // Positions without a rate take the supplier's rate.
    completes: ["receipt.agent", "order.wrong-value"],
    example: { supplierId: 4, title: "ООО Поставщик", taxId: 1, inn: "7700000000", phone: "+74951112233" },
  },
  orderReturnReasons: {
    title: "cancellation reason",
    idField: "reasonId",
    fields: { reasonId: required(id), title: required(text), type: text },
    example: { reasonId: 1, title: "Отказ клиента", type: "cancel" },
  },
  paymentTypes: {
    title: "payment type",
    idField: "paymentTypeId",
    fields: { paymentTypeId: required(id), title: required(text), closeTypeId: id },
    check: (type) =>
      [null, "0", "1", "2", "3", "4"].includes(textField(type, "closeTypeId"))
        ? null
        : { place: "closeTypeId", message: "must be an id of /dictionary/closeTypes: 0, 1, 2, 3, 4" },
    completes: ["receipt.payment-type"],
    example: { paymentTypeId: 1, title: "Картой", closeTypeId: 1 },
  },
  taxes: {
    title: "tax rate",
    idField: "taxId",
    fields: { taxId: required(id), title: required(text) },
    check: (tax) =>
      vatOfTax(tax) === null
        ? { place: "title", message: `names no rate such as "${vatRates[11].title}", and taxId is none of taxTypes` }
        : null,
    example: { taxId: 1, title: "НДС 22%" },
  },
};

export const catalogRows: readonly CatalogRow[] = recordKinds.map(rowOf);

export function rowOf(kind: RecordKind): CatalogRow {
  return { kind, ...table[kind] };
}

export function canBeInactive({ fields }: CatalogRow): boolean {
  return "isActive" in fields;
}

export function recordView({ fields, updatedAt }: CatalogRow) {
  return updatedAt === true ? viewSchema(fields).extend({ updatedAt: timeOut }) : viewSchema(fields);
}

export function renderCatalogRecord(row: CatalogRow, record: CatalogRecord): Record<string, unknown> {
  const shown: Record<string, unknown> = renderRecord(row.fields, record.body);
  if (canBeInactive(row)) shown["isActive"] = record.isActive ? 1 : 0;
  if (row.updatedAt === true) shown["updatedAt"] = formatApiTime(record.updatedAt);
  return shown;
}

export function exampleRecord({ fields, idField, example }: CatalogRow): CatalogRecord {
  const body = createSchema(fields).parse(example);
  const updatedAt = Date.UTC(2026, 10, 20, 14, 5);
  return { owner: 1, id: String(example[idField]), isActive: true, updatedAt, body };
}
