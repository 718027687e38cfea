/** What listeners of a store learn of changes whose signals do not arrive. */
import { silentLogger } from "@fiscald/shared/logger.js";
import pg from "pg";
import { openStore } from "#handlers/store/open-store.js";
import { createPostgresSignals } from "#handlers/store/postgres-signals.js";
import { createFakeClock } from "../../support/fake-clock.js";
import { type DatabaseKind, databaseKinds } from "../../support/site-databases.js";
import { openTcpGate } from "../../support/tcp-gate.js";
import { waitFor } from "../../support/wait-for.js";

const PROVEN_EVERY_MS = 5000;

async function listenThroughGate(kind: DatabaseKind, isPoolGated = false) {
  const database = await kind.create();
  const { address } = database;
  const gate = await openTcpGate(Number(new URL(address).port));
  const gated = new URL(address);
  gated.port = `${gate.port}`;
  const pool = new pg.Pool({ connectionString: isPoolGated ? gated.href : address });
  const clock = createFakeClock();
  const signals = createPostgresSignals({ address: gated.href, pool, logger: silentLogger, clock });
  const told: string[] = [];
  signals.subscribe("things", (payload) => told.push(payload));
  await waitFor("the channel is listened to", () => signals.version() !== null);
  told.splice(0);
  return {
    ...{ database, pool, gate, clock, signals, told },
    async close() {
      await signals.close();
      await gate.close();
      await pool.end();
    },
  };
}

for (const kind of databaseKinds) {
  const describeKind = kind.skipped === null ? describe : describe.skip;
  describeKind(`signals that are lost on ${kind.name}`, () => {
    if (kind.name === "SQLite") {
      test("listeners of an SQLite store are told within two seconds that another process has written", async () => {
        const database = await kind.create();
        const [store, other] = [
          await openStore({ address: database.address }),
          await openStore({ address: database.address }),
        ];
        const told: string[] = [];
        store.signals.subscribe("things", (payload) => told.push(payload));
        expect([store.version(), told]).toEqual([expect.any(String), []]);
        await other.migrate({ name: "things", migrations: [({ run }) => run("create table things (id integer)")] });
        await waitFor("the listener is told", () => told.length > 0, { timeoutMs: 2000 });
        expect(told).toEqual([""]);
        for (const one of [store, other]) await one.close();
        await database.drop();
      });
      return;
    }

    test("a listening connection that is dead without notice is replaced, and listeners are told within ten seconds", async () => {
      const { database, gate, clock, signals, told, close } = await listenThroughGate(kind);
      gate.shut();
      for (let proof = 0; proof < 2; proof += 1) {
        await waitFor("a proof is sent", () => clock.nextDueMs === PROVEN_EVERY_MS);
        await clock.advance(PROVEN_EVERY_MS);
      }
      expect([told, signals.version()]).toEqual([[""], null]);
      gate.open();
      await clock.advance(1000);
      await waitFor("the channel is listened to again", () => signals.version() !== null);
      expect(told).toEqual(["", ""]);
      await close();
      await database.drop();
    });

    test("listeners are told once a proof can be sent again that could not be sent, because signals may have been missed", async () => {
      const { database, gate, clock, told, close } = await listenThroughGate(kind, true);
      await waitFor("a proof is sent", () => clock.nextDueMs === PROVEN_EVERY_MS);
      gate.shut();
      await clock.advance(PROVEN_EVERY_MS);
      await waitFor("the next proof is given up", () => clock.nextDueMs === 1000);
      expect(told).toEqual([]);
      gate.open();
      await clock.advance(1000);
      await waitFor("listeners are told", () => told.length > 0);
      expect(told).toEqual([""]);
      await close();
      await database.drop();
    });

    test("listeners are told nothing but the signals of their channel while the proofs of signals arrive", async () => {
      const { database, pool, clock, signals, told, close } = await listenThroughGate(kind);
      const version = signals.version();
      for (let proof = 1; proof <= 4; proof += 1) {
        await waitFor("a proof is sent", () => clock.nextDueMs === PROVEN_EVERY_MS);
        // What is sent later arrives later.
        await pool.query("select pg_notify('things', 'sent after the proof')");
        await waitFor("the proof has arrived", () => told.length === proof);
        await clock.advance(PROVEN_EVERY_MS);
      }
      expect(told).toEqual(Array(4).fill("sent after the proof"));
      expect(Number(signals.version())).toBe(Number(version) + 4);
      await close();
      await database.drop();
    });
  });
}
