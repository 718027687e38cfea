/** Every carried tag through every entrance to every maker: it is in the document, or named in the refusal. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { compareTags } from "@fiscald/drivers/compare-tags.js";
import { driverNames } from "@fiscald/drivers/registry.js";
import { documentBody } from "@fiscald/emulators/memory/document-body.js";
import type { FiscalTag } from "@fiscald/emulators/memory/fiscal-tag.js";
import { isFault } from "@fiscald/shared/fault.js";
import type { Receipt } from "@fiscald/shared/receipt/receipt.js";
import { readTags } from "../drivers/contract/expect-sent.js";
import { type ContractWorld, inWorld } from "../drivers/contract/world.js";
import { comparedTagsPage, measureTags, uncomparedTags } from "../support/compared-tags.js";
import { fiscalTagsPage } from "../support/fiscal-tags.js";
import { problemsFrom } from "../support/order-samples.js";
import { root } from "../support/read-imports.js";
import {
  at22,
  carriedRows,
  cloudBody,
  cloudEntrances,
  cloudTable,
  entrances,
  makerSubjects,
  refusedRows,
  registerForTwoTaxSystems,
  rowsByPosition,
  rowsFor,
} from "../support/tag-samples.js";

/** Whether the tag has this value, wherever the tag stands. */
function hasValue(tags: readonly FiscalTag[], tag: number, seen: string): boolean {
  return tags.some((one) => {
    if ("items" in one) return hasValue(one.items, tag, seen) || (one.tag === tag && hasPart(one.items, seen));
    const { tag: number, ...value } = one;
    return number === tag && Object.values(value).map(String).join() === seen;
  });
}

function hasPart(items: readonly FiscalTag[], seen: string): boolean {
  return JSON.stringify(items).includes(seen);
}

async function bodyOf(world: ContractWorld, receipt: Receipt): Promise<readonly FiscalTag[]> {
  expect(await world.print(at22(receipt, world.taxOf(11)))).toMatchObject({ kind: "printed" });
  return documentBody(world.lastReceipt, world.register.core.registration);
}

type Rows = ReturnType<typeof rowsFor>;

function receiptBy(entrance: string, rows: Rows) {
  const receipt = entrances[entrance]?.(rows);
  if (receipt === undefined) throw new Error("no such entrance");
  return receipt;
}

const cases = driverNames.flatMap((maker) =>
  ([2, 4] as const).flatMap((ffd) => Object.keys(entrances).map((entrance) => ({ maker, ffd, entrance }))),
);

test.each(cases)(
  "a receipt on $maker with format $ffd has every tag of $entrance in its document",
  async ({ maker, ffd, entrance }) => {
    await inWorld(makerSubjects[maker](ffd), async (world) => {
      await registerForTwoTaxSystems(world);
      for (const rows of rowsByPosition(maker, ffd)) {
        const body = await bodyOf(world, receiptBy(entrance, rows));
        expect(rows.filter(({ tag, sample }) => !hasValue(body, tag, sample.seen)).map(({ tag }) => tag)).toEqual([]);
      }
    });
  },
);

test.each(driverNames.flatMap((maker) => ([2, 4] as const).map((ffd) => ({ maker, ffd }))))(
  "a receipt on $maker with format $ffd that names no tag has no value by which the tests know a tag",
  async ({ maker, ffd }) => {
    await inWorld(makerSubjects[maker](ffd), async (world) => {
      const body = await bodyOf(world, receiptBy("the online format", []));
      expect(carriedRows.filter(({ tag, sample }) => hasValue(body, tag, sample.seen)).map(({ tag }) => tag)).toEqual(
        [],
      );
    });
  },
);

