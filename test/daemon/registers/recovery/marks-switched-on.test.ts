/** `orderMark` was switched on after the copy that was put back was made: receipts of the time before carry no mark. */
import { kopecks } from "@fiscald/shared/amounts.js";
import { toOrderId } from "@fiscald/shared/ids.js";
import type { Receipt, SaleReceipt } from "@fiscald/shared/receipt/receipt.js";
import { copyDatabase, operatorAt, orderNamed, useBenches } from "../../../support/benches.js";
import { makeItem, makeReceipt, zReport } from "../../../support/make-job.js";
import { type Bench, newBenchPath } from "../../../support/register-bench.js";
import {
  addForeignReceipt,
  createScriptedDevice,
  receiptsOn,
  type ScriptedDevice,
} from "../../../support/scripted-driver.js";

const { open } = useBenches();

type Setting = "off" | "on";
/** `put back`: the database knows it of itself. `unnoticed`: the note beside it was put back too. */
type Loss = "put back" | "unnoticed" | "deleted";

/** The job that the copy has queued, behind the one of the day before and the closing. */
const WAITING = 3;

interface Past {
  /** The setting when the copy was made. */
  readonly before: Setting;
  /** Offered, and not printed when the copy was made. */
  readonly queued?: SaleReceipt;
  /** Printed since, each under its setting; or somebody else's receipt, made while the daemon was down. */
  readonly since: readonly (readonly [Setting | "foreign", SaleReceipt, mark?: string])[];
  readonly loss?: Loss;
}

const ours = orderNamed("A-1");

function start(device: ScriptedDevice, path: string, setting: Setting, forgetful = false): Bench {
  return open({ path, forgetful, registers: [{ device, settings: { orderMark: setting === "on" } }] });
}

async function printOne(device: ScriptedDevice, path: string, setting: Setting, receipt: Receipt | null) {
  const bench = start(device, path, setting);
  if (receipt !== null) bench.addJob(receipt);
  await bench.runQueue();
  await bench.close();
}

/** Not started yet, on a register that writes marks unless `now` says otherwise. */
async function loseDatabase(device: ScriptedDevice, { before, queued, since, loss = "put back" }: Past, now: Setting) {
  const path = newBenchPath();
  await printOne(device, path, before, orderNamed("warm"));
  // What a night leaves behind the day's last receipt.
  await printOne(device, path, before, zReport);
  if (queued !== undefined) {
    const bench = start(device, path, before);
    bench.addJob(queued);
    await bench.close();
  }
  const putBack = copyDatabase(path);
  for (const [who, receipt, mark] of since) {
    if (who === "foreign") addForeignReceipt(device, receipt, mark);
    else await printOne(device, path, who, receipt === queued ? null : receipt);
  }
  if (loss === "deleted") return start(device, newBenchPath(), now, true);
  putBack();
  return start(device, path, now, loss === "put back");
}

/** The site offers it again when the register was read. */
async function offerAgain(bench: Bench, receipt: SaleReceipt) {
  bench.startQueue();
  await bench.clock.advance(1000);
  return offer(bench, receipt);
}

async function offer(bench: Bench, receipt: SaleReceipt) {
  const { id } = bench.addJob(receipt);
  await bench.runQueue();
  return bench.stores.jobs.get(id);
}

const count = (device: ScriptedDevice, { lines }: SaleReceipt) => {
  const [item] = lines;
  const name = item?.type === "item" ? item.name : "";
  return receiptsOn(device).filter(({ items }) => items.some((one) => one.name === name)).length;
};

