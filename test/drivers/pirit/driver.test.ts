import { switchesOf } from "@fiscald/emulators/device/emulated-model.js";
import { piritSettings } from "@fiscald/emulators/pirit/settings.js";
import { kopecks } from "@fiscald/shared/amounts.js";
import { addSeconds, secondsBetween } from "@fiscald/shared/local-time.js";
import { makeService as printing, makeService as service } from "../../support/make-job.js";
import { expectSeen } from "../contract/expect-seen.js";
import { pirit } from "../contract/maker-subjects.js";
import { item, sale, text } from "../contract/receipts.js";
import { type ContractWorld, inWorld } from "../contract/world.js";
import { count, heard } from "./subject.js";

const zReport = service([{ type: "report", report: "z" }]);

async function onlyProgram(world: ContractWorld, receipt = sale()) {
  await world.openShift();
  const [program] = await world.compile(receipt);
  if (program === undefined) throw new Error("no program");
  return program;
}

describe("the start of work on a PIRIT", () => {
  test("work on a PIRIT is started once after power-on, with the register's own time, and never for a reading command", () =>
    inWorld(pirit(), async (world) => {
      const { core } = world.register;
      core.advanceClock(300);
      const before = core.now();
      const names = heard(world);
      await world.connect();
      await world.readState();
      expect(count(names, "start-work")).toBe(0);
      await world.print(sale());
      await world.print(sale());
      expect(count(names, "start-work")).toBe(1);
      // The clock of this world stands still while nothing waits for it.
      expect(secondsBetween(before, core.now())).toBeLessThan(60);
    }));

  test("work on a PIRIT is started before a receipt that a loss of power left open is cancelled", () =>
    inWorld(pirit(), async (world) => {
      const program = await onlyProgram(world);
      world.register.addFault({ effect: "power-cut", ms: 1_000, when: { command: "item", nth: 1 } });
      expect((await world.run(program)).kind).toBe("unsure");
      await world.clock.advance(5_000);
      await world.connect();
      const names = heard(world);
      const state = await world.fence();
      expect([state.openReceipt, world.register.core.receipt]).toEqual([null, null]);
      expect(names.indexOf("start-work")).toBeGreaterThan(-1);
      expect(names.indexOf("cancel-receipt")).toBeGreaterThan(names.indexOf("start-work"));
    }));
});

describe("a receipt that a PIRIT's drive holds and its paper does not", () => {
  test("a PIRIT receipt whose paper ended in state 8 is finished by command 31, is not cancelled and is registered once", () =>
    inWorld(pirit(), async (world) => {
      const program = await onlyProgram(world);
      const names = heard(world);
      world.register.addFault({ effect: "paper-out", when: { command: "close-receipt", nth: 1 } });
      expect(await world.run(program)).toMatchObject({ kind: "unsure", fault: { code: "device.paper-out" } });

      const without = await world.fence();
      expect([without.print, without.blockedBy?.code, without.openReceipt]).toEqual([
        "unfinished",
        "device.paper-out",
        null,
      ]);
      world.register.clearFaults();
      const state = await world.fence();
      expect([state.print, state.blockedBy, state.lastFd]).toEqual(["idle", null, without.lastFd]);
      expect([count(names, "close-receipt"), count(names, "cancel-receipt")]).toEqual([1, 0]);
      expect(world.receipts).toHaveLength(1);
    }));

  test("a PIRIT receipt whose paper ended is finished before the next receipt is printed", () =>
    inWorld(pirit(), async (world) => {
      const program = await onlyProgram(world);
      world.register.addFault({ effect: "paper-out", when: { command: "close-receipt", nth: 1 } });
      await world.run(program);
      world.register.clearFaults();
      const names = heard(world);
      expect((await world.print(sale())).kind).toBe("printed");
      expect(count(names, "finish-print")).toBe(1);
      expect(world.receipts).toHaveLength(2);
    }));

  test("the closing command 31 is not sent again to a PIRIT in state 4 when its answer was lost", () =>
    inWorld(pirit(), async (world) => {
      const program = await onlyProgram(world);
      const names = heard(world);
      world.register.addFault({ effect: "silent", when: { command: "close-receipt", nth: 1 } });
      expect((await world.run(program)).kind).toBe("unsure");
      await world.connect();
      expect((await world.fence()).openReceipt).toBeNull();
      expect([count(names, "close-receipt"), count(names, "cancel-receipt")]).toEqual([1, 1]);
      expect(world.receipts).toEqual([]);
    }));

  test("a paid receipt that a PIRIT cannot cancel stays open for a person, and the driver does not close it", () =>
    inWorld(pirit({ unconfirmed: { "cancel-when-paid": "refused" } }), async (world) => {
      const program = await onlyProgram(world);
      const names = heard(world);
      world.register.addFault({ effect: "error", code: 0x43, when: { command: "close-receipt", nth: 1 } });
      expect(await world.run(program)).toMatchObject({ kind: "unsure", fault: { code: "device.fn-failure" } });
      expect(await world.faultOf(world.driver.fence({ cancelOpen: true }, world.signal))).toBe("device.receipt-stuck");
      expect(count(names, "close-receipt")).toBe(1);
      expect(world.receipts).toEqual([]);
    }));
});

