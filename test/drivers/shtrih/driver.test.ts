import { compareTags } from "@fiscald/drivers/compare-tags.js";
import { changesReceipt } from "@fiscald/drivers/receipt-setting.js";
import { switchesOf } from "@fiscald/emulators/device/emulated-model.js";
import { shtrihSettings } from "@fiscald/emulators/shtrih/settings.js";
import { kopecks } from "@fiscald/shared/amounts.js";
import { taxFault } from "@fiscald/shared/receipt/register-fit.js";
import { readTags } from "../contract/expect-sent.js";
import { item, sale } from "../contract/receipts.js";
import { shtrihSubject } from "../contract/shtrih-subject.js";
import { inWorld } from "../contract/world.js";

const subject = (given: Parameters<typeof shtrihSubject>[0] = {}) => shtrihSubject({ wire: "tcp", ...given });

const MARK = Buffer.from("0104601234567893215abc\u001d93dGVz", "latin1").toString("base64");

describe("facts that the papers of Shtrih-M leave open", () => {
  const others = Object.entries(switchesOf(shtrihSettings)).flatMap(([name, [, ...values]]) =>
    values.map((value) => ({ name, value, options: name === "vat-7-107" ? { tax7of107As90: true } : {} })),
  );

  test.each(others)(
    "receipts on a Shtrih-M with $name = $value are printed and read back",
    ({ name, value, options }) =>
      inWorld(subject({ unconfirmed: { [name]: value }, options }), async (world) => {
        const lines = [item({ tax: 10 }), item({ tax: 11 })];
        const payments = [{ typeClose: 1, sum: world.sum(lines) }];
        expect(await world.print(sale({ lines, payments }))).toMatchObject({ kind: "printed", warnings: [] });
        const documents = await world.live(world.driver.documentsSince(0, world.signal));
        expect(documents.at(-1)).toMatchObject({ body: "full", total: world.sum(lines), mark: "A-1 0badcafe" });
      }),
  );

  test.each(others)(
    "a receipt on a Shtrih-M with $name = $value whose answer was lost is found by its order mark",
    ({ name, value, options }) =>
      inWorld(subject({ unconfirmed: { [name]: value }, options }), async (world) => {
        await world.print(sale());
        const before = await world.baseline();
        world.register.addFault({ effect: "unplug", ms: 1_000, when: { command: "close-receipt", nth: 1 } });
        const outcome = await world.print(sale());
        expect(outcome.kind).toBe("unsure");
        await world.clock.advance(2_000);
        await world.connect();
        const state = await world.fence(true);
        const found = await world.live(world.driver.documentsSince(before.lastFd, world.signal));
        expect(found.filter(({ mark }) => mark === "A-1 0badcafe")).toHaveLength(world.receipts.length - 1);
        expect(state.lastFd).toBe(world.register.core.lastFd);
      }),
  );
});

describe("the paper switch of a Shtrih-M", () => {
  test("when another program has set paper off for one document, paper is switched on for the next receipt on paper", () =>
    inWorld(subject(), async (world) => {
      const first = async () => (await world.compile(sale())).flatMap(({ steps }) => steps.map(({ name }) => name));
      expect(await first()).not.toContain("paper-on");
      world.register.core.setMakerSetting("table.17.1.7", "01");
      await world.live(world.driver.readIdentity?.(world.signal) ?? Promise.reject(new Error("it has no identity")));
      expect(await first()).toContain("paper-on");
    }));
});

describe("the tax bytes of a SHTRIH-NANO-F", () => {
  test("a SHTRIH-NANO-F, recognised by its name, sells at 22 % VAT without an option", () =>
    inWorld(subject({ model: "nano", options: {} }), async (world) => {
      const order = sale({ lines: [item({ tax: world.taxOf(11) })] });
      expect((await world.print(order, { mark: null })).kind).toBe("printed");
    }));
});

