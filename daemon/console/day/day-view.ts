/** Compares the day's sums with the registers' own counters, and its orders with documents and results. */
import { formatRoubles, type Kopecks, kopecks, sumKopecks } from "@fiscald/shared/amounts.js";
import { toFnSerial, toOrderId } from "@fiscald/shared/ids.js";
import { plainSign } from "@fiscald/shared/receipt/repeats/repeat-decision.js";
import type { ShiftClosing } from "../../store/day-facts.js";
import { jobBefore, repairOf } from "../../store/journal.js";
import type { ConsoleParts } from "../console-parts.js";
import { titlesOf } from "../troubles/found.js";
import { unreadSince } from "../troubles/gather-facts.js";
import { RISK_PERCENT, shareOfRisk } from "../troubles/risk-troubles.js";
import { isoTime } from "../views.js";
import { type DayBounds, type DayReceipt, readDayReceipts } from "./day-receipts.js";

export type DayView = Awaited<ReturnType<typeof dayView>>;
export type Reconciliation = DayView["reconciliation"];

export type NamedReceipt = ReturnType<typeof nameOf>;

type DayParts = Pick<ConsoleParts, "jobs" | "journal" | "dayFacts" | "snapshots" | "clock">;

/** The page shows this many rows of each list. The CSV has all rows. */
const SHOWN = 100;
const DAY_MS = 24 * 3_600_000;
/** Unreadable answers of the day that are looked through, the newest first. */
const MOST_UNREAD = 1_000;

export async function dayView(parts: DayParts, day: DayBounds) {
  const receipts = await readDayReceipts(parts, day);
  const printed = receipts.filter(({ state }) => state === "printed");
  const hours = Array.from({ length: 24 }, () => 0);
  for (const { document } of printed) {
    const hour = Number(document?.time.slice(11, 13) ?? Number.NaN);
    const count = hours[hour];
    if (count !== undefined) hours[hour] = count + 1;
  }
  const { shifts, differs } = shiftSums(parts, day);
  const lists = reconcile(receipts, parts, day);
  const titles = titlesOf(parts.snapshots());
  return {
    at: isoTime(parts.clock.now()),
    day: day.day,
    receipts: printed.length,
    sales: countedSum(printed.filter(({ operation }) => operation === "sale")),
    returns: countedSum(printed.filter(({ operation }) => operation === "return")),
    payments: paymentSums(printed),
    shifts,
    /** No receipt is missing, doubled, unreported or without an order, and the sums of closed shifts agree. */
    reconciliation: { ...lists, isSound: isSound(lists) && !differs },
    /** Receipts in each hour of the day, by the registers' clocks. */
    hours,
    /** The last 30 days on each register, in percent, for the signs of risk (54-fz 19). */
    months: parts.dayFacts.lastMonth(parts.clock.now(), true).map((month) => ({
      ...shareOfRisk(month),
      risk: RISK_PERCENT,
      register: titles.get(month.register) ?? month.register,
    })),
  };
}

function countedSum(receipts: readonly DayReceipt[]) {
  return { count: receipts.length, sum: formatRoubles(sumKopecks(receipts.map(({ total }) => total))) };
}

/** Types of payment (54-fz 5): 0 cash, 1 electronic, 2 prepayment, 3 credit, 4 another form. */
function paymentSums(printed: readonly DayReceipt[]) {
  const types = [...new Set(printed.flatMap(({ payments }) => [...payments.keys()]))].sort((a, b) => a - b);
  return types.map((type) => {
    const sumOf = (wanted: DayReceipt["operation"]) =>
      formatRoubles(
        sumKopecks(
          printed.flatMap(({ operation, payments }) => (operation === wanted ? (payments.get(type) ?? []) : [])),
        ),
      );
    return { type, sales: sumOf("sale"), returns: sumOf("return") };
  });
}

