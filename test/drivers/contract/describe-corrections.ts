/** Corrections on each maker's registers, by the format of the subject's registration. */
import { compareTags } from "@fiscald/drivers/compare-tags.js";
import type { RunOutcome } from "@fiscald/drivers/fiscal-driver.js";
import type { FaultInput } from "@fiscald/emulators/faults/fault-spec.js";
import { documentBody } from "@fiscald/emulators/memory/document-body.js";
import type { StoredDocument } from "@fiscald/emulators/memory/documents.js";
import { numberOf, textOf } from "@fiscald/emulators/memory/fiscal-tag.js";
import { kopecks } from "@fiscald/shared/amounts.js";
import type { Correction, Operation, SaleReceipt } from "@fiscald/shared/receipt/receipt.js";
import type { VatCode } from "@fiscald/shared/receipt/vat.js";
import { expectSeen } from "./expect-seen.js";
import { expectSent, readTags } from "./expect-sent.js";
import { item, sale } from "./receipts.js";
import { LONG_MS, reconnect } from "./reconnect.js";
import type { ContractSubject } from "./subject.js";
import { type ContractWorld, inWorld, testsOn } from "./world.js";

const self: Correction = { type: "self", date: "2025-12-30" };
const instruction: Correction = { type: "instruction", date: "2025-12-30", number: "12-3/ВН" };
/** Tag 1178 for 2025-12-30: seconds since 1970 at midnight, without a zone. */
const DAY = 1_767_052_800;
const CORRECTED = "0115683449";
const CONTACT = "buyer@example.com";

/** 120.00 at 20 %, 110.00 at 10 % and 50.00 without VAT; cash and card. */
function correctionOf(world: ContractWorld, over: Partial<SaleReceipt> = {}): SaleReceipt {
  return sale({
    correction: self,
    lines: [
      item({ name: "Чай", price: kopecks(12_000), total: kopecks(12_000), tax: world.taxOf(1) }),
      item({ name: "Хлеб", price: kopecks(11_000), total: kopecks(11_000), tax: world.taxOf(2) }),
      item({ name: "Доставка", price: kopecks(5_000), total: kopecks(5_000), tax: world.taxOf(6) }),
    ],
    payments: [
      { typeClose: 0, sum: kopecks(8_000) },
      { typeClose: 1, sum: kopecks(20_000) },
    ],
    ...over,
  });
}

/** 122.00 at 22 %, 244.00 at 22/122, 105.00 at 5 %. */
function correctionAtNewerRates(world: ContractWorld): SaleReceipt {
  const at = (vat: VatCode, sum: number) =>
    item({ price: kopecks(sum), total: kopecks(sum), tax: world.taxOf(vat), method: vat === 12 ? 1 : 4 });
  return correctionOf(world, {
    correction: { type: "self", date: "2026-02-01" },
    lines: [at(11, 12_200), at(12, 24_400), at(7, 10_500)],
    payments: [{ typeClose: 1, sum: kopecks(47_100) }],
  });
}

/** False: the register's protocol has no place for a rate in a correction of sums. */
async function takes(world: ContractWorld, receipt: SaleReceipt): Promise<boolean> {
  return (await world.compile(receipt).catch(() => null)) !== null;
}

