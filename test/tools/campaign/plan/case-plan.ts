/** The events of one case of the random part, as data: they follow from the seed alone. Pure. */
import type { FaultInput } from "@fiscald/emulators/faults/fault-spec.js";
import { type Seeded, seeded } from "../../../support/seeded.js";
import { kkmOf, type MakerRow } from "../processes/makers.js";
import { planFault } from "./fault-plan.js";
import { type CampaignOrder, type CashJob, itemName, makeCashJob, makeOrder, type Spelling } from "./orders.js";
import type { Story } from "./story.js";

export interface PlannedRegister {
  readonly row: MakerRow;
  readonly number: number;
  /** The daemon that drives the register; every daemon does where the plan is `shared`. */
  readonly daemon: number;
  readonly group: string | null;
  readonly orderMark: boolean;
  readonly unconfirmed: Readonly<Record<string, string>>;
}

export interface PlannedOrder {
  readonly order: CampaignOrder;
  readonly site: number;
  readonly changed: CampaignOrder | null;
  /** Default: UTF-8. */
  readonly spelling?: Spelling;
}

export interface PlannedCash {
  readonly job: CashJob;
  readonly site: number;
  readonly register: number;
}

export type Action =
  | { readonly do: "offer"; readonly order: number; readonly content: "own" | "changed" }
  | { readonly do: "cash"; readonly cash: number }
  | { readonly do: "fault"; readonly register: number; readonly faults: readonly FaultInput[]; readonly forMs: number }
  | { readonly do: "story"; readonly story: number }
  | { readonly do: "kill"; readonly daemon: number; readonly database: "kept" | "rolled-back" | "deleted" }
  /** Unflushed data is lost too: the numbered file beside the database is the earlier one, empty or missing. */
  | { readonly do: "power-cut"; readonly daemon: number; readonly number: "before" | "empty" | "missing" }
  | { readonly do: "copy-database"; readonly daemon: number }
  | { readonly do: "restart"; readonly daemon: number }
  /** Stopped for a while: another daemon that shares its registers gets its turn. */
  | { readonly do: "rest"; readonly daemon: number; readonly forMs: number }
  | OperatorAction
  /** Until then none of the daemon's registers writes order marks; this is a restart with another config. */
  | { readonly do: "switch-marks-on"; readonly daemon: number }
  | { readonly do: "freeze"; readonly daemon: number; readonly forMs: number }
  | { readonly do: "fill-disk"; readonly daemon: number; readonly forMs: number }
  | { readonly do: "a-day-passes"; readonly register: number }
  | { readonly do: "close-shift-by-hand"; readonly register: number }
  | { readonly do: "foreign-receipt"; readonly register: number; readonly receipt: ForeignReceipt }
  | { readonly do: "swap-drive"; readonly register: number; readonly fn: string }
  | { readonly do: "site-out"; readonly site: number; readonly how: "error" | "cut" | "hang"; readonly forMs: number }
  | { readonly do: "lose-answers"; readonly site: number; readonly times: number };

/** Settles unsure receipts as soon as there are any. */
export interface OperatorAction {
  readonly do: "operator";
  readonly daemon: number;
  /**
   * `honest`: looks at the paper, and names the document or says which ones he has checked. `hasty`: always answers
   * "not printed" and has checked nothing.
   */
  readonly word: "honest" | "hasty";
  readonly forMs: number;
}

export interface ForeignReceipt {
  readonly operation: "sale" | "return";
  readonly totalKopecks: number;
  readonly name: string;
}

export interface Step {
  /** The fault begins after so many results, or after a while without them. */
  readonly afterResults: number;
  readonly action: Action;
}

export interface CasePlan {
  readonly seed: number;
  /** True: two daemons poll one site that is made with the kit. False: plain sites and one daemon. */
  readonly kit: boolean;
  /** Each daemon has a site of its own, and all daemons have all registers, in turn where a register takes one host. */
  readonly shared: SharedRegisters | null;
  readonly daemons: number;
  readonly sites: number;
  readonly registers: readonly PlannedRegister[];
  readonly orders: readonly PlannedOrder[];
  readonly cash: readonly PlannedCash[];
  readonly stories: readonly Story[];
  readonly steps: readonly Step[];
}

export interface SharedRegisters {
  /** True: the second config is a copy of the first with another address, so both sites have one id. */
  readonly copiedConfig: boolean;
}

/** There are few prices, so that many receipts have equal sums. */
export const priceChoices: readonly [readonly number[], ...(readonly number[])[]] = [
  [10],
  [10, 20.5],
  [20.5, 10],
  [30.5],
  [10, 10, 10.5],
];

/** Cash beside a lost database is chosen by a random sequence of its own, so that older seeds give the same cases. */
const CASH_CHOICES = 0x5bd1e995;

/** The same for order marks that are switched on after the copy was made. */
const MARK_CHOICES = 0x9e3779b1;

