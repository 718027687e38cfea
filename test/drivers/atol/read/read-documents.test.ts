/** Documents of the task getFnDocument. Types have the names of the maker's manual, source [RPC]. */
import type { FiscalDocument } from "@fiscald/drivers/fiscal-document.js";
import { sale } from "../../contract/receipts.js";
import { inService, type ServiceWorld } from "../service-world.js";

/** Reads the last receipt while `change` alters the answer on the way. */
async function readChanged(world: ServiceWorld, change: (text: string) => string): Promise<FiscalDocument | undefined> {
  await world.print(sale());
  world.alter("getFnDocument", change);
  const before = world.register.core.lastFd - 1;
  return (await world.live(world.driver.documentsSince(before, world.signal)))[0];
}

const named = (word: string) => (text: string) => text.replace('"receipt"', JSON.stringify(word));
/** Removes everything but the header. */
const bare = (text: string) => text.replace('"1059"', '"x"').replace('"1020"', '"y"').replace('"1054"', '"z"');

test.each([
  ["receipt", "receipt"],
  ["bso", "receipt"],
  ["receiptCorrection", "correction"],
  ["bsoCorrection", "correction"],
  ["openShift", "shift-open"],
  ["closeShift", "shift-close"],
  ["registration", "other"],
  ["changeRegistrationParameters", "other"],
  ["closeArchive", "other"],
  ["ofdExchangeStatus", "other"],
])("a document that ATOL calls %s is read as the type %s", (word, type) =>
  inService({}, async (world) => {
    expect(await readChanged(world, named(word))).toMatchObject({ type });
  }),
);

test("a document of an unknown kind is read as the type unknown with its order mark and lines", () =>
  inService({}, async (world) => {
    const mark = "A-1 0badcafe";
    expect(await readChanged(world, named("ticket"))).toMatchObject({
      type: "unknown",
      body: "full",
      mark,
      total: 10_000,
    });
  }));

test("a document whose fiscal sign is not made of digits is unreadable", () =>
  inService({}, async (world) => {
    const read = await readChanged(world, (text) => text.replace(/"1077":"\d+"/, '"1077":"AAECAwQF"'));
    expect(read).toMatchObject({ body: "unreadable" });
  }));

test("the driver waits ten times as long for ten documents of a slow drive as for one question", () =>
  inService({}, async (world) => {
    for (let number = 0; number < 10; number += 1) await world.print(sale());
    world.register.addFault({ effect: "late", ms: 2_000, times: 10, when: { command: "getFnDocument" } });
    const read = await world.live(world.driver.documentsSince(world.register.core.lastFd - 10, world.signal));
    expect(read.map(({ type }) => type)).toEqual(Array.from({ length: 10 }, () => "receipt"));
  }));

test("a document of an unknown kind whose body cannot be read may still be a receipt, without total or direction", () =>
  inService({}, async (world) => {
    const read = await readChanged(world, (text) => bare(named("ticket")(text)));
    expect(read).toMatchObject({ type: "unknown", body: "unreadable", operation: null, total: null });
  }));
