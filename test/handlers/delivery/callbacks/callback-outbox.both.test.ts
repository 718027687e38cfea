/** How the sender uses the database while many callbacks wait. */
import { silentLogger } from "@fiscald/shared/logger.js";
import { jest } from "@jest/globals";
import { CompiledQuery, sql } from "kysely";
import { callbackOutbox } from "#handlers/delivery/callbacks/callback-outbox.js";
import { giveUpAfterMs } from "#handlers/delivery/callbacks/deliver-callbacks.js";
import { keyText } from "#handlers/delivery/orders/rows.js";
import type { DeliveryStore, Writer } from "#handlers/delivery/store/delivery-store.js";
import { onStatements } from "../../../support/count-statements.js";
import { newOrder } from "../delivery-world.js";
import { describeOnBothStores } from "../use-world.js";
import { useCallbackWorld } from "./callback-world.js";

const fromAll = new Set<string>();
/** More callbacks than one list of the sender has. */
const MANY = 600;

describeOnBothStores("the outbox of callbacks", (newDatabase) => {
  const used = useCallbackWorld(newDatabase);
  afterEach(() => jest.restoreAllMocks());

  const openOutbox = (store: DeliveryStore) =>
    callbackOutbox({ store, clock: used.clock, logger: silentLogger }, giveUpAfterMs);

  /** Adds callbacks of the orders numbered from `first`, which need not exist. The running sender is not woken for them. */
  async function addMany(first: number, state: "fresh" | "delivered"): Promise<void> {
    const now = used.clock.now();
    const resource = used.shop.access.resource.id;
    const rows = Array.from({ length: MANY }, (_, position) => {
      const subject = keyText({ orderId: `${first + position}`, isRefund: false });
      const fixed = { kind: "order", webhook_id: null, sequence: null, body: null, attempts: 0, claimed_until: 0 };
      const times = { due_at: now + position, created_at: now, last_error: null, causes: null };
      return { ...fixed, ...times, resource, subject, lane: `order:${resource}:${subject}`, state };
    });
    await used.store().transaction((tx) => tx.insertInto("delivery_outbox").values(rows).execute());
  }

  test("callbacks that are sent side by side are taken and recorded in one transaction after the other", async () => {
    const orderIds = [1, 2, 3, 4, 5, 6, 7, 8];
    await used.shop.post(
      "/orders",
      orderIds.map((orderId) => newOrder({ orderId })),
    );
    let [running, most, count] = [0, 0, 0];
    const counted: DeliveryStore = {
      ...used.store(),
      async transaction<T>(work: (tx: Writer) => Promise<T>) {
        running += 1;
        count += 1;
        most = Math.max(most, running);
        const end = () => {
          running -= 1;
        };
        return used.store().transaction(work).finally(end);
      },
    };
    const outbox = openOutbox(counted);
    const send = async (head: Parameters<typeof outbox.take>[0]) => {
      const taken = await outbox.take(head);
      if (taken !== null) await outbox.delivered(taken);
    };
    await Promise.all((await outbox.heads(8, fromAll)).map(send));
    expect(count).toBeGreaterThanOrEqual(2 * orderIds.length);
    expect(most).toBe(1);
  });

  test("a list of many waiting callbacks is read by two indexes without a sort, even if the statistics of PostgreSQL know of none", async () => {
    await addMany(1, "delivered");
    if (used.store().kind === "postgres") await sql`analyze delivery_outbox`.execute(used.store().db);
    await addMany(1 + MANY, "fresh");
    const statements: CompiledQuery[] = [];
    const { db, kind } = used.store();
    const list = () => openOutbox(used.store()).heads(1, fromAll);
    await onStatements(db.getExecutor(), (query) => statements.push(query), list);
    const [query] = statements.filter((one) => one.sql.includes("earlier"));
    const explain = kind === "postgres" ? "explain" : "explain query plan";
    const { rows } = await db.executeQuery(
      CompiledQuery.raw(`${explain} ${query?.sql}`, [...(query?.parameters ?? [])]),
    );
    const plan = rows.map((row) => Object.values(Object(row)).join(" ")).join("\n");
    const indexes = [...plan.matchAll(/delivery_outbox_\w+/g)].map(([index]) => index);
    expect(indexes).toEqual(["delivery_outbox_due", "delivery_outbox_lanes"]);
    expect(plan).not.toMatch(/\bsort\b|order by/i);
  });

  test("nodes that read a full list of waiting callbacks begin at different places, and a short list begins with the oldest", async () => {
    await addMany(1, "fresh");
    const outbox = openOutbox(used.store());
    const random = jest.spyOn(Math, "random").mockReturnValue(0);
    const ids = async () => (await outbox.heads(1, fromAll)).map(({ id }) => id);
    const oldest = await ids();
    expect(oldest).toEqual([...oldest].sort((one, other) => one - other));
    random.mockReturnValue(0.5);
    const middle = oldest.length / 2;
    expect(await ids()).toEqual([...oldest.slice(middle), ...oldest.slice(0, middle)]);
    const few = oldest.slice(0, 10);
    await used.store().transaction((tx) => tx.deleteFrom("delivery_outbox").where("id", "not in", few).execute());
    expect(await ids()).toEqual(few);
  });
});
