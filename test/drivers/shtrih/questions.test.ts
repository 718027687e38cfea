import { readFfd } from "@fiscald/drivers/shtrih/read/read-facts.js";
import { ReceiptCounts } from "@fiscald/drivers/shtrih/read/receipt-counts.js";
import { registerByHand } from "@fiscald/emulators/control/control-routes.js";
import { kopecks } from "@fiscald/shared/amounts.js";
import { toFnSerial } from "@fiscald/shared/ids.js";
import { addSeconds } from "@fiscald/shared/local-time.js";
import { item, sale } from "../contract/receipts.js";
import { shtrihSubject } from "../contract/shtrih-subject.js";
import { type ContractWorld, inWorld } from "../contract/world.js";
import { talkTo } from "./scripted-device.js";

const subject = (model: string) => shtrihSubject({ model, link: "v1", wire: "tcp" });

/** Codes of the commands that reach the register from now on. */
function listen({ register }: ContractWorld): string[] {
  const codes: string[] = [];
  register.device.addBehaviour({
    onCommand({ names }) {
      codes.push(names[0] ?? "");
      return "pass";
    },
  });
  return codes;
}

async function printOne(world: ContractWorld) {
  const state = await world.live(world.driver.readState(world.signal, { forReceipt: true }));
  const { fn, lastFd, shift } = state;
  const context = {
    shift: shift.state,
    mark: "A-1 0badcafe",
    cashier: null,
    taxSystem: null,
    defaultTax: null,
    printPaper: true,
    tables: world.registerTables,
    images: new Map(),
    localTime: world.register.core.now(),
  };
  const [program] = world.driver.compile(sale({ lines: [item({ tax: 11 }), item({ tax: 11 })] }), context);
  if (program === undefined) throw new Error("nothing to print");
  return world.live(world.driver.run(program, { fn, lastFd, shift, drawer: null }, world.signal));
}

const STATE = ["11", "FF01", "FF40"];
const STATE_WITH_PRINT_RESULT = ["11", "10", "FF01", "FF40"];
const RECEIPT = ["8D", "FF46", "FF46", "FF0C", "10", "89", "FF45"];
/** Queries that prove the document: the drive's last number, and this document. */
const PROOF = ["FF01", "FF0A"];
const GAUGES = ["FF03", "FF39", "1A", "1A", "1A", "FF63"];

describe("the queries of one receipt to a Shtrih-M", () => {
  test.each([
    ["desktop", STATE],
    ["smartpos", STATE_WITH_PRINT_RESULT],
  ])("a receipt on a %s reads the state, the receipt, the subtotal and the proof, and nothing else", (model, state) =>
    inWorld(subject(model), async (world) => {
      await world.openShift();
      await world.readState();
      const codes = listen(world);
      expect(await printOne(world)).toMatchObject({ kind: "printed", document: { shift: 1, receiptNumber: 1 } });
      expect(await printOne(world)).toMatchObject({ kind: "printed", document: { shift: 1, receiptNumber: 2 } });
      expect(codes).toEqual([...state, ...RECEIPT, ...PROOF, ...state, ...RECEIPT, ...PROOF]);
      expect(world.receipts.map(({ receiptNumber }) => receiptNumber)).toEqual([1, 2]);
    }),
  );

  test("values that no receipt on a Shtrih-M depends on are read again only after a minute, a new shift or a new connection", () =>
    inWorld(subject("desktop"), async (world) => {
      const codes = listen(world);
      const read = async (forReceipt: boolean) => {
        codes.length = 0;
        await world.live(world.driver.readState(world.signal, { forReceipt }));
        return codes;
      };
      await world.connect();
      expect(await read(true)).toEqual([...STATE, ...GAUGES]);
      await world.clock.advance(59_999);
      expect(await read(true)).toEqual(STATE);
      expect(await read(false)).toEqual([...STATE, ...GAUGES]);
      await world.openShift();
      expect(await read(true)).toEqual(expect.arrayContaining(GAUGES));
      expect(await read(true)).toEqual(STATE);
      await world.clock.advance(60_001);
      expect(await read(true)).toEqual([...STATE, ...GAUGES]);
      await world.connect();
      expect(await read(true)).toEqual([...STATE, ...GAUGES]);
    }));

  test("a full reading of a Shtrih-M shows the drawer's present sum", () =>
    inWorld(subject("desktop"), async (world) => {
      await world.openShift();
      await world.readState();
      await printOne(world);
      expect((await world.readState()).drawer?.cash).toBe(world.register.core.cash);
      expect(world.register.core.cash).toBeGreaterThan(0);
    }));

  test("a Shtrih-M with another drive has the opening time of that drive's shift, although both shifts have one number", () =>
    inWorld(subject("desktop"), async (world) => {
      await world.openShift();
      const { shift, shiftOpenedAt } = await world.readState();
      world.register.core.swapDrive("9999078900000002");
      await world.clock.advance(3_600_000);
      await world.openShift();
      const later = shiftOpenedAt === null ? "unknown" : addSeconds(shiftOpenedAt, 3600);
      expect(await world.readState()).toMatchObject({ shift, shiftOpenedAt: later });
    }));

  test("before the first step the driver waits for a Shtrih-M that has not reported itself idle", () =>
    inWorld(subject("desktop"), async (world) => {
      await world.openShift();
      await printOne(world);
      const codes = listen(world);
      const { fn, lastFd } = world.register.core;
      const programs = await world.compile(sale());
      // The state of the register is unknown before the first run, because nothing has read it.
      for (const [number, program] of [...programs, ...programs].entries()) {
        codes.length = 0;
        const baseline = { fn: toFnSerial(fn), lastFd: lastFd + number, shift: { number: 1, state: "open" as const } };
        await world.live(world.driver.run(program, { ...baseline, drawer: null }, world.signal));
        expect(codes.slice(0, 2)).toEqual(number === 0 ? ["8D", "FF46"] : ["10", "8D"]);
      }
    }));

  test("for a receipt after another program's document, the receipt's number in the shift is read from the Shtrih-M", () =>
    inWorld(subject("desktop"), async (world) => {
      await world.openShift();
      await world.readState();
      const before = await world.baseline();
      const [program] = await world.compile(sale());
      if (program === undefined) throw new Error("nothing to print");
      registerByHand(world.register.core, { operation: "sale", totalKopecks: kopecks(100), name: "Tea" });
      const codes = listen(world);
      const outcome = await world.live(world.driver.run(program, before, world.signal));
      expect(outcome).toMatchObject({ kind: "printed", document: { fd: before.lastFd + 2, receiptNumber: 2 } });
      expect(codes.slice(-3)).toEqual([...PROOF, "FF40"]);
    }));
});

