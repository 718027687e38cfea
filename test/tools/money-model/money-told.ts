/** The problems of an order's account by the shop's register log: its last alert, unless the account balances again. */
import type { Api } from "../../handlers/delivery/delivery-world.js";

/** Reports for a person; only these excuse what nobody can undo. */
export type Telling =
  | "prepayment twice"
  | "sale twice"
  | "return twice"
  | "prepayment"
  | "sale"
  | "rates of the prepayment"
  | "rates of the sale"
  | "unnamed return"
  | "returned at till"
  | "no sale"
  | "assumed sale"
  | "assumed share"
  | "prepayment says otherwise"
  | "sale says otherwise"
  | "return says otherwise"
  | "delivered again"
  | "too little left"
  | "waits for a name"
  | "waits for its prepayment"
  | "rest of the whole"
  | "not covered"
  | "courier not covered"
  | "money beyond receipts"
  | "money without receipt"
  | "cancelled after its receipt"
  | "other form"
  | "no receipt"
  | "nothing left"
  | "waits for its sale"
  | "rest elsewhere"
  | "rest by its status alone"
  | "given back without a return"
  | "given back in another form"
  | "given back unpaid"
  | "paid and cancelled"
  | "given back before a sale"
  | "has failed"
  | "paid in another form"
  | "more money back"
  | "calculated rate";

export interface Told {
  readonly telling: Telling;
  /** The sale or the refund order of the report. */
  readonly orderId: string;
}

/** A sentence without an order's id is about the sale. */
const tellings: readonly (readonly [RegExp, Telling])[] = [
  [/A prepayment receipt of order (\S+) (is|may be) printed twice/g, "prepayment twice"],
  [/A sale receipt of order (\S+) (is|may be) printed twice/g, "sale twice"],
  [/A return receipt of refund order (\S+) (is|may be) printed twice/g, "return twice"],
  [/The prepayment of [^:]* is exceeded/g, "prepayment"],
  [/The sale of [^:]* is exceeded/g, "sale"],
  [/returns of the prepayment are \S+ more in one tax rate/g, "rates of the prepayment"],
  [/returns of the sale are \S+ more in one tax rate/g, "rates of the sale"],
  [/no refund order names/g, "unnamed return"],
  [/(?:is|may be) returned at the till/g, "returned at till"],
  [/no receipt of a sale is known/g, "no sale"],
  [/lines are assumed/g, "assumed sale"],
  [/whose sum is assumed/g, "assumed share"],
  [/The prepayment receipt of \S+ that is printed of order (\S+) says otherwise/g, "prepayment says otherwise"],
  [/The sale receipt of \S+ that is printed of order (\S+) says otherwise/g, "sale says otherwise"],
  [/The return receipt of \S+ that is printed of order (\S+) says otherwise/g, "return says otherwise"],
  [/is delivered although/g, "delivered again"],
  [/Refund order (\S+) of \S+ has no receipt: too little is left of its goods/g, "too little left"],
  [/Refund order (\S+) of \S+ has no receipt: a return of the courier's register/g, "waits for a name"],
  [/Refund order (\S+) of \S+ has no receipt: more of the prepayment is used/g, "waits for its prepayment"],
  [/no receipt gives back the other|its return is without/g, "rest of the whole"],
  [/do not cover/g, "not covered"],
  [/No receipt can be made of order (\S+):/g, "no receipt"],
  [/nothing was left to give back/g, "nothing left"],
  [
    /Refund order (\S+) of \S+ has no receipt: [^:]*(?:It is printed after the sale|was never sold)/g,
    "waits for its sale",
  ],
  [/where the prepayment was taken/g, "rest elsewhere"],
  [/are reported for/g, "courier not covered"],
  [/Couriers have [^:]*, and the sale takes/g, "money beyond receipts"],
  [/Couriers have \S+, and no receipt says so/g, "money without receipt"],
  [/It is (?:cancelled|deleted), and/g, "cancelled after its receipt"],
  [/The returns give back [^:]* beyond what the/g, "other form"],
  [/its status alone calls/g, "rest by its status alone"],
  [/Couriers gave back \S+ of the printed sale/g, "given back without a return"],
  [/Couriers gave back [^:]* beyond what its returns have in that form/g, "given back in another form"],
  [/Couriers gave back \S+ more than they took/g, "given back before a sale"],
  [/The (?:prepayment|sale|return) of \S+ of order (\S+) has failed/g, "has failed"],
  [/payments report \S+ .*: compare them with the receipt/g, "paid in another form"],
  [/By its payments refund order (\S+)/g, "more money back"],
  [/Refund order (\S+) is not paid, and couriers gave back/g, "given back unpaid"],
  [/Its courier cancelled \S+ of it after it was called paid/g, "paid and cancelled"],
  [/which is one of prepayments/g, "calculated rate"],
];

export async function toldOf(shop: Api, orderId: string) {
  const { body } = await shop.get("/fiscalRegistratorLogs", { orderId, page: 1, count: 500 });
  const alerts: { errorText: string; frId: string }[] = body.filter(({ frId }: { frId: string }) =>
    String(frId).startsWith("account:"),
  );
  const account = (await shop.get("/orderAccounts", { orderId })).body;
  const findings: readonly string[] = account.findings ?? [];
  const now = findings.join(" ");
  const told = tellings.flatMap(([words, telling]) =>
    [...now.matchAll(words)].map(([, of]): Told => ({ telling, orderId: of ?? orderId })),
  );
  if (told.length === 0 && now !== "") throw new Error(`the model does not know this alert: ${now}`);
  /** Once a day the register log lists what all prepaid orders of a shop may lack. */
  const isDaily = told.length > 0 && told.every(({ telling }) => telling === "rest by its status alone");
  return { told, isDaily, texts: alerts.map(({ errorText }) => errorText) };
}
