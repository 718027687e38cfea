/** The daemon and our kit: a poll is held for 25 seconds at most, and an order wakes it. The kit's clock is ours. */
import type { ServerResponse } from "node:http";
import { createPrintServerRouter, openReceiptStore, type PrintResult, type ReceiptStore } from "@fiscald/handlers";
import { silentLogger } from "@fiscald/shared/logger.js";
import type { EmulatorProcess } from "../support/emulator-process.js";
import { createFakeClock } from "../support/fake-clock.js";
import { serveSite } from "../support/fake-daemon.js";
import { waitFor } from "../support/wait-for.js";
import { patience, saleOf, tillOn, useShop } from "./use-shop.js";

const clock = createFakeClock({ now: Date.now() });
/** Polls that came with a wish to wait, oldest first. */
const polls: { readonly prefer: string; readonly response: ServerResponse }[] = [];
const results: PrintResult[] = [];
const shop = useShop();
let emulator: EmulatorProcess;
let store: ReceiptStore;

beforeAll(async () => {
  emulator = await shop.emulate();
  store = await openReceiptStore({ database: ":memory:", clock, logger: silentLogger });
  shop.undo(() => store.close());
  const onResult = (result: PrintResult) => void results.push(result);
  const router = createPrintServerRouter({ store, clock, auth: { kind: "none" }, logger: silentLogger, onResult });
  const site = await serveSite((request, response) => {
    const { prefer } = request.headers;
    if (typeof prefer === "string") polls.push({ prefer, response });
    router(request, response);
  });
  shop.undo(() => site.close());
  await shop.run({ siteUrl: `${site.url}/`, registers: [tillOn(emulator)] });
});

/** The next poll that the kit holds; all before it are answered. */
async function heldPoll(number: number) {
  const poll = await waitFor(`poll ${number} arrives`, () => polls[number], patience);
  const pending = clock.pending;
  await waitFor("the kit waits with it", () => clock.pending >= pending && clock.pending > 0, patience);
  return poll;
}

test("an empty answer to a poll is delayed by 25 seconds, and the daemon asks again as soon as the answer comes", async () => {
  const first = await heldPoll(0);
  expect(first.prefer).toBe("wait=25");
  await clock.advance(24_000);
  expect(first.response.writableEnded).toBe(false);
  await clock.advance(1_100);
  await waitFor("the answer is sent", () => first.response.writableFinished, patience);
  expect(first.response.statusCode).toBe(200);
  await heldPoll(1);
});

test("an order that is paid during a long poll is handed out and printed at once", async () => {
  const held = polls.length - 1;
  const poll = await heldPoll(held);
  expect(poll.response.writableEnded).toBe(false);
  const { receiptId } = await store.enqueue(saleOf("A-1"));
  await waitFor("the result is told", () => results.length === 1, patience);
  expect(results).toMatchObject([{ receiptId, outcome: "printed" }]);
  expect(poll.response.writableFinished).toBe(true);
  expect(await emulator.receipts()).toHaveLength(1);
  // It is held again, and nothing is offered twice.
  await heldPoll(held + 1);
  expect(polls).toHaveLength(held + 2);
});