describe("the tables of a Shtrih-M", () => {
  const rateOfRow = (row: number, command: Uint8Array) =>
    Buffer.from(command).toString("hex") === `1f1e00000006${row.toString(16).padStart(2, "0")}0001`;

  test.each([
    ["a row without a rate", 2, 1234],
    ["the rate of another row", 2, 2200],
    ["another row's rate although only one row has it", 11, 1000],
  ])("the tax table of a Shtrih-M is read again when one altered answer says %s", (_what, row, rate) =>
    inWorld(subject("desktop"), async (world) => {
      const before = await world.live(world.driver.readTables(world.signal));
      let isStruck = false;
      world.register.device.addBehaviour({
        onCommand: ({ command, act, answer }) => {
          if (isStruck || !rateOfRow(row, command)) return "pass";
          isStruck = true;
          act();
          answer(Uint8Array.of(0x1f, 0x00, rate & 0xff, rate >> 8));
          return "handled";
        },
      });
      expect(await world.live(world.driver.readTables(world.signal))).toEqual(before);
      expect(isStruck).toBe(true);
    }),
  );

  test("a real tax table of a Shtrih-M is accepted as it is, even with a row of an unlawful rate", () =>
    inWorld(subject("desktop"), async (world) => {
      world.register.device.addBehaviour({
        onCommand: ({ command, act, answer }) => {
          if (!rateOfRow(2, command)) return "pass";
          act();
          answer(Uint8Array.of(0x1f, 0x00, 0xd2, 0x04));
          return "handled";
        },
      });
      const { taxes } = await world.live(world.driver.readTables(world.signal));
      expect(taxes.find(({ id }) => id === 2)?.vat).toBeNull();
    }));
});

test("the document format of a Shtrih-M is read from its second table when the first table gives no answer", async () => {
  const talk = await talkTo((request) => Uint8Array.of(0x1f, 0x00, ...(request.slice(15, 17) === "0A" ? [4] : [])));
  const signal = new AbortController().signal;
  expect(await readFfd(talk, { ffdTable: null, ffdField: null }, signal)).toBe("1.2");
});

describe("the documents of a shift of a Shtrih-M", () => {
  test("documents of a shift are not looked for in earlier shifts when the shift's opening is not recognised", () =>
    inWorld(subject("desktop"), async (world) => {
      const { core } = world.register;
      for (let shift = 0; shift < 3; shift += 1) {
        await world.openShift();
        for (let receipt = 0; receipt < 5; receipt += 1)
          registerByHand(core, { operation: "sale", totalKopecks: kopecks(100), name: "Tea" });
        if (shift < 2) core.closeShift({ paper: false });
      }
      const openings = core.documents.filter(({ type }) => type === "shift-open");
      const last = openings.at(-1)?.fd;
      const codes = listen(world);
      world.register.device.addBehaviour({
        onCommand: ({ command, act, answer }) => {
          if (command[0] !== 0xff || command[1] !== 0x0a || command[6] !== last) return "pass";
          const found = act();
          // No paper of the maker names a document of this form.
          answer(found === null ? null : Uint8Array.from(found, (byte, at) => (at === 3 ? 0x63 : byte)));
          return "handled";
        },
      });
      expect(await world.live(world.driver.readShiftTotals(world.signal))).toBeNull();
      expect(codes.filter((code) => code === "FF0A")).toHaveLength(7);
    }));
});

describe("the number of a Shtrih-M receipt in its shift", () => {
  const fn = toFnSerial("9999078900000001");
  const count = { fn, lastFd: 7, shift: 3, isOpen: true, receipts: 4 };

  test.each([
    ["nothing was read", null, { fn, fd: 8 }, null],
    ["the receipt is the next document", count, { fn, fd: 8 }, { shift: 3, receipt: 5 }],
    ["another document is in between", count, { fn, fd: 9 }, null],
    ["the receipt is an old document", count, { fn, fd: 7 }, null],
    ["the drive has changed", count, { fn: toFnSerial("9999078900000002"), fd: 8 }, null],
    ["the shift was closed", { ...count, isOpen: false }, { fn, fd: 8 }, null],
  ])(
    "the number of a receipt in its shift follows from earlier readings, or stays unknown: %s",
    (_name, seen, asked, expected) => {
      const counts = new ReceiptCounts();
      if (seen !== null) counts.note(seen);
      expect(counts.nextAfter(asked)).toEqual(expected);
    },
  );
});