describe("an order that was printed without a mark and comes again when its register writes marks", () => {
  const pasts: readonly [string, readonly (readonly [Setting | "foreign", SaleReceipt, string?])[]][] = [
    ["when nothing was printed since", [["off", ours]]],
    [
      "when others were printed with marks since",
      [
        ["off", ours],
        ["on", orderNamed("B-1")],
      ],
    ],
    [
      "when another program wrote something of its own into the same tag before",
      [
        ["foreign", orderNamed("C-1"), "Стол 5"],
        ["off", ours],
      ],
    ],
    [
      "when what another program wrote there is a date",
      [
        ["foreign", orderNamed("C-1"), "Чек 20261120"],
        ["off", ours],
      ],
    ],
  ];

  test.each(pasts)("is told as it is told without marks, %s", async (_, since) => {
    const tellings = [];
    for (const now of ["off", "on"] as const) {
      const device = createScriptedDevice();
      const bench = await loseDatabase(device, { before: "off", since }, now);
      const { state, fault } = await offerAgain(bench, ours);
      tellings.push({ state, fault, told: bench.told, errors: bench.errors, journal: bench.journal() });
      expect(count(device, ours)).toBe(1);
    }
    const [without, withMarks] = tellings;
    expect(withMarks).toEqual(without);
    expect(withMarks?.state).toBe("unsure");
  });

  test.each<Loss>(["put back", "unnoticed"])(
    "is unsure where the copy has it waiting (%s): another shop may have sold the same",
    async (loss) => {
      const device = createScriptedDevice();
      const since = [["off", ours] as const, ["on", orderNamed("B-1")] as const];
      const bench = await loseDatabase(device, { before: "off", queued: ours, since, loss }, "on");
      await bench.runQueue();
      expect(bench.stores.jobs.get(WAITING).state).toBe("unsure");
      expect(bench.told.results).toEqual([{ job: WAITING, outcome: "unknown", fd: null }]);
      expect(count(device, ours)).toBe(1);
    },
  );

  test.each(["waits already", "comes later"])("is unsure after the database was deleted, when it %s", async (when) => {
    const device = createScriptedDevice();
    const since = [["off", ours] as const, ["on", orderNamed("B-1")] as const];
    const bench = await loseDatabase(device, { before: "off", since, loss: "deleted" }, "on");
    const job = await (when === "waits already" ? offer : offerAgain)(bench, ours);
    expect(job.state).toBe("unsure");
    expect(count(device, ours)).toBe(1);
  });

  test("is printed once the operator has looked, and by his word never asked about again", async () => {
    const device = createScriptedDevice();
    const bench = await loseDatabase(device, { before: "off", since: [["off", ours]] }, "on");
    const { id } = await offerAgain(bench, ours);
    await operatorAt(bench).resolveNotPrinted(id, "it was the cashier");
    await bench.runQueue();
    expect(bench.stores.jobs.get(id).state).toBe("printed");
    expect(count(device, ours)).toBe(2);
  });

  test("is unsure also when the copy is put back a second time", async () => {
    const device = createScriptedDevice();
    const path = newBenchPath();
    await printOne(device, path, "off", orderNamed("warm"));
    const putBack = copyDatabase(path);
    await printOne(device, path, "off", ours);
    for (const order of ["B-1", "B-2"]) {
      putBack();
      await printOne(device, path, "on", orderNamed(order));
    }
    putBack();
    expect((await offerAgain(start(device, path, "on", true), ours)).state).toBe("unsure");
    expect(count(device, ours)).toBe(1);
  });

  test("is unsure when its document can be read only after others were printed with marks", async () => {
    const device = createScriptedDevice();
    const path = newBenchPath();
    await printOne(device, path, "off", orderNamed("warm"));
    const putBack = copyDatabase(path);
    await printOne(device, path, "off", ours);
    putBack();
    const fd = 3;
    device.unreadable.add(fd);
    const first = start(device, path, "on", true);
    first.startQueue();
    await first.clock.advance(1000);
    const held = await offer(first, orderNamed("B-1"));
    await operatorAt(first).resolveNotPrinted(held.id, "not this one", [fd]);
    await first.runQueue();
    await first.close();
    device.unreadable.clear();
    const later = start(device, path, "on");
    expect((await offerAgain(later, ours)).state).toBe("unsure");
    expect(count(device, ours)).toBe(1);
  });
});