test.each(driverNames.map((maker) => ({ maker })))(
  "a receipt on $maker in format 1.2 has the buyer in a container tag of its document",
  async ({ maker }) => {
    const rows = rowsFor(maker, 4).filter(({ tag }) => tag === 1227 || tag === 1228);
    const receipt = receiptBy("the online format", rows);
    await inWorld(makerSubjects[maker](4), async (world) => {
      await world.print(at22(receipt, world.taxOf(11)));
      expect(documentBody(world.lastReceipt, world.register.core.registration)).toContainEqual({
        tag: 1256,
        items: [
          { tag: 1227, text: "Romashka" },
          { tag: 1228, text: "7736050003" },
        ],
      });
    });
  },
);

test.each(carriedRows.filter(({ refusedBy = [] }) => refusedBy.length > 0))(
  "tag $tag is refused, and named in the fault, by the makers that do not support it",
  async (row) => {
    for (const maker of driverNames.filter((name) => row.refusedBy?.includes(name))) {
      await inWorld(makerSubjects[maker](4), async (world) => {
        const receipt = receiptBy("the online format", [row]);
        const error: unknown = await world.compile(receipt).catch((fault: unknown) => fault);
        expect(isFault(error) && error.code).toBe("receipt.unsupported");
        expect(isFault(error) && error.message).toContain(`tag ${row.tag}`);
      });
    }
  },
);

test.each(
  Object.entries(cloudEntrances).flatMap(([entrance, readBody]) =>
    refusedRows.map((row) => ({ entrance, readBody, ...row })),
  ),
)("tag $tag, which fiscald does not support, is refused at $key by $entrance", ({ readBody, key, value }) => {
  expect(() => readBody(cloudBody([]))).not.toThrow();
  const place = key.replace(/^items\[\]/, "receipt.items[0]");
  expect(() => readBody(cloudBody([[key, value]]))).toThrow(expect.objectContaining({ place }));
});

test.each((["root", "line"] as const).flatMap((at) => refusedRows.map((row) => ({ at, ...row }))))(
  "tag $tag, which fiscald does not support, is refused in a task table at the $at",
  ({ at, key, value }) => {
    const head = at === "root" ? "" : "taskTable[0].param.";
    const place = key.startsWith("items[].")
      ? key.replace("items[]", "taskTable[1].param")
      : `${head}${key.replace(/^receipt\./, "")}`;
    expect(problemsFrom(cloudTable([[key, value]], at)).map(({ path }) => path)).toEqual([place]);
  },
);

test("docs/FISCAL-TAGS.md is up to date with the table of tags (else: npm run docs)", () => {
  expect(readFileSync(join(root, "docs/FISCAL-TAGS.md"), "utf8")).toBe(fiscalTagsPage());
});

test.each(driverNames.map((maker) => ({ maker })))(
  "a document of $maker in format 1.2 with pieces (tag 2108) is as it was sent, and with grams it is not",
  ({ maker }) =>
    inWorld(makerSubjects[maker](4), async (world) => {
      await world.openShift();
      const program = await world.compileFirst(at22(receiptBy("the online format", []), world.taxOf(11)));
      await world.run(program);
      const read = await readTags(world, world.lastReceipt.fd);
      if (program.sent === undefined || read === undefined) throw new Error("a program or a document without tags");
      const { sent } = program;
      const inGrams = { ...read, items: read.items.map((line) => ({ ...line, 2108: 10 })) };
      const found = [read, inGrams].map((document) => compareTags(sent, document, new Set()).differences);
      expect(found).toEqual([[], [{ tag: 2108, sent: "0", read: "10", weight: "warn" }]]);
    }),
);

let measuring: ReturnType<typeof measureTags> | null = null;
const measured = () => {
  measuring ??= measureTags();
  return measuring;
};

test("docs/COMPARED-TAGS.md is up to date with the makers' registers (else: npm run docs)", async () => {
  expect(readFileSync(join(root, "docs/COMPARED-TAGS.md"), "utf8")).toBe(comparedTagsPage(await measured()));
});

test("every tag that a maker's register is sent and lets the driver read is compared after the receipt", async () => {
  const makers = [...(await measured())];
  expect(makers.map(([maker, tags]) => [maker, uncomparedTags(tags)])).toEqual(driverNames.map((maker) => [maker, []]));
});