describe("a tag that a Shtrih-M refuses", () => {
  test("a receipt whose order mark the Shtrih-M refuses is not printed, and the fault names the tag", () =>
    inWorld(subject({ model: "nano" }), async (world) => {
      const outcome = await world.print(sale());
      expect(outcome).toMatchObject({ kind: "not-printed", fault: { code: "device.order-mark-refused" } });
      if (outcome.kind === "not-printed") expect(outcome.fault.message).toContain("tag 1084: FF0C tag: error 33h");
      expect(world.receipts).toEqual([]);
    }));

  test.each([
    ["receipt-tag", "tag 1021: FF0C tag: error 33h"],
    ["item-tag", "tag 1230: FF4D item tag: error 33h"],
  ])("when a Shtrih-M refuses a %s, the fault names that tag", (command, words) =>
    inWorld(subject(), async (world) => {
      await world.openShift();
      world.register.addFault({ effect: "error", code: 0x33, when: { command, nth: 1 } });
      const outcome = await world.print(sale({ lines: [item({ countryCode: "643" })] }));
      expect(outcome).toMatchObject({ kind: "not-printed", fault: { code: "device.bad-value" } });
      if (outcome.kind === "not-printed") expect(outcome.fault.message).toContain(words);
    }),
  );
});

describe("the place of an item's tags on Shtrih-M", () => {
  const order = () => sale({ lines: [item({ countryCode: "643" }), item()] });

  test.each([
    ["desktop", "no"],
    ["smartpos", "yes"],
  ] as const)(
    "tags on a %s are sent before or after their item as the option says, which is here %s",
    (model, tagsBeforeItem) =>
      inWorld(subject({ model, options: { tagsBeforeItem, link: "auto" } }), async (world) => {
        expect((await world.print(order())).kind).toBe("printed");
        expect(world.lastReceipt.lines.map(({ tags }) => tags.some(({ tag }) => tag === 1230))).toEqual([true, false]);
      }),
  );

  test("item tags that the option sends after the item are refused by the emulated SmartPOS at the close", () =>
    inWorld(subject({ model: "smartpos", options: { tagsBeforeItem: "no", link: "auto" } }), async (world) => {
      expect(await world.print(order())).toMatchObject({ kind: "printed" });
      const last = sale({ lines: [item(), item({ countryCode: "643" })] });
      expect(await world.print(last)).toMatchObject({ kind: "unsure", fault: { code: "device.closing-refused" } });
    }));
});

describe("a Shtrih-M that was registered with a place of settlement", () => {
  const registered = subject({ unconfirmed: { "place-of-settlement": "registered" } });

  test.each([
    ["an internet receipt", { contact: "a@b.ru", internet: { url: "https://shop.example" } }],
    ["a receipt with a place of its own", { settlementPlace: "Москва" }],
  ])(
    "a Shtrih-M registered with a place of payment (tag 1187) refuses the close of %s, and the fault says why",
    (_, over) =>
      inWorld(registered, async (world) => {
        const outcome = await world.print(sale(over));
        expect(outcome).toMatchObject({ kind: "unsure", fault: { code: "device.place-refused" } });
        expect(world.receipts).toEqual([]);
      }),
  );

  test("a Shtrih-M registered with a place of payment (tag 1187) sells a receipt without such a place", () =>
    inWorld(registered, async (world) => {
      expect((await world.print(sale())).kind).toBe("printed");
      world.register.addFault({ effect: "error", code: 0x33, when: { command: "close-receipt", nth: 1 } });
      expect(await world.print(sale())).toMatchObject({ kind: "unsure", fault: { code: "device.closing-refused" } });
    }));
});