export function describeCorrections(subject: ContractSubject): void {
  const check = testsOn(subject);
  test.each([
    ["of the taxpayer's own accord", self, null],
    ["by an order of the tax office", instruction, "12-3/ВН"],
  ] as const)("a correction of a sale %s is in the fiscal memory as sent", (_how, correction, number) =>
    inWorld(subject, async (world) => {
      await expectCorrected(world, correctionOf(world, { correction }), number);
    }),
  );

  check("a correction at 22 %, 22/122 and 5 % is in the fiscal memory as sent, or refused", async (world) => {
    const receipt = correctionAtNewerRates(world);
    if (!(await takes(world, receipt))) return await expectRefused(world, receipt);
    await world.openShift();
    const program = await world.compileFirst(receipt);
    expect(await world.run(program)).toMatchObject({ kind: "printed", warnings: [] });
    const made = lastCorrection(world);
    const sums = documentBody(made, world.register.core.registration).flatMap((tag) =>
      tag.tag === 1115 && "items" in tag ? tag.items : [],
    );
    const inside = sums.map((tag) => ("items" in tag ? [1199, 1120].map((one) => numberOf(tag.items, one)) : []));
    expect(inside.toSorted(([one = 0], [other = 0]) => Number(one) - Number(other))).toEqual([
      [7, 500],
      [11, 2_200],
      [12, 4_400],
    ]);
    await expectSent(world, program.sent, made.fd);
  });

  check(
    "the document of a correction has the buyer's contact, or a warning says that the contact is missing",
    async (world) => {
      await world.openShift();
      const program = await world.compileFirst(correctionOf(world, { contact: CONTACT }));
      expect(await world.run(program)).toMatchObject({ kind: "printed" });
      const made = lastCorrection(world);
      const isWarnedOf = program.warnings.some((warning) => warning.includes("1008"));
      expect([textOf(made.tags, 1008), isWarnedOf]).toEqual(isWarnedOf ? [null, true] : [CONTACT, false]);
      await expectSent(world, program.sent, made.fd);
    },
  );

  check("a correction of a settlement on the internet has tags 1125 and 1187, or is refused", async (world) => {
    const internet = { url: "https://shop.example" };
    const receipt = correctionOf(world, {
      contact: CONTACT,
      internet,
      payments: [{ typeClose: 1, sum: kopecks(28_000) }],
    });
    if (!(await takes(world, receipt))) return await expectRefused(world, receipt);
    await world.openShift();
    const program = await world.compileFirst(receipt);
    expect(await world.run(program)).toMatchObject({ kind: "printed" });
    await expectSent(world, program.sent, lastCorrection(world).fd);
  });

  test.each([
    [1103, correctionOf],
    [1115, correctionAtNewerRates],
  ] as const)(
    "a correction from sums whose sums of tag %i were dropped by the register is noticed by its document",
    (tag, receiptIn) =>
      inWorld(subject, async (world) => {
        const receipt = receiptIn(world);
        if (!isOf105(world) || !(await takes(world, receipt))) return;
        await world.openShift();
        const program = await world.compileFirst(receipt);
        world.register.addFault({ effect: "alter", drop: [tag] });
        await world.run(program);
        const read = await readTags(world, lastCorrection(world).fd);
        if (program.sent === undefined || read === undefined) throw new Error("no tags");
        const { differences } = compareTags(program.sent, read, new Set([tag]));
        expect(differences).toMatchObject([{ tag, read: null, weight: "hold" }]);
      }),
  );

  check(
    "a correction of a return that names a document is in the fiscal memory, or is refused before the first byte",
    async (world) => {
      const receipt = correctionOf(world, { operation: "return", requisites: { additional: CORRECTED } });
      if (isOf105(world)) await expectRefused(world, receipt);
      else {
        world.register.core.moveCash("in", kopecks(100_000));
        await expectCorrected(world, receipt, null);
        expect(textOf(lastCorrection(world).tags, 1192)).toBe(CORRECTED);
      }
    },
  );

  test.each<[string, Partial<SaleReceipt>]>([
    ["of a sale that names a wrong receipt", { requisites: { additional: CORRECTED } }],
    ["of a return", { operation: "return" }],
  ])("a correction %s is refused in FFD 1.05, where ordinary receipts replace it", (_what, over) =>
    inWorld(subject, async (world) => {
      if (isOf105(world)) await expectRefused(world, correctionOf(world, over));
    }),
  );

  check("a correction on a closed shift opens the shift first", async (world) => {
    expect(await world.print(correctionOf(world))).toMatchObject({ kind: "printed" });
    expect(world.register.core.documents.map(({ type }) => type)).toEqual([
      ...["registration", "shift-open", "correction"],
    ]);
  });

  check(
    "corrections and receipts are numbered together, and a receipt is never taken for a correction",
    async (world) => {
      await world.openShift();
      const outcomes = [await world.print(correctionOf(world)), await world.print(sale())];
      expect(outcomes).toMatchObject([
        { kind: "printed", document: { receiptNumber: 1 } },
        { kind: "printed", document: { receiptNumber: 2 } },
      ]);
      expect(world.receipts).toHaveLength(1);
    },
  );

  for (const [what, fault] of Object.entries(faults)) {
    test(`${what} at the close of a correction leaves one document at most, as the fiscal memory shows`, async () => {
      await inWorld(subject, (world) => survive(world, fault));
      await inWorld(subject, async (world) => {
        if (isOf105(world)) return;
        world.register.core.moveCash("in", kopecks(100_000));
        await survive(world, fault, "return");
      });
    });
  }
}

