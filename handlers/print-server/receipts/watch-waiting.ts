/** Warns of receipts that no print server asks for: a mistyped kkm, a till that is off, a lost daemon database. */
import type { Timer } from "@fiscald/shared/clock.js";
import type { Selectable } from "kysely";
import type { PrintCallers } from "../print-callers.js";
import { NEVER, type ReceiptState, type ReceiptTables, type ShopReceipts, selectReceipts } from "../receipt-tables.js";

/** Every node then writes down who has asked it. */
const LOOK_EVERY_MS = 30_000;
const UNASKED_MS = 60_000;
const LEASE_MS = 10 * 60_000;
const NAMED_CALLERS = 5;

type Caller = Selectable<ReceiptTables["print_callers"]>;

/** Receipts in one state that wait for the same kkm and holder. */
interface Waiting {
  readonly state: ReceiptState;
  readonly kkm: string | null;
  readonly holder: string | null;
  readonly count: number;
  readonly since: number;
}

/** Warns once for each kkm and holder, and once more if a caller has asked in between. */
export function watchWaiting({ store, resource, clock, logger }: ShopReceipts, { writePolled }: PrintCallers) {
  const warned = new Set<string>();
  let timer: Timer | null = null;
  let looking: Promise<void> = Promise.resolve();

  function schedule(): void {
    timer = clock.setTimer(LOOK_EVERY_MS, onTime, { keepsAlive: false });
  }

  function onTime(): void {
    looking = look()
      .then(() => warned.delete("trouble"))
      .catch((fault: unknown) => {
        if (isFirst("trouble", true)) logger.warn("cannot look for receipts that wait", { fault });
      })
      .then(() => {
        if (timer !== null) schedule();
      });
  }

  async function look(): Promise<void> {
    const now = clock.now();
    await writePolled();
    const find = store.db.selectFrom("print_callers").selectAll().where("resource", "=", resource);
    const callers = await find.orderBy("polled_at", "desc").execute();
    const rows = await selectReceipts(store.db, { resource })
      .select(["state", "kkm", "holder"])
      .select(({ fn }) => [fn.countAll().as("count"), fn.min("created_at").as("since")])
      .where("state", "in", ["queued", "handed"])
      .where("offer_due", "<", NEVER)
      .groupBy(["state", "kkm", "holder"])
      .execute();
    for (const row of rows) warnOf({ ...row, count: Number(row.count), since: Number(row.since) }, callers, now);
  }

  function warnOf({ state, kkm, holder, count, since }: Waiting, callers: readonly Caller[], now: number): void {
    const isQueued = state === "queued";
    const isMeant = (caller: Caller) =>
      (holder === null || caller.holder === holder) && (!isQueued || kkm === null || caller.kkm === kkm);
    /** When a caller for these receipts last asked, ms; 0 = never. */
    const asked = Number(callers.find(isMeant)?.polled_at ?? 0);
    // The holder got the receipt by a poll, so its last poll is not before `since`.
    const isLate = isQueued
      ? now - since >= UNASKED_MS && now - asked >= UNASKED_MS + LOOK_EVERY_MS
      : now - Math.max(asked, since) >= LEASE_MS;
    if (!isFirst(`${state} ${kkm} ${holder}`, isLate)) return;
    const meantFor = { kkm: kkm ?? "any", ...(holder === null ? {} : { onlyFor: holder }), receipts: count };
    if (isQueued) {
      const fields = { ...meantFor, since: timeOf(since), asked: askedOf(callers) };
      logger.warn("receipts wait for a kkm that no print server asks for", fields);
      return;
    }
    logger.warn("receipts were handed out to a print server that asks no more", {
      ...meantFor,
      lastAsked: asked === 0 ? "never" : timeOf(asked),
      hint: "start it, or see `fiscald-site receipts list --state handed` and `receipts release`",
    });
  }

  function isFirst(trouble: string, isThere: boolean): boolean {
    if (!isThere) warned.delete(trouble);
    if (!isThere || warned.has(trouble)) return false;
    warned.add(trouble);
    return true;
  }

  schedule();
  return {
    async stop(): Promise<void> {
      timer?.cancel();
      timer = null;
      await looking;
      await writePolled().catch(() => {});
    },
  };
}

function askedOf(callers: readonly Caller[]): string {
  const kkms = [...new Map(callers.toReversed().map(({ kkm, polled_at }) => [kkm, Number(polled_at)]))].reverse();
  const named = kkms.slice(0, NAMED_CALLERS).map(([kkm, at]) => `${kkm} at ${timeOf(at)}`);
  return named.length === 0 ? "no print server has asked yet" : named.join(", ");
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString();
}