describe("a Z report of a PIRIT whose paper ended", () => {
  test("a PIRIT's Z report whose paper ended is finished by command 21 if status flag 8 is set, and the shift is closed once", () =>
    inWorld(pirit(), async (world) => {
      await world.print(sale());
      world.register.addFault({ effect: "paper-out", when: { command: "close-shift", nth: 1 } });
      expect((await world.print(zReport)).kind).toBe("unsure");
      expect((await world.fence()).print).toBe("unfinished");
      world.register.clearFaults();
      const state = await world.fence();
      expect([state.print, state.shift.state]).toEqual(["idle", "closed"]);
      expect(world.register.core.documents.filter(({ type }) => type === "shift-close")).toHaveLength(1);
    }));
});

describe("a PIRIT slip that was left open", () => {
  test("a slip that a failed print left open on a PIRIT is removed before the next document", () =>
    inWorld(pirit(), async (world) => {
      world.register.addFault({ effect: "cover-open", when: { command: "text", nth: 2 } });
      const outcome = await world.print(printing([text("раз"), text("два"), text("три")]));
      expect(outcome).toMatchObject({ kind: "not-printed", fault: { code: "device.cover-open" } });
      expect((await world.readState()).openReceipt).toBeNull();
      world.register.clearFaults();
      expect((await world.print(sale())).kind).toBe("printed");
    }));
});

describe("a frame that a PIRIT could not read", () => {
  test("an item frame that a PIRIT could not read is sent again, and the receipt has the item once", () =>
    inWorld(pirit(), async (world) => {
      const program = await onlyProgram(
        world,
        sale({
          lines: [item({ name: "Чай" }), item({ name: "Кофе" })],
          payments: [{ typeClose: 1, sum: kopecks(20_000) }],
        }),
      );
      world.register.addFault({ effect: "error", code: 0x07, when: { command: "item", nth: 1 } });
      expect((await world.run(program)).kind).toBe("printed");
      expect(world.lastReceipt.lines.map(({ name }) => name)).toEqual(["Чай", "Кофе"]);
    }));

  test("a closing frame that a PIRIT could not read leaves the receipt unsure", () =>
    inWorld(pirit(), async (world) => {
      const program = await onlyProgram(world);
      const names = heard(world);
      world.register.addFault({ effect: "error", code: 0x07, when: { command: "close-receipt", nth: 1 } });
      expect(await world.run(program)).toMatchObject({ kind: "unsure", fault: { code: "link.corrupt" } });
      expect(count(names, "close-receipt")).toBe(1);
    }));
});

