import { kopecks } from "@fiscald/shared/amounts.js";
import { item, sale } from "../contract/receipts.js";
import { inService, type ServiceOptions, type ServiceWorld } from "./service-world.js";

const good = Buffer.from("0104601234567893215abc\u001d93dGVz", "latin1").toString("base64");
const other = codeOf("def");
const bad = codeOf("REJECT");
/** A code with the keyword that decides the result of the emulator's check. */
function codeOf(word: string): string {
  return Buffer.from(`0104601234567893215${word}\u001d93dGVz`, "latin1").toString("base64");
}

function seen(world: ServiceWorld): string[] {
  const names: string[] = [];
  world.register.device.addBehaviour({
    onCommand: (exchange) => {
      names.push(...exchange.names.slice(0, 1));
      return "pass";
    },
  });
  return names;
}

const ffd12: ServiceOptions = { ffd: 4 };

function marked(...codes: readonly (string | null)[]) {
  const lines = codes.map((markingCode, index) => item({ name: `Товар ${index + 1}`, markingCode }));
  return sale({ lines, payments: [{ typeClose: 1, sum: kopecks(lines.length * 10_000) }] });
}

const kinds: readonly (readonly [string, ServiceOptions])[] = [
  ["as an object", ffd12],
  ["as a list", { ...ffd12, unconfirmed: { markingParams: "list" }, options: { markingParamsAsList: true } }],
];

test.each(kinds)(
  "marking codes are checked one by one and bound unchanged to their positions (parameters %s)",
  (_title, options) =>
    inService(options, async (world) => {
      expect(await world.print(marked(good, null, other))).toMatchObject({ kind: "printed" });
      expect(world.lastReceipt.lines.map(({ mark, subject }) => [mark, subject])).toEqual([
        [Buffer.from(good, "base64").toString("hex"), 33],
        [null, 1],
        [Buffer.from(other, "base64").toString("hex"), 33],
      ]);
    }),
);

test("a marking code that is rejected fails the job before anything is registered, and the next receipt is printed", () =>
  inService(ffd12, async (world) => {
    expect(await world.print(marked(good, bad))).toMatchObject({
      kind: "not-printed",
      fault: { code: "device.marking-refused" },
    });
    expect(world.receipts).toEqual([]);
    expect((await world.print(marked(good))).kind).toBe("printed");
  }));

test("a marking code that only the marking system refuses is declined, and the next receipt is printed", () =>
  inService(ffd12, async (world) => {
    expect(await world.print(marked(codeOf("RECALL")))).toMatchObject({
      kind: "not-printed",
      fault: { code: "device.marking-refused", message: expect.stringContaining("marking system") },
    });
    expect(world.receipts).toEqual([]);
    expect((await world.print(marked(good))).kind).toBe("printed");
  }));

test.each([
  ["reported by the finished check", codeOf("OFFLINE"), null],
  ["reported as an error of the request", good, 421],
])(
  "when a marking server cannot be reached (%s), the drive's own check is enough and the code is sold with a warning",
  (_title, code, error) =>
    inService(ffd12, async (world) => {
      if (error !== null) {
        world.onCommand("getMarkingCodeValidationStatus", (exchange) => {
          exchange.answer(Uint8Array.from(Buffer.from(JSON.stringify({ code: error, result: null }))));
          return "handled";
        });
      }
      expect(await world.print(marked(code))).toMatchObject({
        kind: "printed",
        warnings: [{ code: "device.marking-unavailable" }],
      });
      expect(world.lastReceipt.lines[0]?.mark).toBe(Buffer.from(code, "base64").toString("hex"));
    }),
);

test("a check of a marking code that never finishes is cancelled, and the next receipt is printed", () =>
  inService(ffd12, async (world) => {
    const commands = seen(world);
    expect(await world.print(marked(codeOf("ENDLESS")))).toMatchObject({
      kind: "not-printed",
      fault: { code: "device.marking-unavailable" },
    });
    expect(commands).toContain("cancelMarkingCodeValidation");
    expect(world.receipts).toEqual([]);
    expect((await world.print(marked(good))).kind).toBe("printed");
  }));

test("a receipt with a marking code is printed when the table of earlier checks cannot be cleared", () =>
  inService(ffd12, async (world) => {
    world.onCommand("clearMarkingCodeValidationResult", ({ answer }) => {
      answer(Uint8Array.from(Buffer.from(JSON.stringify({ code: 410, result: null }))));
      return "handled";
    });
    expect(await world.print(marked(good))).toMatchObject({ kind: "printed", warnings: [] });
  }));

test("a check of a marking code that a broken link left unfinished does not hinder the next receipt", () =>
  inService(ffd12, async (world) => {
    world.register.addFault({
      effect: "unplug",
      ms: 2_000,
      when: { command: "getMarkingCodeValidationStatus", nth: 1 },
    });
    expect((await world.print(marked(good))).kind).toBe("unsure");
    await world.clock.advance(5_000);
    await world.connect();
    await world.fence();
    expect((await world.print(marked(good))).kind).toBe("printed");
    expect(world.receipts).toHaveLength(1);
  }));

/** The fields are those of the maker's manual, chapter Marking. */
test.each([
  ["sell", "itemPieceSold", "sale"],
  ["sellReturn", "itemPieceReturn", "return"],
] as const)(
  "a marking code is checked and sold with the fields that ATOL's reference names (%s)",
  (type, itemEstimatedStatus, operation) =>
    inService(ffd12, async (world) => {
      const tasks: unknown[] = [];
      for (const name of ["beginMarkingCodeValidation", type]) {
        world.onCommand(
          name,
          ({ command, names }) => {
            if (names[0] === name) tasks.push(JSON.parse(Buffer.from(command).toString()).task);
            return "pass";
          },
          null,
        );
      }
      expect((await world.print({ ...marked(good), operation })).kind).toBe("printed");
      const params = { imcType: "auto", imc: good, itemEstimatedStatus, imcModeProcessing: 0 };
      expect(tasks).toEqual([
        { type: "beginMarkingCodeValidation", params },
        expect.objectContaining({
          type,
          items: [
            {
              type: "position",
              name: "Товар 1",
              price: 100,
              quantity: 1,
              amount: 100,
              department: 1,
              measurementUnit: 0,
              paymentMethod: "fullPayment",
              paymentObject: 33,
              tax: { type: "vat22" },
              imcParams: {
                ...params,
                itemInfoCheckResult: {
                  imcCheckFlag: true,
                  imcCheckResult: true,
                  imcStatusInfo: true,
                  imcEstimatedStatusCorrect: true,
                  ecrStandAloneFlag: false,
                },
              },
            },
            { type: "userAttribute", name: "Заказ", value: expect.any(String), print: true },
          ],
        }),
      ]);
    }),
);
