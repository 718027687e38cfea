/** A site that takes the call and never answers: real HTTP, with a clock that the test turns. */

import { IntakeGate } from "@fiscald/daemon/intake/intake-gate.js";
import { createPoller } from "@fiscald/daemon/intake/poller.js";
import { createSiteClient } from "@fiscald/daemon/sites/site-client.js";
import { toKkm, toSiteId } from "@fiscald/shared/ids.js";
import { silentLogger } from "@fiscald/shared/logger.js";
import { createFakeClock } from "../../support/fake-clock.js";
import { type FakeSite, startFakeSite } from "../../support/fake-site.js";
import { siteAt } from "../../support/raw-config.js";
import { waitFor } from "../../support/wait-for.js";

const kkm = toKkm("0001234567012345");
/** A site may hold a poll for 25 s, and the call itself has ten seconds. */
const POLL_LIMIT_MS = 35_000;
const CALL_LIMIT_MS = 10_000;

let web: FakeSite;
beforeEach(async () => {
  web = await startFakeSite();
});
afterEach(() => web.close());

function connect() {
  const clock = createFakeClock();
  const site = siteAt(web.url);
  return {
    clock,
    client: createSiteClient({ site, daemonId: "daemon-1", runId: "run-1", clock, newId: () => "call" }),
  };
}

test("an order poll without an answer is cut off after 35 seconds, reported as perhaps lost, and repeated", async () => {
  const { clock, client } = connect();
  const troubles: (string | null)[] = [];
  const bodies: string[] = [];
  const poller = createPoller({
    periodMs: 5000,
    kkm: () => kkm,
    hasRoom: () => true,
    poll: (asked, signal) => client.poll(asked, signal),
    accept: ({ body }) => {
      bodies.push(body);
      return { kind: "empty" };
    },
    onTrouble: (fault) => troubles.push(fault?.code ?? null),
    deliveries: { count: 0 },
    gate: new IntakeGate(),
    clock,
    random: () => 0.5,
    log: silentLogger,
  });
  web.onCall = () => "hang";
  poller.start();
  await waitFor("the site is asked", () => web.calls.length === 1);
  await clock.advance(POLL_LIMIT_MS - 1);
  expect([troubles, web.calls.length]).toEqual([[], 1]);
  await clock.advance(1);
  await waitFor("the poll is given up", () => troubles.length === 1);
  expect(troubles).toEqual(["site.answer-lost"]);

  web.onCall = () => ({ body: "an order" });
  await clock.advance(CALL_LIMIT_MS);
  await waitFor("the site is asked again", () => bodies.length === 1);
  expect([bodies, troubles]).toEqual([["an order"], ["site.answer-lost", null]]);
  await poller.stop(0);
  client.close();
  expect(clock.pending).toBe(0);
});

test("the delivery of a result that gets no answer is cut off after ten seconds and counts as an outage", async () => {
  const { clock, client } = connect();
  web.onCall = () => "hang";
  const delivery = client.deliver(
    {
      id: 1,
      site: toSiteId("shop"),
      kind: "result",
      lane: "l",
      job: null,
      register: null,
      body: { action: "orderConfirm", orderId: "A-1" },
      webhookId: "msg-1",
      createdAt: 0,
      deliveredAt: null,
      revision: 0,
      tries: 0,
      refusals: 0,
      lastError: null,
      state: "pending",
    },
    new AbortController().signal,
  );
  await waitFor("the site is told", () => web.calls.length === 1);
  await clock.advance(CALL_LIMIT_MS);
  expect(await delivery).toMatchObject({ kind: "outage", fault: { code: "site.timeout" } });
  client.close();
});