describe("behaviour of real Shtrih-M registers", () => {
  test("a second position refused with error 36h leaves no receipt open, and the receipt is printed once when sent again", () =>
    inWorld(subject(), async (world) => {
      await world.openShift();
      world.register.addFault({ effect: "error", code: 0x36, when: { command: "item", nth: 2 } });
      const order = sale({ lines: [item(), item()], payments: [{ typeClose: 1, sum: kopecks(20_000) }] });
      const refused = await world.print(order);
      expect(refused).toMatchObject({ kind: "not-printed" });
      if (refused.kind === "not-printed") expect(refused.fault.message).toContain("36h");
      expect(world.receipts).toEqual([]);
      expect(await world.print(order)).toMatchObject({ kind: "printed", warnings: [] });
      expect(world.receipts.map(({ total, lines }) => [total, lines.length])).toEqual([[20_000, 2]]);
    }));

  test("the driver waits 45 seconds for a Shtrih-M's opening and close, and one receipt is printed", () =>
    inWorld(subject(), async (world) => {
      const late = ["open-shift", "close-receipt"].map((command) =>
        world.register.addFault({ effect: "late", ms: 45_000, when: { command, nth: 1 } }),
      );
      expect(await world.print(sale())).toMatchObject({ kind: "printed", warnings: [] });
      expect(late.map(({ struck }) => struck)).toEqual([1, 1]);
      expect(world.receipts.map(({ total }) => total)).toEqual([10_000]);
    }));

  test("a return of 120.00 whose tax byte becomes CBh is registered with 22 % VAT, and the difference is recorded", () =>
    inWorld(subject({ model: "poscenter" }), async (world) => {
      await world.openShift();
      const line = { price: kopecks(12_000), total: kopecks(12_000), tax: 1 };
      const [program] = await world.compile(sale({ operation: "return", lines: [item(line)] }));
      if (program?.sent === undefined) throw new Error("no receipt");
      const { sent } = program;
      const settings = (await world.live(world.driver.readSettings?.(world.signal) ?? Promise.resolve([]))) ?? [];
      const holding = settings.filter((setting) => changesReceipt(setting, sent));
      expect(holding.map(({ place, value, right }) => [place.en, value, right])).toEqual([
        ["table 17, field 71", "1", ["0", "2"]],
      ]);
      world.register.device.addBehaviour({
        onCommand({ command, names }) {
          if (names.includes("item")) command[28] = command[28] === 0x01 ? 0xcb : 0;
          return "pass";
        },
      });
      expect(await world.run(program)).toMatchObject({ kind: "printed" });
      const read = await readTags(world, world.lastReceipt.fd);
      expect(read?.items.map((tags) => [tags[1199], tags[1043]])).toEqual([[11, 12_000]]);
      const { differences } = compareTags(sent, read ?? { head: {}, items: [] }, new Set());
      expect(differences).toEqual([{ tag: 1199, sent: "1", read: "11", weight: "hold" }]);
    }));

  test("a tax row of 18 % VAT named НДС 20% has an unlawful rate, and a receipt with this row is refused with both values", () =>
    inWorld(subject(), async (world) => {
      world.register.core.setMakerSetting("table.6.1.1", "0807");
      const { taxes } = await world.live(world.driver.readTables(world.signal));
      expect(taxes.find(({ id }) => id === 1)).toEqual({ id: 1, title: '"НДС 20%" (18 %)', vat: null });
      const fault = taxFault(sale({ lines: [item({ name: "Чай", tax: 1 })] }), [taxes]);
      expect(fault).toMatchObject({
        code: "device.tax-unknown",
        message: '"Чай": tax row 1 is "НДС 20%" (18 %), which is no rate of the law',
      });
    }));
});

