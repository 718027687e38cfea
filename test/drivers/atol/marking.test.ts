import { kopecks } from "@fiscald/shared/amounts.js";
import { item, sale } from "../contract/receipts.js";
import { inService, type ServiceOptions } from "./service-world.js";

const good = Buffer.from("0104601234567893215abc\u001d93dGVz", "latin1").toString("base64");
const bad = Buffer.from("0104601234567893215REJECT\u001d93dGVz", "latin1").toString("base64");
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
  "codes are checked one by one and bound to their positions, untouched (parameters %s)",
  (_title, options) =>
    inService(options, async (world) => {
      expect(await world.print(marked(good, null, good.replace(/^./, "N")))).toMatchObject({ kind: "printed" });
      expect(world.lastReceipt.lines.map(({ mark, subject }) => [mark, subject])).toEqual([
        [Buffer.from(good, "base64").toString("hex"), 33],
        [null, 1],
        [Buffer.from(good.replace(/^./, "N"), "base64").toString("hex"), 33],
      ]);
    }),
);

test("a rejected code fails the job before anything is registered, and the next receipt is printed", () =>
  inService(ffd12, async (world) => {
    expect(await world.print(marked(good, bad))).toMatchObject({
      kind: "not-printed",
      fault: { code: "device.marking-refused" },
    });
    expect(world.receipts).toEqual([]);
    expect((await world.print(marked(good))).kind).toBe("printed");
  }));

test("a marking server that cannot be reached leaves the drive's own check, and the code is sold", () =>
  inService(ffd12, async (world) => {
    world.onCommand("getMarkingCodeValidationStatus", (exchange) => {
      exchange.answer(Uint8Array.from(Buffer.from(JSON.stringify({ code: 421, result: null }))));
      return "handled";
    });
    expect((await world.print(marked(good))).kind).toBe("printed");
  }));

test("a marked position is refused on a register of FFD 1.05, not sold as unmarked", () =>
  inService({}, async (world) => {
    await expect(world.compile(marked(good))).rejects.toMatchObject({ code: "receipt.unsupported" });
  }));
