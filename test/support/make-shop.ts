/** A site's intake with the real database, outbox and operator's actions, without registers and network. */

import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { parseConfig } from "@fiscald/daemon/config/load-config.js";
import type { AcceptResult } from "@fiscald/daemon/intake/intake-parts.js";
import { OperatorReturns } from "@fiscald/daemon/intake/operator-return.js";
import { storesOf } from "@fiscald/daemon/open-stores.js";
import { OperatorActions } from "@fiscald/daemon/registers/operator/operator-actions.js";
import { Deliveries } from "@fiscald/daemon/sites/deliveries.js";
import { SiteEvents } from "@fiscald/daemon/sites/site-events.js";
import { openDatabase } from "@fiscald/daemon/store/database/open-database.js";
import { issuersOf } from "@fiscald/daemon/store/issuers.js";
import { isForSite } from "@fiscald/daemon/store/job.js";
import { silentLogger } from "@fiscald/shared/logger.js";
import { createFakeClock } from "./fake-clock.js";
import { answerOf, type IntakeParts, makeIntake, polledRegister } from "./make-intake.js";
import { makeDocument } from "./make-job.js";
import { useTempFolder } from "./temp-folder.js";
import { createTestLogger } from "./test-logger.js";

export interface Line {
  readonly name: string;
  readonly price: number;
  readonly quantity?: number;
  readonly paymentMode?: number;
  readonly tax?: number;
}

export interface ShopOrder {
  /** Null: the order has no number. */
  readonly orderId?: string | number | null;
  readonly receiptId?: string | undefined;
  readonly kkm?: string;
  readonly back?: boolean;
  readonly lines: readonly Line[];
  /** The order is paid with an earlier prepayment. */
  readonly offset?: boolean;
  readonly contact?: string;
  /** The buyer pays on the site. */
  readonly isInternet?: boolean;
}

export type Shop = ReturnType<typeof openShop>;

export interface SiteOfShop {
  readonly isKit?: boolean;
  readonly tellOperatorReturns?: boolean;
  readonly resultExtras?: boolean;
}

/** Opens shops. After each test they are closed and their databases removed. To be called at the top of a test file. */
export function useShops() {
  const opened: Shop[] = [];
  afterEach(() => {
    for (const shop of opened.splice(0)) shop.close();
  });
  const folder = useTempFolder();
  return (over: IntakeParts = {}, site: SiteOfShop = {}, name = "shop"): Shop => {
    const shop = openShop(join(folder(), `${name}.sqlite`), over, site);
    opened.push(shop);
    return shop;
  };
}

export function openShop(path: string, over: IntakeParts = {}, { isKit = false, ...ofSite }: SiteOfShop = {}) {
  const clock = createFakeClock();
  const database = openDatabase({ path, clock, log: silentLogger, pid: process.pid });
  const stores = storesOf(database.db);
  const { jobs, journal, outbox, registers: records } = stores;
  const urls = { orders: "https://shop.example/", result: "https://shop.example/" };
  const register = { id: polledRegister, driver: "reference", connection: { kind: "tcp", host: "x" }, sites: ["shop"] };
  const raw = { version: 1, sites: [{ id: "shop", urls, ...ofSite }], registers: [register] };
  const { sites, registers } = parseConfig(JSON.stringify(raw), "c", { folder: "/", env: {}, readFile: () => "" });
  const deliveries = new Deliveries();
  const events = new SiteEvents({ sites, registers, outbox, deliveries, records, journal, clock });
  const log: string[] = [];
  let isShiftOpen = true;
  const intake = makeIntake({
    ...{ jobs, journal, clock, oversights: stores.oversights },
    events: {
      addRefusal: (refusal) => events.addRefusal(refusal),
      addFormatError: (report) => events.addFormatError(report),
      resendResult: (job) => events.resendResult(job),
      told: (job, count) => events.told(job, count),
    },
    isInOpenShift: () => isShiftOpen,
    log: createTestLogger((line) => log.push(line)),
    ...over,
  });
  const actions = new OperatorActions({
    ...{ stores, events, clock, log: silentLogger, newDigits: () => "feedc0de", hasKit: () => false, wake: () => {} },
    fleet: {
      snapshots: () => [],
      issuers: issuersOf(new Map()),
      get: () => {
        throw new Error("this shop has no register");
      },
    },
  });
  const returns = new OperatorReturns({
    ...{ jobs, journal, sites, registers, clock, newId: randomUUID, hasKit: () => isKit, wake: () => {} },
  });
  let fd = 100;

  function deliver(): void {
    for (;;) {
      const events = outbox.list({ state: "pending" }, { limit: 1, offset: 0 });
      if (events.length === 0) return;
      for (const event of events) {
        deliveries.note(event.id);
        outbox.markDelivered(event, clock.now());
      }
    }
  }

  function printAll(): void {
    for (const { id } of jobs.queue()) {
      jobs.claim(id, polledRegister, clock.now());
      fd += 1;
      jobs.markPrinted(id, makeDocument({ fd, fiscalSign: String(fd) }), clock.now());
      const job = jobs.get(id);
      if (isForSite(job)) events.result(job, "printed");
    }
  }

  function offer(order: ShopOrder, { kit = false, asked = deliveries.count } = {}): AcceptResult {
    const body = { response: { ...namesOf(order), taskTable: tableOf(order) } };
    return intake.accept(answerOf(body, { askedAt: clock.now(), leases: kit, deliveries: asked }));
  }

  /** `body` may be any answer of the site. */
  function take(body: object): AcceptResult {
    return intake.accept(answerOf(body, { askedAt: clock.now(), deliveries: deliveries.count }));
  }

  return {
    ...{ take, ...stores, clock, deliveries, events, actions, returns, log, deliver, printAll, offer },
    closeShift: () => {
      isShiftOpen = false;
    },
    /** Prints the order and reports its result. */
    sell(order: ShopOrder, how?: Parameters<typeof offer>[1]): void {
      offer(order, how);
      printAll();
      deliver();
    },
    /** The last message to the site about each job. */
    told: () =>
      outbox
        .list({}, { limit: 100, offset: 0 })
        .filter(({ kind }) => kind === "result")
        .map(({ job, body, state }): Readonly<Record<string, unknown>> => ({ job, state, ...body }))
        .reverse(),
    decisions: () => jobs.list({ state: "refused", missingSince: 0, limit: 10 }).map(({ id }) => id),
    printed: () => jobs.list({ state: "printed", limit: 100 }).length,
    close: () => database.close(),
  };
}

function namesOf({ orderId = "A-1", receiptId, kkm, isInternet }: ShopOrder) {
  return {
    ...(kkm === undefined ? {} : { kkm }),
    ...(orderId === null ? {} : { orderId }),
    ...(receiptId === undefined ? {} : { receiptId }),
    ...(isInternet === true ? { isInternetPayment: true, internetPaymentUrl: "https://shop.example" } : {}),
  };
}

function tableOf({ back = false, lines, offset = false, contact }: ShopOrder) {
  const summ = lines.reduce((sum, { price, quantity = 1 }) => sum + price * quantity, 0);
  return [
    { data: "", type: back ? "OpenCheckReturn" : "OpenCheckSell" },
    ...lines.map(({ name, price, quantity = 1, paymentMode = 4, tax = 1 }) => ({
      data: name,
      type: back ? "Return" : "Registration",
      param: { price, quantity, tax, paymentMode },
    })),
    { data: "", type: "Payment", param: { summ, typeClose: offset ? 2 : 1 } },
    ...(contact === undefined ? [] : [{ data: contact, type: "ClientContact" }]),
    { data: "", type: "CloseCheck" },
  ];
}
