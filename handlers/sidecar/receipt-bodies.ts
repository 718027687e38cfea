/** The bodies of `POST /receipts` for its document. The readers take more spellings than these schemas. */
import { rateWords, vatCodes } from "@fiscald/shared/receipt/vat.js";
import { z } from "zod";

const roubles = z.union([z.number(), z.string()]).meta({ description: "Roubles, such as 120 or 119.90." });
const vat = z
  .looseObject({ type: z.enum(vatCodes.map((code) => rateWords[code])) })
  .meta({ description: "The rate by name (tag 1199). vat20 and vat120 are in force for sales until 2025 only." });
const quantity = z.number().meta({ description: "Tag 1023." });
const operation = z.enum(["sell", "sell_refund"]);
const typeClose = z.literal([0, 1, 2, 3, 4]).meta({
  description: "0 cash, 1 electronic, 2 prepayment, 3 credit, 4 counter-provision.",
});

const lineParam = z.looseObject({
  price: roubles.optional(),
  quantity: quantity.optional(),
  vat: vat.optional(),
  discountType: z.literal([0, 1]).optional().meta({ description: "0 roubles, 1 percent." }),
  discountValue: roubles.optional(),
  summ: roubles.optional().meta({ description: "Of a payment, or of cash in and out." }),
  typeClose: typeClose.optional(),
});

const lineTypes = [
  ...["OpenCheckSell", "OpenCheckReturn", "Registration", "Return", "Payment", "ClientContact", "CloseCheck"],
  ...["CashIncome", "CashOutcome", "Report", "SyncTime", "String", "BarCode", "Image", "PrintHeader", "PrintFooter"],
  ...["Cut", "CancelCheck"],
];

const head = {
  orderId: z.union([z.string(), z.number()]).meta({ description: "The shop's number, at most 128 characters." }),
  receiptId: z.uuid().optional().meta({ description: "The shop's UUID for this receipt." }),
  service: z
    .looseObject({ inn: z.string().optional() })
    .optional()
    .meta({ description: "`inn`: the taxpayer, whose register alone prints it." }),
  kkm: z.string().optional().meta({ description: "The register that has to print it; default: any." }),
  callback_url: z.url().optional().meta({ description: "Where the result goes; at the shop's own address." }),
};

const taskTable = z.looseObject({
  response: z.looseObject({
    ...head,
    taskTable: z.array(
      z.looseObject({
        type: z.enum(lineTypes).meta({ description: "What the line prints or registers." }),
        data: z.string().optional().meta({ description: "A position's name, a contact, or text." }),
        param: lineParam.optional(),
      }),
    ),
  }),
});

const onlineReceipt = z.looseObject({
  external_id: head.orderId,
  operation: operation.optional(),
  service: z.looseObject({ inn: z.string().optional(), callback_url: head.callback_url }).optional(),
  receipt: z.looseObject({
    client: z
      .looseObject({ email: z.string().optional(), phone: z.string().optional() })
      .optional()
      .meta({ description: "The buyer, whose e-mail or phone gets the electronic receipt (tag 1008)." }),
    company: z
      .looseObject({ inn: z.string().optional(), payment_address: z.string().optional() })
      .optional()
      .meta({ description: "The shop: its INN, which must be the register's, and its address." }),
    items: z.array(z.looseObject({ name: z.string(), price: roubles, quantity, sum: roubles, vat: vat.optional() })),
    payments: z.array(z.looseObject({ type: typeClose, sum: roubles })),
    total: roubles.meta({ description: "What is paid in all, roubles." }),
  }),
});

const described = [
  [taskTable, "A task table."],
  [onlineReceipt, "The online format, which is that of cloud receipt services."],
] as const;

/** The document shows two formats; the readers of the formats judge the object. */
export const orderBody = z.looseObject({}).meta({
  id: "Order",
  anyOf: described.map(([schema, description]) => {
    const { $schema: _dialect, ...plain } = z.toJSONSchema(schema, { io: "input", target: "draft-2020-12" });
    return { ...plain, description };
  }),
});

const tableExample = {
  response: {
    orderId: "A-1042",
    taskTable: [
      { type: "OpenCheckSell" },
      { type: "Registration", data: "Чай", param: { price: 120, quantity: 2, vat: { type: "vat22" } } },
      { type: "Payment", param: { summ: 240, typeClose: 1 } },
      { type: "CloseCheck" },
    ],
  },
};

const cloudExample = {
  external_id: "A-1042",
  service: { callback_url: "https://shop.example/fiscal-result" },
  receipt: {
    client: { email: "anna@mail.example" },
    company: { email: "shop@mail.example", sno: "osn", inn: "7700000000", payment_address: "https://shop.example" },
    items: [{ name: "Чай", price: 120, quantity: 2, sum: 240, vat: { type: "vat22" } }],
    payments: [{ type: 1, sum: 240 }],
    total: 240,
  },
};

export const orderExamples = { body: tableExample, otherBodies: { "of a cloud service": cloudExample } };