export function planCase(seed: number, makers: readonly MakerRow[]): CasePlan {
  const rows = makers.filter(({ exhaustiveOnly }) => exhaustiveOnly !== true);
  const random = seeded(seed);
  const kit = random.chance(0.2);
  const daemons = kit ? 2 : 1;
  const sites = kit ? 1 : random.int(1, 2);
  const registers = planRegisters(random, rows, kit);
  const losesDatabase = !kit && random.chance(0.25);
  const planned = planOrders(random, { kit, sites, registers }, losesDatabase);
  // These choices have a random sequence of their own, so that older seeds give the same cases.
  const choices = seeded(~seed);
  const orders = losesDatabase ? changeSome(choices, planned) : planned;
  const ofCash = losesDatabase ? seeded(seed ^ CASH_CHOICES) : random;
  const cash = kit ? [] : planCash(ofCash, { sites, registers });
  const total = orders.length + cash.length;
  const offers = planOffers(random, planned);
  const changes = orders.flatMap((order, index) =>
    order === planned[index] ? [] : [offerOf(index, "changed", choices.int(0, orders.length))],
  );
  const cashOffers = cash.map((_, index): Step => {
    return { afterResults: ofCash.int(0, total - 1), action: { do: "cash", cash: index } };
  });
  const troubles = planTroubles(random, { kit, daemons, sites, registers, orders, losesDatabase });
  const switches = planSwitch(seeded(seed ^ MARK_CHOICES), registers, troubles);
  const steps = [...offers, ...changes, ...cashOffers, ...troubles, ...switches];
  return {
    seed,
    kit,
    shared: null,
    daemons,
    sites,
    registers,
    orders,
    cash,
    stories: [],
    steps: inOrder(steps),
  };
}

/** Steps of the same moment stay in the order in which they were drawn. */
export function inOrder(steps: readonly Step[]): Step[] {
  return steps.toSorted((left, right) => left.afterResults - right.afterResults);
}

function planRegisters(random: Seeded, rows: readonly MakerRow[], kit: boolean): PlannedRegister[] {
  const count = kit ? 2 : random.int(1, 3);
  const group = !kit && random.chance(0.5) ? "hall" : null;
  return Array.from({ length: count }, (_, index) => {
    const row = random.pickOf(rows);
    if (row === undefined) throw new Error("no makers");
    const unconfirmed = Object.fromEntries(
      Object.entries(row.unconfirmed).map(([name, values]) => [name, random.pickOf(values) ?? ""]),
    );
    return { row, number: index + 1, daemon: kit ? index : 0, group, orderMark: random.chance(0.75), unconfirmed };
  });
}

interface Places {
  readonly kit: boolean;
  readonly sites: number;
  readonly registers: readonly PlannedRegister[];
}

function planOrders(random: Seeded, { kit, sites, registers }: Places, losesDatabase: boolean): PlannedOrder[] {
  return Array.from({ length: random.int(4, 9) }).flatMap((_, index): PlannedOrder[] => {
    const orderId = `o${index + 1}`;
    const site = random.int(0, sites - 1);
    const kkm = random.chance(0.4) ? kkmOf(random.int(1, registers.length)) : undefined;
    const prices = random.pick(priceChoices);
    const sale = makeOrder({ orderId, operation: "sale", prices, kkm });
    const changed =
      !kit && !losesDatabase && random.chance(0.12)
        ? makeOrder({ orderId, operation: "sale", prices: [99.5], kkm })
        : null;
    const planned = { order: sale, site, changed };
    if (kit || changed !== null || random.chance(0.75)) return [planned];
    const back = makeOrder({ orderId, key: `${orderId}-back`, operation: "return", prices, kkm });
    return [planned, { order: back, site, changed: null }];
  });
}

function changeSome(random: Seeded, orders: readonly PlannedOrder[]): PlannedOrder[] {
  return orders.map((planned) => {
    const { order } = planned;
    const isSale = order.operation === "sale" && !orders.some((other) => other !== planned && isOf(order, other));
    if (!isSale || !random.chance(0.4)) return planned;
    const { orderId, kkm } = order;
    return { ...planned, changed: makeOrder({ orderId, operation: "sale", prices: [99.5], kkm }) };
  });
}

function isOf({ orderId }: CampaignOrder, { order }: PlannedOrder): boolean {
  return order.orderId === orderId;
}

/** Sums with a different total for each set of jobs, even with repeats. */
function planCash(random: Seeded, { sites, registers }: Pick<Places, "sites" | "registers">): PlannedCash[] {
  const count = random.chance(0.4) ? random.int(1, 3) : 0;
  return Array.from({ length: count }, (_, index) => {
    const register = random.int(0, registers.length - 1);
    const job = makeCashJob({
      orderId: `cash${index + 1}`,
      kkm: kkmOf(register + 1),
      direction: random.pick(["in", "out"]),
      sumKopecks: 4 ** index,
    });
    return { job, register, site: random.int(0, sites - 1) };
  });
}