describe("another program's receipt without a mark", () => {
  const isHeld = async (past: Past, order = ours) => {
    const device = createScriptedDevice();
    const bench = await loseDatabase(device, past, "on");
    const offered = past.queued === undefined ? await offerAgain(bench, order) : null;
    if (offered === null) await bench.runQueue();
    expect(bench.stores.jobs.get(offered?.id ?? WAITING).state).toBe("unsure");
    expect(count(device, ours)).toBe(1);
  };
  const foreign = ["foreign", ours] as const;
  const marked = ["on", orderNamed("B-1")] as const;

  test.each<Loss>(["put back", "unnoticed"])(
    "of a loss holds an equal order up, in a shop that always wrote marks (%s)",
    async (loss) => {
      await isHeld({ before: "on", since: [foreign, marked], loss });
      await isHeld({ before: "on", since: [foreign], queued: ours, loss });
    },
  );

  test.each<Loss>(["put back", "unnoticed"])(
    "that has a text of its own in tag 1084 holds an order up that has the same text there (%s)",
    async (loss) => {
      const tabled = { ...ours, requisites: { userProperty: { name: "Стол", value: "7" } } };
      const alike = ["foreign", tabled, "7"] as const;
      await isHeld({ before: "on", since: [alike, marked], loss }, tabled);
      await isHeld({ before: "on", since: [alike], queued: tabled, loss });
    },
  );

  test("of a loss holds it up, also when it is younger than a receipt of ours that has its mark", async () => {
    await isHeld({ before: "off", since: [["off", orderNamed("C-1")], marked, foreign] });
    await isHeld({ before: "on", since: [marked, foreign], loss: "deleted" });
  });

  test("holds nothing up when it is older and only its sum is equal, on a drive whose past nobody knows", async () => {
    const device = createScriptedDevice();
    const like = makeReceipt({ orderId: toOrderId("C-1"), lines: [{ ...makeItem({ name: "Чужой товар" }) }] });
    const since = [["foreign", like] as const, marked];
    const bench = await loseDatabase(device, { before: "on", since, loss: "deleted" }, "on");
    expect((await offerAgain(bench, ours)).state).toBe("printed");
  });

  test("holds nothing up when it was made while the daemon was at work", async () => {
    const device = createScriptedDevice();
    const path = newBenchPath();
    await printOne(device, path, "off", orderNamed("warm"));
    const bench = start(device, path, "on");
    bench.startQueue();
    await bench.clock.advance(1000);
    addForeignReceipt(device, ours);
    expect((await offer(bench, ours)).state).toBe("printed");
    expect(count(device, ours)).toBe(2);
  });

  test("holds nothing up when the register comes back in a run in which it has printed nothing yet", async () => {
    const device = createScriptedDevice();
    const path = newBenchPath();
    await printOne(device, path, "off", orderNamed("warm"));
    const bench = start(device, path, "on");
    bench.startQueue();
    await bench.clock.advance(1000);
    device.unplugged = true;
    await bench.clock.advance(60_000);
    const { id } = bench.addJob(ours);
    addForeignReceipt(device, ours);
    device.unplugged = false;
    await bench.runQueue();
    expect(bench.stores.jobs.get(id)).toMatchObject({ state: "printed", document: { fd: 4 } });
    expect(count(device, ours)).toBe(2);
  });

  test("holds nothing up on a register of which nothing was lost, and which has printed nothing of ours", async () => {
    const device = createScriptedDevice();
    const path = newBenchPath();
    const bench = start(device, path, "on");
    await bench.start();
    await bench.close();
    addForeignReceipt(device, ours);
    expect((await offerAgain(start(device, path, "on"), ours)).state).toBe("printed");
    expect(count(device, ours)).toBe(2);
  });
});

test("an order of another sum is printed beside receipts that have no mark", async () => {
  const device = createScriptedDevice();
  const bench = await loseDatabase(device, { before: "off", since: [["off", ours]] }, "on");
  const other = makeReceipt({
    orderId: toOrderId("D-1"),
    lines: [makeItem({ name: "Дорогой", price: kopecks(90_000), total: kopecks(90_000) })],
  });
  expect((await offerAgain(bench, other)).state).toBe("printed");
});
