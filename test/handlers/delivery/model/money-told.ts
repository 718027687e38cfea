/** What the shop's register log says is wrong with an order's account: its last alert, unless it balances again. */
import type { Api } from "../delivery-world.js";

/** For a person to look at; only that excuses what nobody can take back. */
export type Telling =
  | "twice"
  | "prepayment"
  | "sale"
  | "rates of the prepayment"
  | "rates of the sale"
  | "unnamed return"
  | "no sale"
  | "assumed sale"
  | "assumed share"
  | "says otherwise"
  | "delivered again"
  | "too little left"
  | "rest of the whole"
  | "not covered"
  | "no receipt"
  | "nothing left"
  | "waits for its sale"
  | "rest elsewhere";

const tellings: readonly (readonly [RegExp, Telling])[] = [
  [/(is|may be) printed twice/, "twice"],
  [/The prepayment of .* is exceeded/, "prepayment"],
  [/The sale of .* is exceeded/, "sale"],
  [/returns of the prepayment are .* in one tax rate/, "rates of the prepayment"],
  [/returns of the sale are .* in one tax rate/, "rates of the sale"],
  [/no refund order names/, "unnamed return"],
  [/no receipt of a sale is known/, "no sale"],
  [/lines are assumed/, "assumed sale"],
  [/whose sum is assumed/, "assumed share"],
  [/says otherwise/, "says otherwise"],
  [/is delivered although/, "delivered again"],
  [/too little is left of its goods/, "too little left"],
  [/no receipt gives back the other/, "rest of the whole"],
  [/do not cover/, "not covered"],
  [/No receipt can be made/, "no receipt"],
  [/nothing was left to give back/, "nothing left"],
  [/It is printed after the sale/, "waits for its sale"],
  [/where the prepayment was taken/, "rest elsewhere"],
  [/are reported for/, "not covered"],
];

export async function toldOf(shop: Api, orderId: string) {
  const { body } = await shop.get("/fiscalRegistratorLogs", { orderId, page: 1, count: 500 });
  const alerts: { errorText: string; frId: string }[] = body.filter(({ frId }: { frId: string }) =>
    String(frId).startsWith("account:"),
  );
  const last = alerts.at(-1)?.errorText ?? "";
  const told = new Set(tellings.flatMap(([words, telling]) => (words.test(last) ? [telling] : [])));
  if (told.size === 0 && last !== "" && !last.includes("balances again")) {
    throw new Error(`the model does not know this alert: ${last}`);
  }
  return { told, texts: alerts.map(({ errorText }) => errorText) };
}
