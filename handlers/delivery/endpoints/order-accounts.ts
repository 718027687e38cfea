/** An extension of the API: an order's account shows a shop why the order's money does not balance. */
import { z } from "zod";
import { requireAccount } from "../account/load-accounts.js";
import { type AccountStatement, statementOf } from "../account/statement.js";
import { readOperation } from "../backend/backend.js";
import { idIn, idOut, timeOut } from "../http/wire-types.js";

const sum = z.string().meta({ pattern: "^-?\\d+\\.\\d{2}$" });

const accountEntry = z
  .strictObject({
    number: z.int(),
    kind: z.literal(["prepayment", "sale", "return"]),
    basisNumber: z.int().nullable(),
    refundOrderId: idOut.nullable(),
    issuedBy: z.literal(["shop", "courier", "operator"]),
    state: z.literal(["queued", "handed", "registered", "failed", "unknown", "void"]),
    total: sum,
    payments: z.array(z.strictObject({ closeTypeId: z.int(), sum })),
    taxes: z.array(z.strictObject({ taxId: idOut.nullable(), sum })),
    isAssumed: z.boolean(),
    fn: z.string().nullable(),
    fdNumber: z.string().nullable(),
    createdAt: timeOut,
  })
  .meta({ id: "AccountEntry" });

const orderAccount = z
  .strictObject({
    orderId: idOut,
    isBalanced: z.boolean(),
    findings: z.array(z.string()),
    cost: sum,
    collected: sum,
    prepaid: sum,
    used: sum,
    sold: sum,
    returned: sum,
    entries: z.array(accountEntry),
  })
  .meta({ id: "OrderAccount" });

const example: AccountStatement = {
  orderId: 1042,
  isBalanced: true,
  findings: [],
  cost: "501.00",
  collected: "301.00",
  prepaid: "200.00",
  used: "200.00",
  sold: "501.00",
  returned: "0.00",
  entries: [
    {
      number: 1,
      kind: "prepayment",
      basisNumber: null,
      refundOrderId: null,
      issuedBy: "shop",
      state: "registered",
      total: "200.00",
      payments: [{ closeTypeId: 1, sum: "200.00" }],
      taxes: [{ taxId: 1, sum: "200.00" }],
      isAssumed: false,
      fn: "9999078900000001",
      fdNumber: "318",
      createdAt: "2026-11-20 14:05:00",
    },
  ],
};

export const orderAccountOperation = readOperation({
  path: "/orderAccounts",
  tag: "receipts",
  summary:
    "Our own extension: every receipt of an order and of its refund orders, what is left, and what does not balance; of a refund order those of its sale",
  query: z.object({ orderId: idIn }),
  answer: orderAccount,
  example: { query: { orderId: "1042" }, answer: example },
  async run({ caller, query }, db) {
    return statementOf(await requireAccount(db, caller.resource, query.orderId));
  },
});
