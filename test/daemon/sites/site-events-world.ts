import type { RegisterConfig } from "@fiscald/daemon/config/register-schema.js";
import { Deliveries } from "@fiscald/daemon/sites/deliveries.js";
import { SiteEvents } from "@fiscald/daemon/sites/site-events.js";
import type { StoredEvent } from "@fiscald/daemon/store/outbox-store.js";
import type { SeenRegister } from "@fiscald/daemon/store/register-store.js";
import { Fault } from "@fiscald/shared/fault.js";
import { toOrderId, toReceiptId, toRegisterId, toSiteId } from "@fiscald/shared/ids.js";
import { given } from "../../support/given.js";
import { makeDocument, makeJob } from "../../support/make-job.js";
import { makeIdentity } from "../../support/make-snapshot.js";
import { parseRaw } from "../../support/parse-raw-config.js";
import { type Raw, rawConfig, rawRegister } from "../../support/raw-config.js";
import { type OpenStores, useStores } from "../../support/use-stores.js";

export const noExtras = { resultExtras: false };
export const till = toRegisterId("till");
export const shop = toSiteId("shop");
export const identity = makeIdentity({ model: "РИТЕЙЛ-01Ф" });
export const shift = { number: 1, state: "open", openedAt: null } as const;
export const refused = { fault: new Fault("site.refused"), refused: true, aside: true };
export const printed = makeJob({
  id: 1,
  site: shop,
  register: till,
  state: "printed",
  orderId: toOrderId("A-1"),
  receiptId: toReceiptId("r-1"),
  document: makeDocument({ fd: 42, shift: 7, receiptNumber: 3, fiscalSign: "0123456789" }),
});

export interface Setup {
  readonly site?: Raw;
  readonly register?: Raw;
  /** The link settings of the other register. */
  readonly link?: Raw;
}

/** Call this at the top of a test file. */
export function useSiteEvents() {
  const { open: openStores } = useStores();
  let stores: OpenStores;
  let deliveries: Deliveries;
  let withRegisters: (registers: readonly RegisterConfig[]) => SiteEvents;

  function open({ site = {}, register = {}, link }: Setup = {}): SiteEvents {
    const url = "https://shop.example/fiscal";
    const all = { orders: url, result: url, sync: url, activity: url, zreport: url, error: url };
    const some = { orders: "https://b.example", result: "https://b.example", zreport: "https://b.example" };
    const first = {
      title: "Hall, left",
      sites: ["shop", "second"],
      receiptLink: { template: "https://ofd.example/{fd}" },
    };
    const spare = { id: "spare", ...(link === undefined ? {} : { receiptLink: link }) };
    const { sites, registers } = parseRaw(
      rawConfig({
        sites: [
          { id: "shop", urls: all, ...site },
          { id: "second", urls: some },
        ],
        registers: [
          rawRegister({ connection: { kind: "tcp", host: "left" }, ...first, ...register }),
          rawRegister({ connection: { kind: "tcp", host: "right" }, ...spare }),
        ],
      }),
    );
    stores = openStores();
    const { clock, db, journal, outbox, registers: records } = stores;
    deliveries = new Deliveries();
    const tables = {
      taxes: [{ id: 1, title: "НДС 22%", vat: 11 as const }],
      paymentTypes: [{ id: 0, title: "Наличными" }],
    };
    records.save({ id: till, identity, tables, lastFd: 1, shift }, 0);
    for (const job of [1, 2, 3]) {
      db.prepare(`INSERT INTO jobs (id, source, kind, receipt, register, state, created_at, updated_at)
        VALUES (?, 'site', 'receipt', '{}', 'till', 'queued', 0, 0)`).run(job);
    }
    const parts = { sites, outbox, deliveries, records, journal, clock };
    withRegisters = (left) => new SiteEvents({ ...parts, registers: left });
    return withRegisters(registers);
  }

  function record(over: Partial<SeenRegister>): void {
    stores.registers.save({ ...given(stores.registers.find(till)), ...over, shift }, 0);
  }

  const stored = () => stores.outbox.list({}, { limit: 10, offset: 0 });
  const lastSync = () => given(stores.outbox.latest(shop, "sync"));

  function only(): StoredEvent {
    expect(stored()).toHaveLength(1);
    return given(stored()[0]);
  }

  return {
    ...{ open, record, stored, lastSync, only },
    /** The same events, with only these registers in the config. */
    withRegisters: (registers: readonly RegisterConfig[]) => withRegisters(registers),
    get stores() {
      return stores;
    },
    get outbox() {
      return stores.outbox;
    },
    get deliveries() {
      return deliveries;
    },
  };
}
