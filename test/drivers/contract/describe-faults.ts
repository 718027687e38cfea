import type { RunOutcome } from "@fiscald/drivers/fiscal-driver.js";
import type { FaultInput } from "@fiscald/emulators/faults/fault-spec.js";
import type { Behaviour } from "@fiscald/emulators/wire/behaviour.js";
import { kopecks } from "@fiscald/shared/amounts.js";
import { isFault } from "@fiscald/shared/fault.js";
import { isFast } from "../../support/tier.js";
import type { Skip } from "../skips.js";
import { expectSeen } from "./expect-seen.js";
import { item, sale, text } from "./receipts.js";
import { LONG_MS, reconnect } from "./reconnect.js";
import type { ContractSubject } from "./subject.js";
import { type ContractWorld, inWorld, testsOn } from "./world.js";

type Kind = RunOutcome["kind"];

/** Bytes between two cuts: at the end of the dialogue, where the fiscal step is, and before. `npm test` cuts rarely. */
const strides = isFast ? { end: 90, before: 400 } : { end: 7, before: 41 };
/** HTTP has ten times as many bytes for the same dialogue, so every seventh of them would be too many cuts. */
const httpStride = isFast ? 1 : 10;

/** The driver's result is compared with the memory afterwards. */
type FaultCase = readonly [title: string, fault: FaultInput, allowed: readonly Kind[]];

const order = sale({
  lines: [
    item({ name: "Первая", price: kopecks(10_000), total: kopecks(10_000) }),
    text("между позициями"),
    item({ name: "Вторая", price: kopecks(5_050), total: kopecks(5_050) }),
  ],
  payments: [{ typeClose: 1, sum: kopecks(15_050) }],
});

/** Faults of the wire: a link that repairs the exchange may print; a link that cannot know must be unsure. */
function wireFaults(command: string): readonly FaultCase[] {
  const when = { command, nth: 1 };
  const doubt: readonly Kind[] = ["unsure", "printed"];
  return [
    [`silence at the command ${command}`, { effect: "silent", when }, ["unsure"]],
    [`a late answer to ${command} that comes in time`, { effect: "late", ms: 200, when }, ["printed"]],
    [`an answer to ${command} that comes too late`, { effect: "late", ms: LONG_MS, when }, doubt],
    [`a damaged answer to ${command}`, { effect: "corrupt", when }, doubt],
    [`noise before the answer to ${command}`, { effect: "noise", when }, doubt],
    [`a lost answer to ${command}`, { effect: "drop-answer", when }, doubt],
    [`the previous answer in place of that to ${command}`, { effect: "stale-answer", when }, doubt],
    [`a cable pulled at ${command}`, { effect: "unplug", ms: 5_000, when }, ["unsure"]],
    [`a loss of power at ${command}`, { effect: "power-cut", ms: 5_000, when }, ["unsure"]],
    [`an execution of ${command} after we gave up`, { effect: "late-execution", ms: LONG_MS, when }, doubt],
  ];
}

const secondItem = { command: "item", nth: 2 };
const atItem: readonly FaultCase[] = [
  ...wireFaults("item"),
  ["an error answer to item", { effect: "error", code: 115, when: secondItem }, ["not-printed"]],
  ["a cover opened at item", { effect: "cover-open", when: secondItem }, ["not-printed", "unsure"]],
];
const firstClose = { command: "close-receipt", nth: 1 };
const atClose: readonly FaultCase[] = [
  ...wireFaults("close-receipt"),
  [
    "an error answer to close-receipt, which proves nothing,",
    { effect: "error", code: 115, when: firstClose },
    ["unsure"],
  ],
  ["paper that ends in the middle of close-receipt", { effect: "paper-out", when: firstClose }, ["printed", "unsure"]],
  ["a cover opened at close-receipt", { effect: "cover-open", when: firstClose }, ["unsure"]],
];