function planOffers(random: Seeded, orders: readonly PlannedOrder[]): Step[] {
  return orders.flatMap(({ changed }, order): Step[] => {
    const afterResults = random.int(0, Math.max(0, Math.floor(order / 2)));
    const offer = (content: "own" | "changed", later: number) => offerOf(order, content, afterResults + later);
    const again = random.chance(0.25) ? [offer("own", random.int(1, 4))] : [];
    return [offer("own", 0), ...(changed === null ? [] : [offer("changed", random.int(0, 3))]), ...again];
  });
}

export function offerOf(order: number, content: "own" | "changed", afterResults: number): Step {
  return { afterResults, action: { do: "offer", order, content } };
}

interface TroublePlaces extends Places {
  readonly daemons: number;
  readonly orders: readonly PlannedOrder[];
  readonly losesDatabase: boolean;
}

function planTroubles(random: Seeded, places: TroublePlaces): Step[] {
  const last = places.orders.length - 1;
  const some = Array.from({ length: random.int(2, 6) }, (): Step => {
    return { afterResults: random.int(0, last), action: planTrouble(random, places) };
  });
  if (!places.losesDatabase) return some;
  // With both, orders would wait until a person accepts the register.
  return [...some.filter(({ action }) => action.do !== "swap-drive"), ...planLoss(random, places)];
}

function planLoss(random: Seeded, { registers, orders }: TroublePlaces): Step[] {
  const at = random.int(1, orders.length - 1);
  // Without marks the earlier documents of a register that is seen for the first time prove nothing.
  if (registers.every(({ orderMark }) => orderMark) && random.chance(0.4)) {
    return [{ afterResults: at, action: { do: "kill", daemon: 0, database: "deleted" } }];
  }
  return [
    { afterResults: random.int(0, at - 1), action: { do: "copy-database", daemon: 0 } },
    { afterResults: at, action: { do: "kill", daemon: 0, database: "rolled-back" } },
  ];
}

/** Between the copy and the kill that puts the copy back. */
function planSwitch(random: Seeded, registers: readonly PlannedRegister[], troubles: readonly Step[]): Step[] {
  const at = (fits: (action: Action) => boolean) => troubles.find(({ action }) => fits(action))?.afterResults ?? null;
  const copied = at((action) => action.do === "copy-database");
  const putBack = at((action) => action.do === "kill" && action.database === "rolled-back");
  const hasMarks = registers.some(({ orderMark }) => orderMark);
  if (copied === null || putBack === null || !hasMarks || !random.chance(0.4)) return [];
  return [{ afterResults: random.int(copied, putBack - 1), action: { do: "switch-marks-on", daemon: 0 } }];
}

/** From the register's first receipt to its last. */
export function alwaysWritesMarks({ steps }: CasePlan, { orderMark }: PlannedRegister): boolean {
  return orderMark && steps.every(({ action }) => action.do !== "switch-marks-on");
}

function planTrouble(random: Seeded, { registers, sites, daemons, orders }: TroublePlaces): Action {
  const register = random.int(0, registers.length - 1);
  const daemon = random.int(0, daemons - 1);
  const site = random.int(0, sites - 1);
  const forMs = random.int(20, 400);
  const kind = random.int(1, 100);
  if (kind <= 50) {
    const faults = Array.from({ length: random.chance(0.3) ? 2 : 1 }, () => planFault(random));
    return { do: "fault", register, faults, forMs: random.int(100, 700) };
  }
  if (kind <= 66) return { do: "kill", daemon, database: "kept" };
  if (kind <= 70) return { do: "restart", daemon };
  if (kind <= 74) return { do: "freeze", daemon, forMs };
  if (kind <= 78) return { do: "fill-disk", daemon, forMs };
  if (kind <= 81) return { do: "a-day-passes", register };
  if (kind <= 83) return { do: "close-shift-by-hand", register };
  if (kind <= 90) return { do: "foreign-receipt", register, receipt: planForeign(random, orders) };
  if (kind <= 92) return { do: "swap-drive", register, fn: `99990789009${random.int(10_000, 99_999)}` };
  if (kind <= 97) return { do: "site-out", site, how: random.pick(["error", "cut", "hang"]), forMs };
  return { do: "lose-answers", site, times: random.int(1, 3) };
}

/** The sum of a planned order, and sometimes its only line too. */
function planForeign(random: Seeded, orders: readonly PlannedOrder[]): ForeignReceipt {
  const { order } = orders[random.int(0, orders.length - 1)] ?? { order: null };
  if (order === null) throw new Error("a case without orders");
  const { operation, totalKopecks, prices, label } = order;
  const isTwin = prices.length === 1 && random.chance(0.3);
  return { operation, totalKopecks, name: isTwin ? itemName(label, 0) : "Чужой товар" };
}