/** The shifts that are open or were closed on this day; if there is none, the last shift that was closed before. */
function shiftSums(parts: DayParts, { from, before }: DayBounds) {
  const { dayFacts } = parts;
  const titles = titlesOf(parts.snapshots());
  const oursOf = (fn: string, shift: number) => {
    const { sales, returns } = parts.jobs.sumOfShift(toFnSerial(fn), shift);
    return { sales, returns, cash: kopecks(dayFacts.cashOfShift(fn, shift)) };
  };
  const closedShift = ({ job, register, fn, shift, at, totals, drawer }: ShiftClosing) => {
    const ours = oursOf(fn, shift);
    return {
      ...{ register: titles.get(register) ?? register, shift, closedAt: isoTime(at), report: job },
      ours: { ...inRoubles(ours), cash: formatRoubles(ours.cash) },
      /** The cash in the drawer by the register's own counter, at the closing or now; null: it is not reported. */
      drawer: drawer === null ? null : formatRoubles(kopecks(drawer)),
      /** The register's own counters just before the closing; null: the shift is open, or there are no counters. */
      counted: totals === null ? null : inRoubles(totals),
      differs: totals !== null && (totals.sales !== ours.sales || totals.returns !== ours.returns),
    };
  };
  const closings = dayFacts.closings(from, before);
  const closed = closings.map(closedShift);
  const registers = parts.snapshots();
  const earlier = registers.flatMap(({ settings: { id } }) => {
    const last = closings.some(({ register }) => register === id) ? null : dayFacts.lastClosing(id, from);
    return last === null ? [] : [closedShift(last)];
  });
  const open = registers.flatMap(({ settings, state }) => {
    if (state === null || state.shift.state === "closed") return [];
    const ours = oursOf(state.fn, state.shift.number);
    return [
      {
        ...{ register: settings.title, shift: state.shift.number, closedAt: null, report: null },
        ours: { ...inRoubles(ours), cash: formatRoubles(ours.cash) },
        drawer: state.drawer === null ? null : formatRoubles(state.drawer.cash),
        ...{ counted: null, differs: false },
      },
    ];
  });
  // A difference in a shift that was closed on an earlier day counts on the earlier day.
  return { shifts: [...earlier, ...closed, ...open], differs: closed.some((shift) => shift.differs) };
}

function inRoubles({ sales, returns }: { readonly sales: Kopecks; readonly returns: Kopecks }) {
  return { sales: formatRoubles(sales), returns: formatRoubles(returns) };
}

function reconcile(receipts: readonly DayReceipt[], { jobs, journal, dayFacts, snapshots }: DayParts, day: DayBounds) {
  const printed = receipts.filter(({ state }) => state === "printed");
  // A receipt of more than seven days before or after is of another order, as some sites use their numbers again.
  const printedOf = ({ site, order, operation, at }: DayReceipt) =>
    jobs.findByOrder(site, order).filter((one) => {
      const isSame = one.receipt.kind === "receipt" && one.receipt.operation === operation;
      return isSame && one.state === "printed" && Math.abs(one.updatedAt - at) < 7 * DAY_MS;
    });
  // A refused order that was offered again with other content is not missing, because its receipt is printed.
  const isRepeat = (one: DayReceipt) => one.state === "refused" && printedOf(one).length > 0;
  // A missed order that was corrected is not missing: its correction is listed on the day of the correction.
  const isCorrected = ({ job, state }: DayReceipt) => {
    const repair = state === "failed" || state === "refused" ? repairOf(journal, { id: job }) : null;
    return repair?.of === job && repair.jobs.some((id) => jobs.stateOf(id) !== "cancelled");
  };
  const takenBack = new Set(
    printed.flatMap(({ operation, fixes }) => (operation === "return" && fixes !== null ? plainSign(fixes) : [])),
  );
  const isTakenBack = ({ job, document }: DayReceipt) => {
    const repair = repairOf(journal, { id: job });
    const [first] = repair?.of === job && repair.case !== "missed" ? repair.jobs : [];
    if (first !== undefined && jobs.stateOf(first) === "printed") return true;
    return document !== null && takenBack.has(plainSign(document.fiscalSign));
  };
  // A repair prints a return and then the right receipt, which the buyer lacks until it or a later one is printed.
  const isMissing = (one: DayReceipt) => {
    const { job, state } = one;
    const before = state === "cancelled" ? jobBefore(journal, { id: job }) : null;
    if (before === null) return state !== "printed" && state !== "cancelled";
    return jobs.stateOf(before) === "printed" && printedOf(one).every(({ id }) => id < job);
  };
  const ordered = receipts.filter((one) => one.site !== null && !isRepeat(one) && !isCorrected(one));
  const titles = titlesOf(snapshots());
  const titleIn = (register: string) => titles.get(register) ?? register;
  return {
    orders: ordered.length,
    documents: printed.length,
    results: receipts.filter(({ result }) => result === "delivered").length,
    missing: named(ordered.filter(isMissing)).map((one) => ({ ...one, register: titleIn(one.register) })),
    unread: unreadOrders({ jobs, journal }, day),
    undelivered: named(printed.filter(({ result }) => result === "pending" || result === "refused")),
    doubled: doubled(printed.filter((one) => !isTakenBack(one))).slice(0, SHOWN),
    /** Receipts and corrections in a register's drive that belong to no order. */
    unowned: dayFacts
      .unownedReceipts(day)
      .slice(0, SHOWN)
      .map(({ register, fd, total }) => ({
        ...{ register: titleIn(register), fd },
        total: total === null ? null : formatRoubles(kopecks(total)),
      })),
  };
}

