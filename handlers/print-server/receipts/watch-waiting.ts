/** Receipts that wait for a caller that does not ask: a mistyped kkm, a till that is off, a lost daemon database. */
import type { Timer } from "@fiscald/shared/clock.js";
import type { Selectable } from "kysely";
import { NOTED_EVERY_MS } from "../print-callers.js";
import { NEVER, type ReceiptTables, type ShopReceipts } from "./receipt-tables.js";

const LOOK_EVERY_MS = 30_000;
const UNASKED_MS = 60_000;
const LEASE_MS = 10 * 60_000;
const NAMED_CALLERS = 5;

type Caller = Selectable<ReceiptTables["print_callers"]>;

interface Waiting {
  readonly kkm: string | null;
  readonly holder: string | null;
  readonly count: number;
  /** When the oldest of them was enqueued, ms. */
  readonly since: number;
}

/** Warns once for each kkm and each holder, and again if a caller has asked in between. */
export function watchWaiting({ store, resource, clock, logger }: ShopReceipts) {
  const warned = new Set<string>();
  let timer: Timer | null = null;
  let looking: Promise<void> = Promise.resolve();

  function schedule(): void {
    timer = clock.setTimer(LOOK_EVERY_MS, onTime, { keepsAlive: false });
  }

  function onTime(): void {
    looking = look()
      .then(() => warned.delete("trouble"))
      .catch((fault: unknown) =>
        warnOnce("trouble", true, () => logger.warn("cannot look for receipts that wait", { fault })),
      )
      .then(() => {
        if (timer !== null) schedule();
      });
  }

  async function look(): Promise<void> {
    const now = clock.now();
    const callers = await store.db
      .selectFrom("print_callers")
      .selectAll()
      .where("resource", "=", resource)
      .orderBy("polled_at", "desc")
      .execute();
    for (const queued of await waiting("queued")) warnOfQueued(queued, callers, now);
    for (const leased of await waiting("handed")) warnOfLeased(leased, callers, now);
  }

  async function waiting(state: "queued" | "handed"): Promise<readonly Waiting[]> {
    const rows = await store.db
      .selectFrom("print_receipts")
      .select(["kkm", "holder"])
      .select(({ fn }) => [fn.countAll().as("count"), fn.min("created_at").as("since")])
      .where("resource", "=", resource)
      .where("state", "=", state)
      .where("offer_due", "<", NEVER)
      .groupBy(["kkm", "holder"])
      .execute();
    return rows.map((row) => ({ ...row, count: Number(row.count), since: Number(row.since) }));
  }

  function warnOfQueued(queued: Waiting, callers: readonly Caller[], now: number): void {
    const { kkm, holder, count, since } = queued;
    const asked = lastAskedBy(callers, (caller) => isMeantFor(caller, queued));
    const isLate = now - since >= UNASKED_MS && now - asked >= UNASKED_MS + NOTED_EVERY_MS;
    warnOnce(`queued ${kkm} ${holder}`, isLate, () =>
      logger.warn("receipts wait for a kkm that no print server asks for", {
        kkm: kkm ?? "any",
        ...(holder === null ? {} : { onlyFor: holder }),
        receipts: count,
        since: timeOf(since),
        asked: askedOf(callers),
      }),
    );
  }

  function warnOfLeased({ kkm, holder, count, since }: Waiting, callers: readonly Caller[], now: number): void {
    const asked = lastAskedBy(callers, (caller) => caller.holder === holder);
    // Handed out at a poll of its holder: the lease is at least as old as that.
    const isLate = now - Math.max(asked, since) >= LEASE_MS;
    warnOnce(`handed ${kkm} ${holder}`, isLate, () =>
      logger.warn("receipts were handed out to a print server that asks no more", {
        holder,
        kkm: kkm ?? "any",
        receipts: count,
        lastAsked: asked === 0 ? "never" : timeOf(asked),
        hint: "start it, or see `fiscald-site receipts list --state handed` and `receipts release`",
      }),
    );
  }

  function warnOnce(key: string, isLate: boolean, warn: () => void): void {
    if (!isLate) warned.delete(key);
    else if (!warned.has(key)) {
      warned.add(key);
      warn();
    }
  }

  schedule();
  return {
    async stop(): Promise<void> {
      timer?.cancel();
      timer = null;
      await looking;
    },
  };
}

function isMeantFor(caller: Caller, { kkm, holder }: Waiting): boolean {
  return (kkm === null || caller.kkm === kkm) && (holder === null || caller.holder === holder);
}

/** 0 = never. */
function lastAskedBy(callers: readonly Caller[], isOne: (caller: Caller) => boolean): number {
  return Number(callers.find(isOne)?.polled_at ?? 0);
}

function askedOf(callers: readonly Caller[]): string {
  const kkms = [...new Map(callers.toReversed().map(({ kkm, polled_at }) => [kkm, Number(polled_at)]))].reverse();
  if (kkms.length === 0) return "no print server has asked yet";
  return kkms
    .slice(0, NAMED_CALLERS)
    .map(([kkm, at]) => `${kkm} at ${timeOf(at)}`)
    .join(", ");
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString();
}