export function describeFaults(subject: ContractSubject, lacks: readonly Skip[]): void {
  const isService = lacks.some(({ feature }) => feature === "receipt in steps");
  const stride = isService ? httpStride : 1;
  const [check, inSteps] = [testsOn(subject), testsOn(subject, !isService)];
  for (const [title, fault, allowed] of [...(isService ? [] : atItem), ...atClose]) {
    check(`${title} leaves a receipt ${allowed.join(" or ")}, and the fiscal memory decides`, async (world) => {
      expect(await survive(world, fault, allowed)).toBe(1);
    });
  }

  inSteps("a line that the register adds to an open receipt by itself is noticed by the subtotal", async (world) => {
    await world.openShift();
    const { core, device } = world.register;
    device.addBehaviour({
      onCommand: ({ names }) => {
        const last = core.receipt?.lines.at(-1);
        if (names.includes("subtotal") && last !== undefined) core.addLine({ ...last, paper: false });
        return "pass";
      },
    });
    const outcome = await world.print(order);
    expect(outcome).toMatchObject({ kind: "not-printed", fault: { code: "device.subtotal-mismatch" } });
    expect([core.receipt, world.receipts.length]).toEqual([null, 0]);
  });

  inSteps("a receipt with a text that the register refuses is printed with a warning", async (world) => {
    await world.openShift();
    // Makers call their printing command by one of these names.
    const faults = ["print", "text"].map((command) =>
      world.register.addFault({ effect: "error", code: 115, when: { command, nth: 1 } }),
    );
    const outcome = await world.print(order);
    expect(outcome.kind).toBe("printed");
    expect(outcome.kind === "printed" ? outcome.warnings.length : 0).toBeGreaterThan(0);
    expect(faults.reduce((sum, { struck }) => sum + struck, 0)).toBe(1);
    expect(world.receipts).toHaveLength(1);
  });

  inSteps("a step that the register refuses leaves no receipt open", async (world) => {
    await world.openShift();
    world.register.addFault({ effect: "error", code: 115, when: secondItem });
    await world.print(order);
    expect(world.register.core.receipt).toBeNull();
    expect((await world.readState()).openReceipt).toBeNull();
  });

  check("an answer that comes twice is never taken for the answer to the next question", async (world) => {
    await world.openShift();
    world.register.device.addBehaviour(repeatingAnswers());
    const { core } = world.register;
    const { lastFd } = core;
    // This leaves an earlier answer on the wire; the reading may already fail because of it.
    await world.live(world.driver.readState(world.signal).catch(() => null));
    core.closeShift({ paper: false });
    const told = await world.live(world.driver.readState(world.signal).catch((error: unknown) => error));
    // The answer is current or a fault of the link: an outdated state would be believed.
    if (!isFault(told)) expect(told).toMatchObject({ lastFd: lastFd + 1, shift: { state: "closed" } });
    else expect(told.code).toMatch(/^link\./);
  });

  check(
    "no answer to the reading of the document's numbers after the close leaves a printed receipt or an unsure job",
    async (world) => {
      const fault = silenceAfter("close-receipt");
      world.register.device.addBehaviour(fault);
      await survive(world, null, ["printed", "unsure"]);
      expect(fault.struck).toBe(1);
    },
  );

  check(
    "a receipt on a drive whose documents cannot be read is at worst unsure, and its document is reported as unreadable",
    async (world) => {
      await world.openShift();
      const baseline = await world.baseline();
      world.register.addFault({ effect: "documents-unreadable", when: "now" });
      const outcome = await world.print(order);
      expect(["printed", "unsure"]).toContain(outcome.kind);
      await reconnect(world);
      const seen = await world.live(world.driver.documentsSince(baseline.lastFd, world.signal));
      expect(seen.map(({ fd }) => fd)).toEqual(world.register.core.documents.slice(-seen.length).map(({ fd }) => fd));
      expect(seen.at(-1)?.body).not.toBe("full");
    },
  );

  check("a receipt is printed on a slow device that answers byte by byte", async (world) => {
    await survive(world, { effect: "byte-by-byte", when: "now" }, ["printed"]);
  });

  test("a receipt is printed over a wire that delivers single bytes", () =>
    inWorld(
      subject,
      async (world) => {
        await world.openShift();
        expect((await world.print(order)).kind).toBe("printed");
        expect(world.receipts).toHaveLength(1);
      },
      { pieceBytes: 1 },
    ));

  const effects = ["unplug", "power-cut", "drop-answer"] as const;
  for (const effect of effects) {
    for (const direction of ["in", "out"] as const) {
      test(`a wire cut at any byte that the device ${direction === "in" ? "hears" : "says"} (${effect}) never doubles or loses a receipt`, async () => {
        const bytes = await bytesOfReceipt(subject, direction);
        const strideAt = (place: number) => (place > bytes * 0.6 ? strides.end : strides.before);
        for (let place = 1; place <= bytes; place += strideAt(place) * stride) {
          const when = { afterBytes: place, direction };
          const fault: FaultInput = effect === "drop-answer" ? { effect, when } : { effect, ms: 3_000, when };
          await inWorld(subject, async (world) => {
            await survive(world, fault, ["printed", "not-printed", "unsure"]);
          });
        }
      });
    }
  }
}