describe("what is unconfirmed about PIRIT", () => {
  const others = Object.entries(switchesOf(piritSettings)).flatMap(([name, values]) =>
    values.slice(1).map((value) => [name, value] as const),
  );

  test.each(others)("a shift on a PIRIT is opened, sold in, closed and read back when %s is %s", (name, value) =>
    // Without the unlisted rows there is 22 % only where it replaced 20 %.
    inWorld(
      pirit({ unconfirmed: { ...(name === "listed-tax-rows" ? { "vat-22": "renamed" } : {}), [name]: value } }),
      async (world) => {
        const before = world.register.core.lastFd;
        expect((await world.print(sale({ contact: "buyer@example.com" }))).kind).toBe("printed");
        const totals = await world.live(world.driver.readShiftTotals(world.signal));
        expect((await world.print(zReport)).kind).toBe("printed");
        expect(await world.live(world.driver.readShiftTotals(world.signal))).toEqual(totals);
        const seen = await world.live(world.driver.documentsSince(before, world.signal));
        expectSeen(seen, world.register.core.documents.slice(before), "full");
      },
    ),
  );

  test.each(["with-type", "without-type"])(
    "a PIRIT document whose tags cannot be read is reported by its archive block (%s)",
    (value) =>
      inWorld(pirit({ unconfirmed: { "archive-block": value } }), async (world) => {
        await world.print(sale());
        world.register.addFault({ effect: "error", code: 0x43, when: { command: "read-tlv", nth: 1 } });
        const [seen] = await world.live(world.driver.documentsSince(world.lastReceipt.fd - 1, world.signal));
        expect(seen).toMatchObject({
          type: "receipt",
          operation: "sale",
          total: 10_000,
          fiscalSign: String(world.lastReceipt.fiscalSign).padStart(10, "0"),
          body: "unreadable",
          mark: null,
        });
      }),
  );

  test("tags of another document than a PIRIT was asked for are not taken for the document's own", () =>
    inWorld(pirit(), async (world) => {
      const read = () => world.live(world.driver.documentsSince(world.lastReceipt.fd - 1, world.signal));
      const kept: Uint8Array[] = [];
      let isOther = false;
      world.register.device.addBehaviour({
        onCommand({ names, act, answer }) {
          if (!names.includes("document-body") && !names.includes("read-tlv")) return "pass";
          const own = act() ?? Uint8Array.of();
          if (!isOther) kept.push(own);
          // The first byte is the packet id of the request.
          answer(isOther ? Uint8Array.of(...own.slice(0, 1), ...(kept.shift() ?? []).slice(1)) : own);
          return "handled";
        },
      });
      await world.print(sale({ contact: "buyer@example.com" }));
      expect(await read()).toMatchObject([{ body: "full", contact: "buyer@example.com" }]);
      await world.print(sale());
      isOther = true;
      expect(await read()).toMatchObject([{ fd: world.lastReceipt.fd, body: "unreadable", contact: null }]);
    }));

  test("the driver waits 45 seconds for a close on a PIRIT that answers ENQ at once", () =>
    inWorld(pirit({ unconfirmed: { "enquiry-while-busy": "at-once" } }), async (world) => {
      const program = await onlyProgram(world);
      world.register.addFault({ effect: "late", ms: 45_000, when: { command: "close-receipt", nth: 1 } });
      expect((await world.run(program)).kind).toBe("printed");
      expect(world.receipts).toHaveLength(1);
    }));

  const online = sale({ contact: "buyer@example.com", internet: { url: "https://shop.example" } });

  // Command 31 of the maker's manual of FM16: cut flag, tag 1008, flags (bit 0 = internet), tag 1187.
  test.each([
    [{}, "1"],
    [{ internetFlag: 4 }, "4"],
  ])("an internet receipt is closed on a PIRIT with its tags and the options %j", (options, flags) =>
    inWorld(pirit({ unconfirmed: { "internet-flag": flags }, options }), async (world) => {
      expect(await world.print(online)).toMatchObject({ kind: "printed", warnings: [] });
    }),
  );

  test.each([
    ["no flag stands for tag 1125", { "internet-flag": "none" }, online, /1125.*internetFlag/],
    ["another flag stands for tag 1125", { "internet-flag": "4" }, online, /1125.*internetFlag/],
    ["the register drops the place", { "place-of-settlement": "dropped" }, online, /place of settlement/],
    [
      "the register drops the place",
      { "place-of-settlement": "dropped" },
      sale({ settlementPlace: "Тверь" }),
      /place of settlement/,
    ],
  ])(
    "a PIRIT receipt whose document differs from what was sent is printed with a warning: %s",
    (_, unconfirmed, receipt, words) =>
      inWorld(pirit({ unconfirmed }), async (world) => {
        const outcome = await world.print(receipt);
        expect(outcome).toMatchObject({ kind: "printed", warnings: [{ code: "receipt.unsupported" }] });
        expect(outcome.kind === "printed" ? outcome.warnings[0]?.message : "").toMatch(words);
        expect(world.receipts).toHaveLength(1);
      }),
  );

  test("tax rows that a PIRIT does not list exist only with the option unlistedTaxRows", async () => {
    const unconfirmed = { "listed-tax-rows": "6", "vat-22": "renamed" };
    const rows = async (unlistedTaxRows: boolean) => {
      let ids: readonly number[] = [];
      await inWorld(pirit({ unconfirmed, options: { unlistedTaxRows } }), async (world) => {
        ids = world.registerTables.taxes.map(({ id }) => id);
      });
      return ids;
    };
    expect(await rows(false)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(await rows(true)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });
});

describe("marking codes on a PIRIT", () => {
  const marked = (code: string) =>
    sale({ lines: [item({ subject: 33, markingCode: Buffer.from(code, "latin1").toString("base64") })] });

  test("a marking code that a PIRIT refuses fails the receipt before anything is registered, and the code is dropped", () =>
    inWorld(pirit({ ffd: 4 }), async (world) => {
      await world.openShift();
      const fd = world.register.core.lastFd;
      const names = heard(world);
      const decisions: string[] = [];
      world.register.device.addBehaviour({
        onCommand: ({ command, names: [, name] }) => {
          if (name === "accept-mark") decisions.push(Buffer.from(command.slice(7)).toString("latin1"));
          return "pass";
        },
      });
      const outcome = await world.print(marked("010460000000000021REJECT"));
      expect(outcome).toMatchObject({ kind: "not-printed", fault: { code: "device.marking-refused" } });
      // The decision 0 of 79/2 drops a code.
      expect(decisions).toEqual(["2\u001c0\u001c"]);
      expect(count(names, "open-receipt")).toBe(0);
      expect([world.register.core.lastFd, world.register.core.receipt]).toEqual([fd, null]);
    }));

  test("marking codes on a PIRIT are all checked before the document is opened, and each is bound before its item", () =>
    inWorld(pirit({ ffd: 4 }), async (world) => {
      await world.openShift();
      const names = heard(world);
      const lines = ["010460000000000021A-1", "010460000000000021B-2"].map((code) =>
        item({ name: code, subject: 33, markingCode: Buffer.from(code).toString("base64") }),
      );
      await world.print(sale({ lines, payments: [{ typeClose: 1, sum: kopecks(20_000) }] }));
      expect(names.filter((name) => /mark|item|open-receipt/.test(name))).toEqual([
        "marking",
        "check-mark",
        "accept-mark",
        "check-mark",
        "accept-mark",
        "open-receipt",
        "bind-mark",
        "item",
        "bind-mark",
        "item",
      ]);
      expect(world.lastReceipt.lines.map(({ mark }) => Buffer.from(mark ?? "", "hex").toString())).toEqual([
        "010460000000000021A-1",
        "010460000000000021B-2",
      ]);
    }));
});

describe("the clock of a PIRIT", () => {
  test("a PIRIT refuses to set its clock more than a day ahead, because a person has to decide", () =>
    inWorld(pirit(), async (world) => {
      const now = world.register.core.now();
      const outcome = await world.print(service([{ type: "sync-time" }]), { localTime: addSeconds(now, 3 * 86_400) });
      expect(outcome).toMatchObject({ kind: "not-printed", fault: { code: "device.clock" } });
      expect(world.register.core.now()).toBe(now);
    }));

  test("a PIRIT whose clock is before its last document prints no receipt until the right time is set", () =>
    inWorld(pirit(), async (world) => {
      const { core } = world.register;
      core.advanceClock(-3_600);
      const [program] = await world.compile(sale());
      if (program === undefined) throw new Error("no program");
      expect(await world.run(program)).toMatchObject({ kind: "not-printed", fault: { code: "device.clock" } });
      const right = addSeconds(core.now(), 3_660);
      expect((await world.print(service([{ type: "sync-time" }]), { localTime: right })).kind).toBe("printed");
      expect((await world.print(sale())).kind).toBe("printed");
    }));
});

describe("a password that is not the register's", () => {
  test("connecting to a PIRIT with a wrong password is the fault device.wrong-password", async () => {
    await expect(inWorld(pirit({ options: { password: "ABCD" } }), async () => {})).rejects.toMatchObject({
      code: "device.wrong-password",
    });
  });
});