const when = { command: "close-receipt", nth: 1 };
/** The driver's result is compared with the memory: "printed" needs the document, "not-printed" needs its absence. */
const faults: Readonly<Record<string, FaultInput>> = {
  silence: { effect: "silent", when },
  "a late answer": { effect: "late", ms: LONG_MS, when },
  "a damaged answer": { effect: "corrupt", when },
  "a lost answer": { effect: "drop-answer", when },
  "the previous answer sent again": { effect: "stale-answer", when },
  "a pulled cable": { effect: "unplug", ms: 5_000, when },
  "a power cut": { effect: "power-cut", ms: 5_000, when },
  "an execution after the driver has stopped waiting": { effect: "late-execution", ms: LONG_MS, when },
  "error 77h without a document": { effect: "error", code: 0x77, when },
  "error 77h although the document is made": { effect: "error", code: 0x77, acts: true, when },
  "an opened cover": { effect: "cover-open", when },
};

function isOf105({ register }: ContractWorld): boolean {
  return register.core.registration.ffd === 2;
}

function corrections(world: ContractWorld): readonly StoredDocument[] {
  return world.register.core.documents.filter(({ type }) => type === "correction");
}

function lastCorrection(world: ContractWorld): StoredDocument {
  const last = corrections(world).at(-1);
  if (last === undefined) throw new Error("the fiscal memory holds no correction");
  return last;
}

async function expectCorrected(world: ContractWorld, receipt: SaleReceipt, number: string | null): Promise<void> {
  await world.openShift();
  const program = await world.compileFirst(receipt);
  expect(await world.run(program)).toMatchObject({ kind: "printed", warnings: [] });
  const made = lastCorrection(world);
  expect(world.receipts).toEqual([]);
  const operation: Operation = receipt.operation;
  expect(made).toMatchObject({ operation, total: 28_000 });
  expect(new Map(made.payments.map(({ typeClose, sum }) => [typeClose, sum]))).toEqual(
    new Map([
      [0, 8_000],
      [1, 20_000],
    ]),
  );
  const body = documentBody(made, world.register.core.registration);
  const basis = body.find(({ tag }) => tag === 1174);
  const inside = basis !== undefined && "items" in basis ? basis.items : [];
  expect({
    type: numberOf(body, 1173),
    day: numberOf(inside, 1178),
    number: textOf(inside, 1179),
    items: body.filter(({ tag }) => tag === 1059).length,
    sums: [1102, 1103, 1105].map((tag) => numberOf(body, tag)),
  }).toEqual({
    ...{ type: number === null ? 0 : 1, day: DAY, number },
    ...{ items: isOf105(world) ? 0 : 3, sums: [2_000, 1_000, 5_000] },
  });
  await expectSent(world, program.sent, made.fd);
}

async function expectRefused(world: ContractWorld, receipt: SaleReceipt): Promise<void> {
  const { bytesSent } = world;
  await world.context();
  const asked = world.bytesSent - bytesSent;
  const before = world.bytesSent;
  await expect(world.compile(receipt)).rejects.toMatchObject({ code: "receipt.unsupported" });
  expect(world.bytesSent - before).toBeLessThanOrEqual(asked);
}

/** One correction under a fault, then the fence as the daemon passes it. Nothing is printed again. */
async function survive(world: ContractWorld, fault: FaultInput, operation: Operation = "sale"): Promise<void> {
  await world.openShift();
  const program = await world.compileFirst(correctionOf(world, { operation }));
  const baseline = await world.baseline();
  const added = world.register.addFault(fault);
  const outcome: RunOutcome = await world.live(world.driver.run(program, baseline, world.signal));
  expect(added.struck).toBe(1);
  const made = corrections(world).length;
  if (outcome.kind === "printed") expect(outcome.document?.fd).toBe(lastCorrection(world).fd);
  else expect(outcome.kind).toBe("unsure");
  if (outcome.kind === "printed") expect(made).toBe(1);
  world.register.clearFaults();
  await reconnect(world);
  const state = await world.fence();
  const held = () => world.register.core.documents.filter(({ fd }) => fd > baseline.lastFd);
  const seen = await world.live(world.driver.documentsSince(baseline.lastFd, world.signal));
  expect([state.openReceipt, world.register.core.receipt]).toEqual([null, null]);
  expectSeen(seen, held(), world.driver.capabilities.documentBodies);
  // No earlier command may take effect after the fence.
  await world.clock.advance(2 * LONG_MS);
  expectSeen(seen, held(), world.driver.capabilities.documentBodies);
  expect([corrections(world).length, world.receipts.length]).toEqual([held().length, 0]);
  expect(held().length).toBeLessThanOrEqual(1);
}