describe("a marked item on a Shtrih-M", () => {
  /** Shtrih-M protocol, 8.10: the answer of an autonomous register has no further fields. */
  test("an item with a marking code is sold without a warning by an autonomous Shtrih-M, which asks no marking system", () =>
    inWorld(subject({ ffd: 4 }), async (world) => {
      world.register.device.addBehaviour({
        onCommand: ({ names, act, answer }) => {
          if (!names.includes("check-mark")) return "pass";
          act();
          answer(Uint8Array.of(0xff, 0x61, 0x00, 0x03, 0x00, 0x01, 0x00));
          return "handled";
        },
      });
      const outcome = await world.print(sale({ lines: [item({ markingCode: MARK })] }));
      expect(outcome).toMatchObject({ kind: "printed", warnings: [] });
    }));

  test.each([
    [0xd3, "device.marking-unparsed", "the marking code cannot be parsed"],
    [0x34, "device.marking-unavailable", "no data"],
    [0xa2, "device.marking-unavailable", "marking blocked"],
    [0xd5, "device.printer-fault", "the printer did not start"],
  ])(
    "an item whose marking check a Shtrih-M answers with error %i is not printed, and the fault has its real meaning",
    (code, fault, words) =>
      inWorld(subject({ ffd: 4 }), async (world) => {
        await world.openShift();
        world.register.addFault({ effect: "error", code, when: { command: "check-mark", nth: 1 } });
        const outcome = await world.print(sale({ lines: [item({ markingCode: MARK })] }));
        expect(outcome).toMatchObject({ kind: "not-printed", fault: { code: fault } });
        if (outcome.kind === "not-printed") expect(outcome.fault.message).toContain(words);
      }),
  );
});

describe("a refusal of a Shtrih-M", () => {
  const refuse = async (model: "desktop" | "smartpos", breaksWords = false) => {
    let message = "";
    await inWorld(subject({ model, options: { link: "auto" } }), async (world) => {
      await world.openShift();
      if (breaksWords) world.register.addFault({ effect: "unplug", ms: 10, when: { command: "error-text", nth: 1 } });
      world.register.addFault({ effect: "error", code: 0x33, when: { command: "item", nth: 1 } });
      const outcome = await world.print(sale());
      if (outcome.kind !== "printed") message = outcome.fault.message;
      expect(world.receipts).toEqual([]);
    });
    return message;
  };

  test("a refusal has the Shtrih-M's own text on a model that gives texts, and no such text on another model", async () => {
    expect(await refuse("smartpos")).toMatch(/error 33h, bad parameters \("ОШИБКА 33H"\)$/);
    expect(await refuse("desktop")).toMatch(/error 33h, bad parameters$/);
  });

  test("a refusal stays the same fault when the Shtrih-M does not give its text", async () => {
    expect(await refuse("smartpos", true)).toMatch(/error 33h, bad parameters$/);
  });
});

describe("paper of a Shtrih-M that was switched off for an electronic receipt", () => {
  test("a Shtrih-M's paper is on for the next receipt, even if an electronic receipt was never finished", () =>
    inWorld(subject(), async (world) => {
      await world.print(sale());
      world.register.addFault({ effect: "unplug", ms: 1_000, when: { command: "item", nth: 1 } });
      expect((await world.print(sale({ printDoc: false, contact: "a@b.ru" }))).kind).toBe("unsure");
      await world.clock.advance(2_000);
      await world.connect();
      await world.fence(true);
      expect((await world.print(sale())).kind).toBe("printed");
      expect(world.lastReceipt.printed).toBe(true);
    }));
});

describe("a Shtrih-M whose owner has set what is printed", () => {
  test.each([
    ["nothing", "02"],
    ["shift documents to the SD card", "03"],
  ])("an electronic receipt on a Shtrih-M keeps its owner's setting of what is printed: %s", (_, setting) =>
    inWorld(subject(), async (world) => {
      const { core } = world.register;
      core.setMakerSetting("table.17.1.7", setting);
      await world.connect();
      expect((await world.print(sale({ printDoc: false, contact: "a@b.ru" }))).kind).toBe("printed");
      expect([world.lastReceipt.printed, core.makerSetting("table.17.1.7")]).toEqual([false, setting]);
    }),
  );
});

test("the driver waits before the next receipt while a Shtrih-M is still printing", () =>
  inWorld(subject({ timing: "realistic" }), async (world) => {
    for (const fd of [3, 4]) {
      expect((await world.print(sale())).kind).toBe("printed");
      expect(world.register.core.lastFd).toBe(fd);
    }
  }));