/** One receipt under a fault, recovery, then the receipt again if it is missing. Returns how often the fault acted. */
async function survive(world: ContractWorld, fault: FaultInput | null, allowed: readonly Kind[]): Promise<number> {
  await world.openShift();
  const program = await world.compileFirst(order);
  const baseline = await world.baseline();
  const added = fault === null ? { struck: 0 } : world.register.addFault(fault);
  const outcome = await world.live(world.driver.run(program, baseline, world.signal));
  const { struck } = added;
  expect(allowed).toContain(outcome.kind);
  const heldAtOnce = world.receipts.length;
  if (outcome.kind === "printed") {
    expect(heldAtOnce).toBe(1);
    expect(outcome.document?.fd).toBe(world.lastReceipt.fd);
  }
  if (outcome.kind === "not-printed") expect(heldAtOnce).toBe(0);

  world.register.clearFaults();
  await reconnect(world);
  const state = await world.fence();
  expect(state.openReceipt).toBeNull();
  const seen = await world.live(world.driver.documentsSince(baseline.lastFd, world.signal));
  const held = () => world.register.core.documents.filter(({ fd }) => fd > baseline.lastFd);
  expectSeen(seen, held(), world.driver.capabilities.documentBodies);
  expect(state.lastFd).toBe(world.register.core.lastFd);
  // No earlier command may take effect after the fence.
  await world.clock.advance(2 * LONG_MS);
  expectSeen(seen, held(), world.driver.capabilities.documentBodies);
  expect(world.receipts.length).toBeLessThanOrEqual(1);

  if (world.receipts.length === 0) {
    await reconnect(world);
    expect(await world.print(order)).toMatchObject({ kind: "printed" });
  }
  expect(world.receipts).toHaveLength(1);
  return struck;
}

/** Sends the previous answer again before each answer. */
function repeatingAnswers(): Behaviour {
  let previous = new Uint8Array();
  return {
    onAnswer(frame) {
      const both = Uint8Array.from([...previous, ...frame]);
      previous = Uint8Array.from(frame);
      return both;
    },
  };
}

/** The device answers the command and does not answer the next one. */
function silenceAfter(command: string): Behaviour & { readonly struck: number } {
  let seen = false;
  let struck = 0;
  return {
    get struck() {
      return struck;
    },
    onCommand({ names, answer }) {
      if (names.includes(command)) seen = true;
      else if (seen && struck === 0) {
        struck = 1;
        answer(null);
        return "handled";
      }
      return "pass";
    },
  };
}

async function bytesOfReceipt(subject: ContractSubject, direction: "in" | "out"): Promise<number> {
  let bytes = 0;
  await inWorld(subject, async (world) => {
    await world.openShift();
    const program = await world.compileFirst(order);
    const baseline = await world.baseline();
    world.register.device.addBehaviour({
      afterBytes: (passed) => {
        if (passed === direction) bytes += 1;
      },
    });
    await world.live(world.driver.run(program, baseline, world.signal));
  });
  return bytes;
}
