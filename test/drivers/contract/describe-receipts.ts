import { documentBody } from "@fiscald/emulators/memory/document-body.js";
import { type FiscalTag, textOf } from "@fiscald/emulators/memory/fiscal-tag.js";
import { encodeTag } from "@fiscald/emulators/memory/fn-tlv.js";
import { kopecks, quantity } from "@fiscald/shared/amounts.js";
import { isFault } from "@fiscald/shared/fault.js";
import { toInn } from "@fiscald/shared/ids.js";
import { itemsOf } from "@fiscald/shared/receipt/receipt.js";
import { type VatCode, vatRates } from "@fiscald/shared/receipt/vat.js";
import type { Skip } from "../skips.js";
import { expectDocument } from "./expect-document.js";
import { expectSent } from "./expect-sent.js";
import { allFeatures, type Feature, missingFeatures } from "./features.js";
import { item, receiptCases, sale } from "./receipts.js";
import type { ContractSubject } from "./subject.js";
import { type ContractWorld, inWorld, testsOn } from "./world.js";

/** `lacks`: features from the reviewed file skips.ts. */
export function describeReceipts(subject: ContractSubject, lacks: readonly Skip[]): void {
  const missing = new Set(lacks.map(({ feature }) => feature));
  const check = testsOn(subject);

  check("the driver lacks exactly the features that the reviewed file of skips names", async ({ driver }) => {
    const byName = (a: Feature, b: Feature) => allFeatures.indexOf(a) - allFeatures.indexOf(b);
    expect([...missingFeatures(driver.capabilities)].sort(byName)).toEqual([...missing].sort(byName));
  });

  for (const { title, needs, receipt } of receiptCases) {
    const sent = (world: ContractWorld) => receipt((vat) => world.taxOf(vat));
    const lacking = needs.filter((need) => missing.has(need));
    testsOn(subject, lacking.length === 0)(`the fiscal memory holds a printed receipt as sent: ${title}`, (world) =>
      expectPrinted(world, sent(world)),
    );
    testsOn(subject, lacking.length > 0)(
      `a receipt is refused before the first byte: ${title} (the register has no ${needs.join(", ")})`,
      async (world) => {
        const context = await world.context();
        expect(codeOf(() => world.driver.compile(sent(world), context))).toBe("receipt.unsupported");
      },
    );
  }

  check(
    "a receipt with every rate of the register is in the fiscal memory with each rate as the register names it",
    async (world) => {
      const rows = world.registerTables.taxes.filter(({ vat }) => vat !== null);
      expect(rows.length).toBeGreaterThan(5);
      await expectPrinted(
        world,
        sale({ lines: rows.map(({ id, title }) => item({ name: title, tax: id })), payments: electronic(rows.length) }),
      );
    },
  );

  test.each([11, 12, 1, 2] satisfies VatCode[])(
    "the register's tax table has VAT rate %i under the usual name",
    (vat) =>
      inWorld(subject, async (world) => {
        const row = world.registerTables.taxes.find((candidate) => candidate.vat === vat);
        expect(row?.title.replace(/\s/g, "")).toContain(vatRates[vat].title.replace(/^НДС\s*/, ""));
      }),
  );

  const able = !missing.has("internet");
  for (const length of able ? [64, 244, 245, 246, 247, 250, 256] : []) {
    check(`an internet address of ${length} letters reaches the fiscal memory whole`, (world) => {
      const url = "https://shop.example/".padEnd(length, "x");
      return expectPrinted(world, sale({ contact: "buyer@example.com", internet: { url } }));
    });
  }

  test.each(["ёлка@пример.рф", "müller@example.com"])(
    "the document has a buyer's address with rare letters (%s) unchanged, or the receipt is refused because of the address",
    (contact) =>
      inWorld(subject, async (world) => {
        const order = sale({ contact });
        try {
          await world.compile(order);
        } catch (error) {
          expect(isFault(error) ? [error.code, error.place] : error).toEqual(["receipt.unsupported", "contact"]);
          return;
        }
        await expectPrinted(world, order);
        const [seen] = await world.live(world.driver.documentsSince(world.lastReceipt.fd - 1, world.signal));
        expect(seen?.contact).toBe(contact);
      }),
  );

  check(
    "the order mark of an order number with rare letters is the same before the print and on the document",
    async (world) => {
      await world.openShift();
      const [program] = await world.compile(sale(), { mark: "Заказ №5 – ёлка 0badcafe" });
      if (program?.witness.kind !== "receipt") throw new Error("no receipt");
      expect((await world.run(program)).kind).toBe("printed");
      const { fd } = world.lastReceipt;
      const upTo = world.driver.documentsSince(fd - 2, world.signal, fd - 1);
      expect((await world.live(upTo)).map((document) => document.fd)).toEqual([fd - 1]);
      const [seen] = await world.live(world.driver.documentsSince(fd - 1, world.signal));
      expect(seen).toMatchObject({ fd, body: "full", mark: program.witness.mark });
      expect(program.witness.mark).toMatch(/ 0badcafe$/);
    },
  );

  check("a shift that a receipt opens names the receipt's own cashier", async (world) => {
    await expectPrinted(world, sale({ cashier: { name: "Петрова П.П.", inn: null } }));
    const opening = world.register.core.documents.find(({ type }) => type === "shift-open");
    expect(textOf(opening?.tags ?? [], 1021)).toBe("Петрова П.П.");
  });

  check(
    "the buyer is a container of tags in format 1.2, and single tags in older formats with the INN padded to twelve",
    async (world) => {
      const { ffd } = await world.connect();
      const buyer = { name: "ООО Ромашка", inn: toInn("7736050003") };
      await expectPrinted(world, sale({ contact: "b@example.org", requisites: { buyer } }));
      const body = documentBody(world.lastReceipt, world.register.core.registration);
      const container = body.find(({ tag }) => tag === 1256);
      const inside = container !== undefined && "items" in container ? container.items : [];
      const buyerTags = (tags: readonly FiscalTag[]) =>
        tags
          .filter(({ tag }) => tag === 1227 || tag === 1228)
          .map((tag) => [tag.tag, Buffer.from(encodeTag(tag)).subarray(4).toString("hex")]);
      const expected = [
        [1227, "8e8e8e2090aeaca0e8aaa0"],
        [1228, "373733363035303030332020"],
      ];
      expect({ inside: buyerTags(inside), beside: buyerTags(body) }).toEqual(
        ffd === "1.2" ? { inside: expected, beside: [] } : { inside: [], beside: expected },
      );
    },
  );

  test.each([
    ["the buyer's name", sale({ requisites: { buyer: { name: "Crème" } } })],
    ["the place of settlement", sale({ settlementPlace: "Café Пушкинъ" })],
    ["the supplier's name", sale({ lines: [item({ agent: { ...supplier, supplierName: "Ärzte" } })] })],
    ["the cashier's name", sale({ cashier: { name: "Zoë", inn: null } })],
    ["the additional requisite of a position", sale({ lines: [item({ requisites: { additional: "né" } })] })],
  ])("a register with a code page warns once of all letters in %s that its drive lacks", (_what, receipt) =>
    inWorld(subject, async (world) => {
      const warnings = (await world.compile(receipt)).flatMap((program) => program.warnings);
      const lost = warnings.filter((text) => text.startsWith("the register cannot hold"));
      expect(lost).toHaveLength(subject.holdsAnyLetter === true ? 0 : 1);
    }),
  );

  check("each of 100 lines that must be split counts as one or two positions, as the register counts", (world) => {
    const lines = Array.from({ length: 100 }, (_, at) =>
      item({ name: `Чай ${at}`, price: kopecks(67), quantity: quantity(3_000_000), total: kopecks(200) }),
    );
    return expectPrinted(world, sale({ lines, payments: electronic(2) }));
  });

  test.each([
    ["a name of 256 letters", { supplierName: "Щ".repeat(256), supplierPhones: ["+79990000001"] }],
    ["nine phones", { supplierName: null, supplierPhones: phones(9) }],
    ["four phones of the agent", { supplierName: null, supplierPhones: [], data: { agentPhones: phones(4) } }],
    ["four phones of the operator", { supplierName: null, supplierPhones: [], data: { operatorPhones: phones(4) } }],
  ])(
    "an agent's data with %s is in the drive uncut, or the receipt is refused before the first byte with the field's place",
    (_what, supplier) =>
      inWorld(subject, async (world) => {
        const receipt = sale({ lines: [item({ agent: { type: 64, supplierInn: null, ...supplier } })] });
        const context = await world.context();
        const before = world.bytesSent;
        try {
          world.driver.compile(receipt, context);
        } catch (error) {
          expect(isFault(error) ? [error.code, error.place] : error).toEqual([
            "receipt.unsupported",
            expect.stringMatching(/^items\[0\]\.agent/),
          ]);
          expect(world.bytesSent).toBe(before);
          return;
        }
        await expectPrinted(world, receipt);
      }),
  );

  check("a receipt whose tax row does not exist is refused before the first byte", async (world) => {
    const context = await world.context();
    const before = world.bytesSent;
    expect(codeOf(() => world.driver.compile(sale({ lines: [item({ tax: 250 })] }), context))).toBe(
      "device.tax-unknown",
    );
    expect(world.bytesSent).toBe(before);
  });

  check(
    "a receipt with a requisite of a later format is refused before the first byte with the field's place",
    async (world) => {
      if ((await world.connect()).ffd === "1.2") return;
      const industry = { authority: "030", date: "21.11.2023", number: "1944", value: "UUID=1" };
      const refused = (receipt: ReturnType<typeof sale>) => faultOf(() => world.driver.compile(receipt, context));
      const context = await world.context();
      expect(refused(sale({ lines: [item({ requisites: { industry } })] }))).toMatchObject({
        code: "receipt.unsupported",
        place: "items[0].requisites.industry",
      });
      expect(refused(sale({ requisites: { buyer: { address: "г. Тверь" } } }))).toMatchObject({
        code: "receipt.unsupported",
        place: "requisites.buyer",
      });
    },
  );

  check(
    "a register with several tax systems refuses a receipt that names none before the first byte",
    async (world) => {
      world.register.core.reregister({ taxSystems: 3 });
      await world.connect();
      const context = await world.context();
      expect(codeOf(() => world.driver.compile(sale(), context))).toBe("receipt.unsupported");
    },
  );

  test.each(["300", "abc", "1.5"])(
    "a receipt whose operational requisite has the number %s, which is not a byte, is refused before the first byte",
    (id) =>
      inWorld(subject, async (world) => {
        const operating = { id, data: "x", time: world.register.core.now() };
        const context = await world.context();
        expect(faultOf(() => world.driver.compile(sale({ requisites: { operating } }), context))).toMatchObject({
          code: "receipt.unsupported",
          place: expect.stringMatching(/^requisites\.operating/),
        });
      }),
  );

  // Part of Shtrih-M's firmware, PIRIT and the reference register refuse it; no source says that ATOL takes it.
  check("a receipt whose total is zero is refused before the first byte", async (world) => {
    const free = sale({ lines: [item({ price: kopecks(0), total: kopecks(0) })], payments: [] });
    const context = await world.context();
    expect(codeOf(() => world.driver.compile(free, context))).toBe("receipt.unsupported");
  });

  const electronicOnly = testsOn(subject, !missing.has("electronicOnly"));
  electronicOnly("a receipt that the buyer gets electronically is not printed on paper", async (world) => {
    await expectPrinted(world, sale({ contact: "buyer@example.com", printDoc: false }));
    expect(world.lastReceipt.printed).toBe(false);
  });

  electronicOnly(
    "a register without paper in use leaves the paper out only for a receipt with a contact",
    async (world) => {
      await world.print(sale({ contact: "buyer@example.com" }), { printPaper: false });
      expect(world.lastReceipt.printed).toBe(false);
      await world.print(sale(), { printPaper: false });
      expect(world.lastReceipt.printed).toBe(true);
    },
  );

  check("an electronic receipt without a contact is printed on paper, with a warning", async (world) => {
    const outcome = await world.print(sale({ printDoc: false }));
    expect(outcome.kind === "printed" ? outcome.warnings : []).toHaveLength(1);
    expect(world.lastReceipt.printed).toBe(true);
  });
}

