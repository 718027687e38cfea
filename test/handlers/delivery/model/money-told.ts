/** What the shop's register log has told of an order's money. */
import type { Api } from "../delivery-world.js";

/** For a person to look at; only that excuses what nobody can take back. */
export type Telling =
  | "twice"
  | "beside the courier's sale"
  | "beside the courier's return"
  | "covered"
  | "returned meanwhile"
  | "returned before"
  | "uncounted"
  | "says otherwise"
  | "delivered again"
  | "prepayment"
  | "sale"
  | "rates of the prepayment"
  | "rates of the sale";

export async function toldOf(shop: Api, orderIds: readonly string[]) {
  const told = new Set<Telling>();
  const texts: string[] = [];
  for (const orderId of new Set(orderIds)) {
    const { body } = await shop.get("/fiscalRegistratorLogs", { orderId, page: 1, count: 500 });
    for (const { errorCode, errorText, frId } of body) {
      // A receipt that was refused for an earlier one has the same code: nothing is printed twice by that.
      if (errorCode !== "job.already-printed" || !frId.startsWith("twice:")) continue;
      texts.push(errorText);
      told.add(tellingOf(frId));
    }
  }
  return { told, texts };
}

/** By the last words of the entry's id: the texts are for people. */
function tellingOf(frId: string): Telling {
  const tellings: readonly (readonly [RegExp, Telling])[] = [
    [/printed twice/, "twice"],
    [/besides the sale of the courier/, "beside the courier's sale"],
    [/besides the whole return of the courier/, "beside the courier's return"],
    [/is covered/, "covered"],
    [/while its settlement was on its way/, "returned meanwhile"],
    [/before its prepayment was known to be printed/, "returned before"],
    [/says otherwise/, "says otherwise"],
    [/delivered again/, "delivered again"],
    [/came before its sale was known/, "returned meanwhile"],
    [/no refund order says how much of it/, "uncounted"],
    [/is used twice/, "prepayment"],
    [/is given back twice/, "sale"],
    [/rates of the prepayment/, "rates of the prepayment"],
    [/rates of the sale/, "rates of the sale"],
  ];
  const [, telling] = tellings.find(([words]) => words.test(frId)) ?? [];
  if (telling === undefined) throw new Error(`the model does not know what is told here: ${frId}`);
  return telling;
}
