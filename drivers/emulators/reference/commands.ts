/** Commands of the reference register as its emulator reads and checks them (drivers/reference/README.md). */
import { kopecks, quantity } from "@fiscald/shared/amounts.js";
import { z } from "zod";
import { localTimeSchema as time } from "../memory/documents.js";

const sum = z
  .int()
  .min(0)
  .transform((value) => kopecks(value));
const text = (length: number) => z.string().max(length).nullable();
const nothing = z.object({});
const alignment = z.enum(["left", "center", "right"]);
const cashier = { cashier: text(64), cashierInn: text(12) };
const tagTexts = z.array(z.tuple([z.int(), z.string().max(256)])).default([]);

const item = z.object({
  name: z.string().min(1).max(128),
  price: sum,
  quantity: z
    .int()
    .min(1)
    .transform((value) => quantity(value)),
  sum,
  tax: z.int().nullable(),
  department: z.int().min(0).max(16),
  subject: z.int().min(1).max(33),
  method: z.int().min(1).max(7),
  unit: text(16),
  measure: z.int().min(0).max(255),
  agent: z
    .object({
      type: z.int().min(1).max(64),
      supplier: text(256),
      phones: z.array(z.string().max(19)),
      inn: text(12),
      data: tagTexts,
    })
    .nullable(),
  goodsCode: z.base64().nullable(),
  markingCode: z.base64().nullable(),
  country: text(3),
  customs: text(32),
  additional: z.string().max(64).optional(),
  excise: sum.optional(),
  industry: tagTexts,
});
export type ItemCommand = z.infer<typeof item>;

const print = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("text"),
    columns: z.int().min(1).max(64),
    spans: z.array(
      z.object({
        text: z.string(),
        looks: z.array(z.string()),
        rotation: z.int().min(0).max(3),
        columns: z.int().min(1).max(64).optional(),
      }),
    ),
  }),
  z.object({
    kind: z.literal("barcode"),
    symbology: z.enum(["ean13", "code39", "qr"]),
    data: z.string(),
    heightMm: z.number(),
    printText: z.boolean(),
    alignment,
  }),
  z.object({
    kind: z.literal("image"),
    width: z.int().min(1).max(576),
    height: z.int().min(1).max(1200),
    rows: z.base64(),
    alignment,
  }),
  z.object({ kind: z.enum(["header", "footer", "cut"]) }),
]);
export type PrintCommand = z.infer<typeof print>;

const close = z.object({
  contact: text(64),
  internet: z.boolean(),
  place: text(256),
  userProperty: z.object({ name: z.string().max(64), value: z.string().max(256) }).nullable(),
  paper: z.boolean(),
  buyer: tagTexts,
  additional: z.string().max(16).optional(),
  operating: z.object({ id: z.int().min(0).max(255), data: z.string().max(64), time }).optional(),
});
export type CloseCommand = z.infer<typeof close>;

function command<Name extends string, Body extends z.ZodType>(name: Name, body: Body) {
  return z.object({ name: z.literal(name), body });
}

export const commandSchema = z.discriminatedUnion("name", [
  command("IDENT", nothing),
  command("STATE", nothing),
  command("TABLES", nothing),
  command("TOTALS", nothing),
  command("DOC", z.object({ fd: z.int() })),
  command("OPEN-SHIFT", z.object(cashier)),
  command(
    "OPEN",
    z.object({
      operation: z.enum(["sale", "return"]),
      taxSystem: z.int().nullable(),
      correction: z.object({ type: z.int().min(0).max(1), date: z.iso.date(), number: text(32) }).optional(),
      ...cashier,
    }),
  ),
  command("ITEM", item),
  command("PRINT", print),
  command("PAY", z.object({ type: z.literal([0, 1, 2, 3, 4]), sum })),
  command("SUBTOTAL", nothing),
  command("CLOSE", close),
  command("CANCEL", nothing),
  command("CASH", z.object({ direction: z.enum(["in", "out"]), sum })),
  command("REPORT", z.object({ report: z.enum(["z", "x", "sections", "cashiers", "hours"]), ...cashier })),
  command("SET-TIME", z.object({ time })),
  command("FINISH-PRINT", nothing),
  command("COPY", z.object({ fd: z.int() })),
]);
export type WireCommand = z.infer<typeof commandSchema>;

/** Names that all makers share (drivers/emulators/README.md), unless the command's own in small letters is shared. */
const sharedNames: Readonly<Record<string, string>> = {
  IDENT: "identify",
  STATE: "read-state",
  TABLES: "read-tables",
  TOTALS: "read-totals",
  DOC: "read-document",
  OPEN: "open-receipt",
  PAY: "payment",
  CLOSE: "close-receipt",
  CANCEL: "cancel-receipt",
  "CASH:in": "cash-in",
  "CASH:out": "cash-out",
  "REPORT:z": "close-shift",
};

export function namesOf(name: string, body: unknown): readonly string[] {
  const parsed = z.object({ direction: z.string().optional(), report: z.string().optional() }).safeParse(body);
  const detail = parsed.data?.direction ?? parsed.data?.report ?? "";
  return [name, sharedNames[`${name}:${detail}`] ?? sharedNames[name] ?? name.toLowerCase()];
}
