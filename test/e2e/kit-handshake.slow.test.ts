/** The daemon and our kit over what happens to both: a site that is started again, a daemon that is killed, a lost database. */
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createPrintServerRouter, openReceiptStore, type ReceiptStore, type SignedPoll } from "@fiscald/handlers";
import { silentLogger } from "@fiscald/shared/logger.js";
import type { DaemonProcess } from "../support/daemon-process.js";
import { type ServedSite, serveSite } from "../support/fake-daemon.js";
import { waitFor } from "../support/wait-for.js";
import { patience, tillOn, useShop } from "./use-shop.js";

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const polls: { readonly daemonId: string | null; readonly signed?: SignedPoll; readonly waitMs: number }[] = [];
const syncs: number[] = [];
const shop = useShop();
let site: ServedSite;
let daemon: DaemonProcess;
let config: string;

beforeAll(async () => {
  const emulator = await shop.emulate();
  const store = await openReceiptStore({ database: ":memory:", logger: silentLogger });
  shop.undo(() => store.close());
  const seen: ReceiptStore = {
    ...store,
    nextReceipt(poll, fit) {
      polls.push(poll);
      return store.nextReceipt(poll, fit);
    },
  };
  site = await serveSite(
    createPrintServerRouter({
      store: seen,
      auth: { kind: "signature", secret },
      logger: silentLogger,
      onSync: (registers) => void syncs.push(registers.length),
    }),
  );
  shop.undo(() => site.close());
  config = shop.configure({
    siteUrl: `${site.url}/`,
    site: { auth: { kind: "signature", secret } },
    registers: [tillOn(emulator)],
  });
  daemon = await shop.start(config);
});

/** The next poll that the kit holds from now on. */
async function nextHeldPoll() {
  const before = polls.length;
  return waitFor("a poll is held", () => polls.slice(before).find(({ waitMs }) => waitMs > 0), patience);
}

test("a poll that a site with the kit cuts off is no error, and the first sync names the register", async () => {
  await waitFor("the register is told", () => syncs[0], patience);
  expect(syncs[0]).toBe(1);
  await waitFor("a poll is held", () => polls.some(({ waitMs }) => waitMs > 0), patience);
  const output = daemon.child.output().length;
  site.dropCalls();
  await waitFor(
    "the daemon asks again",
    () => daemon.child.output().slice(output).includes("offers it again"),
    patience,
  );
  await nextHeldPoll();
  expect(daemon.child.output()).not.toMatch(/ ERROR /);
});

test("after a kill the daemon's log names the polls under way, and the kit learns of the new start", async () => {
  const [earlier] = polls;
  daemon.child.signal("SIGKILL");
  await daemon.child.ended;
  daemon = await shop.start(config);
  const later = await nextHeldPoll();
  expect(daemon.child.output()).toMatch(/INFO .*order polls may have been on their way.* kkm=\S+ since=/);
  expect(later.daemonId).toBe(earlier?.daemonId);
  expect(later.signed?.run).toEqual(expect.any(String));
  expect(later.signed?.run).not.toBe(earlier?.signed?.run);
});

test("a daemon whose database was deleted keeps its id", async () => {
  const { daemonId } = await nextHeldPoll();
  await daemon.stop();
  for (const file of readdirSync(shop.folder).filter((name) => /^fiscald\.sqlite(-wal|-shm)?$/.test(name))) {
    rmSync(join(shop.folder, file));
  }
  daemon = await shop.start(config);
  expect(await nextHeldPoll()).toMatchObject({ daemonId });
});