function isSound({ missing, unread, undelivered, doubled, unowned }: ReturnType<typeof reconcile>): boolean {
  return [missing, unread, undelivered, doubled, unowned].every((list) => list.length === 0);
}

/**
 * Orders that came on this day, could not be read, and did not come later in a form that can be read. The order is
 * empty where its number could not be read either.
 */
function unreadOrders({ jobs, journal }: Pick<DayParts, "jobs" | "journal">, { from, before }: DayBounds) {
  const orders = unreadSince(journal, from, MOST_UNREAD, before).filter(({ isOrder, site, order, at }) => {
    if (!isOrder || order === "") return isOrder;
    return jobs.findByOrder(site, toOrderId(order)).every(({ state, createdAt, updatedAt }) => {
      return createdAt < at && (state !== "printed" || updatedAt < at);
    });
  });
  const byName = new Map(orders.map(({ site, order }) => [`${site} ${order}`, { site, order }]));
  return [...byName.values()].slice(0, SHOWN);
}

function named(receipts: readonly DayReceipt[]) {
  return receipts
    .slice(0, SHOWN)
    .map((receipt) => nameOf(receipt, receipt.document === null ? [] : [receipt.document.fd]));
}

function nameOf(receipt: DayReceipt, fds: readonly number[]) {
  const { job, order, what, total, state, site, register, paidOn, why } = receipt;
  const mayDecide = state === "held" || state === "failed" || state === "refused";
  return { job, order, what, total: formatRoubles(total), fds, mayDecide, site, register, paidOn, why };
}

/** Finds printed receipts with the same order, receipt, direction and sum, none of which puts another one right. */
function doubled(printed: readonly DayReceipt[]): readonly NamedReceipt[] {
  const groups = new Map<string, DayReceipt[]>();
  for (const receipt of printed) {
    const { site, order, receiptId, operation, total, fixes } = receipt;
    const key = JSON.stringify([site, order, receiptId, operation, total, fixes]);
    groups.set(key, [...(groups.get(key) ?? []), receipt]);
  }
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    const fds = group.flatMap(({ document }) => document?.fd ?? []);
    // A person cannot return more than is left, so equal returns by a person are returns of several goods.
    const isSound = group.length === 1 || group.every(({ isPersonsReturn }) => isPersonsReturn);
    return first === undefined || isSound ? [] : [nameOf(first, fds)];
  });
}
