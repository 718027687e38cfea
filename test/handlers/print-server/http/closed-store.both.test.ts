import { silentLogger } from "@fiscald/shared/logger.js";
import { jest } from "@jest/globals";
import pg from "pg";
import { createPrintServerRouter } from "#handlers/print-server/http/create-router.js";
import { openReceiptStore } from "#handlers/print-server/receipts/receipt-store.js";
import { openStore } from "#handlers/store/open-store.js";
import { createFakeClock } from "../../../support/fake-clock.js";
import { post, serveSite } from "../../../support/fake-daemon.js";
import { databaseKinds } from "../../../support/site-databases.js";
import { waitFor } from "../../../support/wait-for.js";
import { pollBy } from "../receipt-world.js";

describe.each(databaseKinds)("a closed receipt store on $name", ({ skipped, create }) => {
  const check = skipped === null ? test : test.skip;

  check("a poll that waits when the store is closed, and a call after that, are answered with 503", async () => {
    const database = await create();
    const clock = createFakeClock();
    const store = await openReceiptStore({ database: database.address, clock, logger: silentLogger });
    const auth = { kind: "none" } as const;
    const { url, close } = await serveSite(createPrintServerRouter({ store, clock, auth, logger: silentLogger }));
    const call = { action: "order", kkm: "0001" };
    const holding = { headers: { prefer: "wait=25", "fiscald-daemon": "d1" } };
    const held = post(url, call, holding);
    // The two timers are the store's own one and the router's limit.
    await waitFor("the poll is held", () => clock.pending === 2);
    await store.close();
    const connecting = jest.spyOn(pg.Client.prototype, "connect");
    const result = { kkm: "0001", inn: "77", fn: "99", resultCode: 0, resultInfo: "", shiftNumber: "1", OFDLink: "" };
    const later = [call, { action: "orderConfirm", ...result }].map((body) => post(url, body, holding));
    const answers = await Promise.all([held, ...later]);
    const stopping = { resultCode: 4, resultInfo: expect.stringContaining("is stopping") };
    expect(answers).toMatchObject(answers.map(() => ({ status: 503, body: stopping })));
    expect(connecting).not.toHaveBeenCalled();
    connecting.mockRestore();
    await close();
    await database.drop();
  });

  check("a poll that waits ends as soon as the store is closed that its receipt store shares with others", async () => {
    const database = await create();
    const clock = createFakeClock();
    const shared = await openStore({ address: database.address });
    const store = await openReceiptStore({ database: shared, clock, logger: silentLogger });
    const held = store.nextReceipt(pollBy("d1", { waitMs: 25_000 }));
    await waitFor("the poll is held", () => clock.pending > 0);
    await store.close();
    await shared.close();
    await expect(held).rejects.toMatchObject({ code: "store.closed" });
    await database.drop();
  });
});
