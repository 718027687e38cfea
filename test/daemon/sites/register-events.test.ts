import { kopecks } from "@fiscald/shared/amounts.js";
import { resultCallSchema, syncCallSchema, zReportCallSchema } from "@fiscald/shared/exchange/calls.js";
import { toFnSerial, toKkm, toRegisterId, toSiteId } from "@fiscald/shared/ids.js";
import type { TaxRow } from "@fiscald/shared/receipt/vat.js";
import { vatOfTitle } from "#handlers/delivery/catalog/tax-rates.js";
import { makeDocument, makeJob } from "../../support/make-job.js";

import { identity, noExtras, printed, refused, shop, till, useSiteEvents } from "./site-events-world.js";

const world = useSiteEvents();
const { open, record, stored, lastSync, only } = world;

describe("the events of a register", () => {
  const closing = { register: till, job: printed, fn: identity.fn, shift: 7 };

  test.each([
    ["connected", "KKMConnected"],
    ["disconnected", "KKMDisconnected"],
  ] as const)("the event %s of a register is sent to the sites that have an address for it", (kind, action) => {
    open()[kind](till, null);
    expect(only()).toMatchObject({
      kind,
      lane: "register till",
      body: { action, kkm: "0001234567012345", device: "РИТЕЙЛ-01Ф", title: "Hall, left" },
    });
  });

  test("a connected register that is not on record yet is reported under the number that the device gave", () => {
    open().connected(toRegisterId("spare"), { kkm: toKkm("42"), model: "M" });
    expect(only()).toMatchObject({ kind: "connected", body: { kkm: "42", device: "M" } });
  });

  test("a disconnected register whose number is unknown is not reported, because no site could recognise it", () => {
    open().disconnected(toRegisterId("spare"), null);
    expect(stored()).toEqual([]);
  });

  test("the result of a job is reported even when the config no longer has its register", () => {
    const document = makeDocument({ fn: toFnSerial("9999078900000007") });
    open().result(
      makeJob({ id: 3, site: shop, register: toRegisterId("gone"), state: "printed", document }),
      "printed",
    );
    expect(only()).toMatchObject({ kind: "result", body: { resultCode: 0, fdNumber: "7", OFDLink: "" } });
  });

  test.each([
    ["net", 70],
    ["sales", 100],
  ])("a closed shift is reported once to each site of the register, with the sum: %s", (sessionSumm, sum) => {
    const closed = { ...closing, sales: kopecks(10_000), returns: kopecks(3000) };
    const events = open({ site: { sessionSumm } });
    events.shiftClosed(closed);
    events.shiftClosed(closed);
    expect(
      stored()
        .map(({ site }) => site)
        .sort(),
    ).toEqual(["second", "shop"]);
    const body = stored().find(({ site }) => site === "shop")?.body;
    expect(body).toMatchObject({ action: "ZReport", resultCode: 0, closedSession: "7", sessionSumm: sum });
    expect(zReportCallSchema.parse(body).sessionSumm).toBe(sum * 100);
  });

  test("a shift with more returns than sales is reported with a negative sum", () => {
    open().shiftClosed({ ...closing, sales: kopecks(3005), returns: kopecks(10_000) });
    const bodies = world.outbox.list({ site: shop }, { limit: 10, offset: 0 }).map(({ body }) => body);
    expect(bodies).toMatchObject([{ action: "ZReport", sessionSumm: -69.95 }]);
    expect(zReportCallSchema.parse(bodies[0]).sessionSumm).toBe(-6995);
  });

  test("a shift that could not be closed is reported only to a site with `reportFailedClose`", () => {
    const fault = { code: "device.paper-out", message: "no paper" } as const;
    open({ site: { reportFailedClose: true } }).shiftNotClosed({ ...closing, fault });
    expect(only()).toMatchObject({ site: "shop", body: { resultCode: 4, closedSession: "7" } });
  });

  test("the list of registers has the data that each register reported, and only the latest list waits for delivery", () => {
    const events = open();
    events.sync();
    events.tablesChanged(till);
    const call = syncCallSchema.parse(only().body);
    expect(call.data).toEqual([
      {
        name: "Hall, left",
        kkm: "0001234567012345",
        inn: "7700000000",
        fn: "9999078900000001",
        taxes: [{ id: 1, title: "НДС 22%" }],
        typeClose: [{ id: 0, title: "Наличными" }],
      },
    ]);
    expect(world.outbox.countUndelivered(toSiteId("second")).pending).toBe(0);
  });

  test("the list of registers marks an emulated register as emulated", () => {
    open({ register: { connection: { kind: "emulator" } } }).sync();
    expect(syncCallSchema.parse(only().body).data).toMatchObject([{ name: "Hall, left", emulated: true }]);
  });

  test.each([
    ["says that an emulated register made it", { kind: "emulator" }, {}, true],
    ["has only the protocol's fields, even for an emulated register", { kind: "emulator" }, noExtras, undefined],
    ["says nothing of emulators for a real register", { kind: "tcp", host: "x" }, {}, undefined],
  ] as const)("the result of a receipt %s", (_title, connection, site, emulated) => {
    open({ register: { connection }, site }).result(printed, "printed");
    expect(resultCallSchema.parse(only().body).emulated).toBe(emulated);
  });

  test("the list of registers names a tax row by the rate that a sale gets, and leaves out a row with an unlawful rate", () => {
    const events = open();
    const taxes: readonly TaxRow[] = [
      { id: 1, title: "НДС 20%", vat: 1, inSale: 11 },
      { id: 2, title: "НДС 10%", vat: 2 },
      { id: 5, title: "НДС 20/120", vat: 3, inSale: 12 },
      { id: 13, title: '"НДС 20%" (18 %)', vat: null },
    ];
    record({ tables: { taxes, paymentTypes: [] } });
    events.sync();
    const [register] = syncCallSchema.parse(only().body).data;
    expect(register?.taxes).toEqual([
      { id: 1, title: "НДС 22%" },
      { id: 2, title: "НДС 10%" },
      { id: 5, title: "НДС 22/122" },
    ]);
    // The kit reads the rate of a row from its title.
    expect(register?.taxes.map(({ title }) => vatOfTitle(title))).toEqual([11, 2, 12]);
    expect(events.taxListsOf(shop, identity.kkm, 0)).toEqual([taxes]);
  });

  test("tax ids are read by the last list that the site took before the poll, and by newer lists that it may have taken", () => {
    const events = open();
    const rates = (askedAt: number) =>
      events.taxListsOf(shop, identity.kkm, askedAt).map((rows) => rows.map(({ vat }) => vat));
    const change = (vat: 1 | 2) => {
      record({ tables: { taxes: [{ id: 1, title: "НДС", vat }], paymentTypes: [] } });
      events.tablesChanged(till);
      return lastSync();
    };
    // The site has no list so far, so the register's own rows count.
    expect(rates(1)).toEqual([]);
    events.sync();
    expect(rates(1)).toEqual([[11]]);
    world.outbox.markDelivered(only(), 5);
    const second = change(1);
    expect(rates(6)).toEqual([[1], [11]]);
    world.outbox.markDelivered(second, 10);
    // The poll was sent before the second list was taken and answered after that, so either list may be meant.
    expect([rates(10), rates(11)]).toEqual([[[1], [11]], [[1]]]);
    world.outbox.markFailed(change(2), refused, 12);
    expect(rates(13)).toEqual([[1]]);
    expect(events.taxListsOf(shop, toKkm("0000000000000002"), 13)).toEqual([]);
    expect(events.taxListsOf(toSiteId("second"), identity.kkm, 13)).toEqual([]);
  });

  test("the list of registers counts as delivered when the latest list is delivered, or when the site has no address for lists", () => {
    const events = open();
    expect(events.taxListDeliveredAt(shop)).toBe(0);
    events.sync();
    expect([events.taxListDeliveredAt(shop), events.taxListDeliveredAt(toSiteId("second"))]).toEqual([null, 0]);
    world.outbox.markDelivered(only(), 5);
    expect(events.taxListDeliveredAt(shop)).toBe(5);
    events.tablesChanged(till);
    expect(events.taxListDeliveredAt(shop)).toBeNull();
  });

  test("a site that refuses the list of registers has rows from another source, unless it took an earlier list", () => {
    const events = open();
    const refuse = () => world.outbox.markFailed(lastSync(), refused, 6);
    events.sync();
    refuse();
    expect(events.taxListDeliveredAt(shop)).toBe(0);
    events.sync();
    world.outbox.markDelivered(lastSync(), 7);
    events.tablesChanged(till);
    refuse();
    expect(events.taxListDeliveredAt(shop)).toBeNull();
  });
});