const supplier = { type: 64, supplierPhones: [], supplierInn: null };

function phones(count: number): readonly string[] {
  return Array.from({ length: count }, (_, at) => `+7999000000${at}`);
}

async function expectPrinted(world: ContractWorld, receipt: ReturnType<typeof sale>): Promise<void> {
  const context = await world.context();
  const [sent] = (await world.compile(receipt)).flatMap((program) => program.sent ?? []);
  const outcome = await world.print(receipt);
  expect(outcome).toMatchObject({ kind: "printed", warnings: [] });
  expect(world.receipts).toHaveLength(1);
  const document = world.lastReceipt;
  expectDocument(document, receipt, context, world.spell);
  expect(document.lines.length).toBeGreaterThanOrEqual(itemsOf(receipt).length);
  expect(outcome.kind === "printed" ? outcome.document : null).toEqual({
    fn: document.fn,
    fd: document.fd,
    fiscalSign: String(document.fiscalSign).padStart(10, "0"),
    shift: document.shift,
    receiptNumber: document.receiptNumber,
    time: document.time,
  });
  await expectSent(world, sent, document.fd);
}

function electronic(items: number) {
  return [{ typeClose: 1, sum: kopecks(items * 10_000) }];
}

function codeOf(act: () => unknown): string {
  const error = faultOf(act);
  return isFault(error) ? error.code : String(error);
}

function faultOf(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  return "nothing was refused";
}
