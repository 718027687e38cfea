/** What is printed is what the order says: edits between the payment and the paper. */
import { paid, sale } from "../../../tools/money-model/money-world.js";
import { describeOnBothStores, useMoney } from "../use-world.js";
import { payment, talkOf } from "./shop-talk.js";

describeOnBothStores("an order that is edited after its receipt is queued", (newDatabase) => {
  const { money } = useMoney(newDatabase);
  const talk = talkOf(money);

  beforeEach(() => talk.create(paid));

  test("a buyer's new address goes onto a queued receipt, and may still change while the receipt is handed out", async () => {
    await talk.put({ client: { email: "new@mail.example" } });
    expect(sale(await money.till.poll()).contact).toBe("new@mail.example");
    await talk.put({ client: { email: "newer@mail.example" } });
  });

  test("a receipt goes to the present address of the buyer's record, not to the address that came with the order", async () => {
    await talk.taken(money.shop.post("/clients", [{ clientId: 5, email: "wrong@mail.example" }]));
    await talk.put({ clientId: 5 });
    await talk.putRecord("clients", { clientId: 5 }, { email: "right@mail.example" });
    await talk.put({ client: { email: "wrong@mail.example" } });
    expect(sale(await money.till.poll()).contact).toBe("right@mail.example");
  });

  test("a courier's payment goes onto a queued receipt, and a further payment is refused once the receipt is printed", async () => {
    await talk.pay(payment("p1", "2", 501));
    expect((await talk.next()).payments).toEqual([{ typeClose: 0, sum: 50100 }]);
    const more = await talk.report("payments", { payments: [payment("p2", "1", 501)] });
    expect(more.body.message).toMatch(/^payments: /);
    await talk.pay(payment("p1", "2", 501));
  });

  test("a queued receipt that is no longer due is withdrawn, and is queued again when it is due again", async () => {
    await talk.put({ prePaymentSum: 200 });
    expect(await money.till.poll()).toBeNull();
    await talk.put({ deliveryStatusId: 3 });
    await money.shop.put("/orders/multipleUpdate", { orderIds: [1042], attributes: { deliveryStatusId: 2 } });
    expect(await money.till.poll()).toBeNull();
    await talk.put({ deliveryStatusId: 3 });
    expect((await talk.next()).payments).toMatchObject([{ sum: 30100 }, { typeClose: 2, sum: 20000 }]);
  });

  test("a good's new name in the catalog does not count as an edit of a printed order", async () => {
    await talk.next();
    await talk.putRecord("goods", { goodId: 501 }, { title: "Чай чёрный" });
    await talk.put({ description: "у двери" });
  });
});
