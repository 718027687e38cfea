/** Contacts as clients of the API write them. */

import { paid, sale } from "../../../tools/money-model/money-world.js";
import { newOrder } from "../delivery-world.js";
import { describeOnBothStores, useMoney } from "../use-world.js";

describeOnBothStores("an order of the delivery API", (newDatabase) => {
  const { money } = useMoney(newDatabase);

  test("with a phone of ten digits and no e-mail has that phone on its receipt", async () => {
    const client = { firstname: "Анна", lastname: "Петрова" };
    expect((await money.shop.post("/orders", [newOrder({ ...paid, client, phone: "9123456789" })])).status).toBe(201);
    expect(sale(await money.till.printNext()).contact).toBe("+79123456789");
  });

  test.each(["+7 912 345-67-89 доб. 12", "89123456789, 89123456780"])(
    "that is paid on the internet is refused at the phone that cannot be read (%s)",
    async (phone) => {
      const client = { firstname: "Анна", lastname: "Петрова" };
      const { status, body } = await money.shop.post("/orders", [newOrder({ ...paid, client, phone })]);
      expect([status, body.message]).toEqual([422, expect.stringMatching(/^\[0\]\.phone/)]);
    },
  );
});
