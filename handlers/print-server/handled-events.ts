/** Remembers the events that the site has handled: in the database for all nodes, or in the memory of one process. */
import { Fault } from "@fiscald/shared/fault.js";
import type { HandleOnce } from "./print-events.js";
import type { ShopReceipts } from "./receipt-tables.js";

/** A node that has not finished its callback after this time counts as crashed, and another node handles the event. */
const CLAIM_MS = 60_000;
const KEPT_MS = 90 * 86_400_000;
const PURGE_EVERY_MS = 3_600_000;

/** Fault `call.late` while another node handles the event; the print server then repeats the call. */
export function createHandledEvents({ store, resource, clock }: ShopReceipts): HandleOnce {
  let purgedAt = Number.NEGATIVE_INFINITY;

  async function claim(event: string): Promise<boolean> {
    const now = clock.now();
    const { numInsertedOrUpdatedRows } = await store.transaction((tx) =>
      tx
        .insertInto("print_events")
        .values({ resource, event, claimed_at: now, handled: 0 })
        .onConflict((conflict) =>
          conflict
            .columns(["resource", "event"])
            .doUpdateSet({ claimed_at: now })
            .where("print_events.handled", "=", 0)
            .where("print_events.claimed_at", "<=", now - CLAIM_MS),
        )
        .executeTakeFirstOrThrow(),
    );
    return (numInsertedOrUpdatedRows ?? 0n) > 0n;
  }

  async function isHandled(event: string): Promise<boolean> {
    const row = await store.db
      .selectFrom("print_events")
      .select("handled")
      .where((is) => is.and({ resource, event }))
      .executeTakeFirst();
    return row?.handled === 1;
  }

  function finish(event: string): Promise<unknown> {
    return store.transaction((tx) =>
      tx
        .updateTable("print_events")
        .set({ handled: 1 })
        .where((is) => is.and({ resource, event }))
        .execute(),
    );
  }

  function giveBack(event: string): Promise<unknown> {
    return store.transaction((tx) =>
      tx
        .deleteFrom("print_events")
        .where((is) => is.and({ resource, event, handled: 0 }))
        .execute(),
    );
  }

  async function purge(): Promise<void> {
    if (clock.monotonic() - purgedAt < PURGE_EVERY_MS) return;
    purgedAt = clock.monotonic();
    await store.transaction((tx) =>
      tx
        .deleteFrom("print_events")
        .where("claimed_at", "<", clock.now() - KEPT_MS)
        .execute(),
    );
  }

  return async (event, handle) => {
    if (event === null) return handle();
    await purge();
    if (!(await claim(event))) {
      if (await isHandled(event)) return;
      throw new Fault("call.late", { message: "The site is still handling this event." });
    }
    try {
      await handle();
    } catch (error) {
      // If the event cannot be released, its claim expires after `CLAIM_MS`.
      await giveBack(event).catch(() => {});
      throw error;
    }
    await finish(event);
  };
}

const MOST_REMEMBERED = 1000;

/** A repeat gets the outcome of the first call. After a restart an event may be handled a second time. */
export function onceInMemory(): HandleOnce {
  const handled = new Map<string, Promise<void>>();
  return (event, handle) => {
    if (event === null) return handle();
    const known = handled.get(event);
    if (known !== undefined) return known;
    const handling = handle();
    handled.set(event, handling);
    // A failed call is forgotten, so that its repeat is handled.
    handling.catch(() => handled.delete(event));
    const [oldest] = handled.keys();
    if (handled.size > MOST_REMEMBERED && oldest !== undefined) handled.delete(oldest);
    return handling;
  };
}
