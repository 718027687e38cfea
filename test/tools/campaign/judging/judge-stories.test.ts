/** Tests of the judge of stories: every answer that is not the expected one is reported. */

import { seeded } from "../../../support/seeded.js";
import { type Request, type Story, tellOf } from "../plan/story.js";
import type { RegisteredDocument } from "../processes/registered-document.js";
import { judgeStories } from "./judge-stories.js";
import { documentItem, sampleDocument, toldOf as told } from "./samples.js";
import { Telling } from "./telling.js";
import { type Findings, noFindings, type ReportedResult } from "./verdict.js";

function story(name: string, isKit = false): Story {
  return tellOf(name, seeded(1), { number: 1, site: 0, isKit, kkm: undefined });
}

function documentOf({ order }: Request, fd: number): RegisteredDocument {
  const { operation, totalKopecks, label } = order;
  const items = [documentItem(`${label} строка 1`, 1)];
  return sampleDocument({ fd, operation, totalKopecks, items, receiptNumber: fd });
}

/** The result with which the daemon reports a document. */
function toldOf({ writtenId, receiptId }: Request, document: RegisteredDocument, over: ReportedResult = {}) {
  return told(document, { orderId: writtenId, ...(receiptId === null ? {} : { receiptId }), ...over });
}

const unknown: ReportedResult = { outcome: "unknown", resultCode: 4, orderId: "s1" };

interface Scene {
  readonly telling: Telling;
  readonly receipts: RegisteredDocument[];
  print(): void;
  hear(result: ReportedResult): void;
  readonly findings: Partial<Findings>;
}

function begin(name: string, options: { readonly mayFail?: boolean; readonly cannotBeKnown?: boolean } = {}): Scene {
  const telling = new Telling(story(name), () => "7b0c3a52-0000-4000-8000-000000000001");
  const receipts: RegisteredDocument[] = [];
  let messages = 0;
  const hear = (result: ReportedResult) => {
    messages += 1;
    telling.hear(result, String(messages));
  };
  return {
    ...{ telling, receipts, hear },
    print() {
      if (telling.open === null) throw new Error("nothing is asked for");
      const document = documentOf(telling.open, receipts.length + 1);
      receipts.push(document);
      hear(toldOf(telling.open, document));
    },
    get findings() {
      const { mayFail = false, cannotBeKnown = false } = options;
      const whyUndecidable = () => (cannotBeKnown ? "a reason" : null);
      const found = judgeStories({ tellings: [telling], receipts, mayFail, whyUndecidable });
      return Object.fromEntries(Object.entries(found).filter(([, keys]) => keys.length > 0));
    },
  };
}

const again = { resultCode: 4, again: false };

describe("two equal refunds", () => {
  function secondRefund(
    options?: Parameters<typeof begin>[1],
  ): Scene & { readonly tellOfFirst: (over: ReportedResult) => void } {
    const scene = begin("two equal refunds", options);
    scene.print();
    scene.print();
    const [sale, back] = scene.telling.story.requests;
    const [ofSale, ofBack] = scene.receipts;
    if (sale === undefined || back === undefined || ofSale === undefined || ofBack === undefined) throw new Error();
    scene.hear(toldOf(sale, ofSale));
    return {
      ...scene,
      tellOfFirst: (over) => scene.hear(toldOf(back, ofBack, over)),
      get findings() {
        return scene.findings;
      },
    };
  }

  test("the campaign's judge accepts a second equal refund that is answered with code 4 and the first refund's numbers", () => {
    const scene = secondRefund();
    scene.tellOfFirst(again);
    scene.print();
    scene.hear({
      ...{ orderId: "s1", outcome: "failed", operation: "sell_refund", total: 30, ...again },
      resultInfo: "возвратов стало бы на 60,50 ₽, а продано на 40,50 ₽",
    });
    expect(scene.findings).toEqual({});
    expect(scene.telling.hasEnded).toBe(true);
  });

  test("the campaign's judge counts a second equal refund as lost when it gets the first refund's success", () => {
    const scene = secondRefund();
    scene.tellOfFirst({});
    expect(scene.findings).toEqual({ lost: ["s1#4"] });
    expect(scene.telling.open).toBeNull();
  });

  test.each([
    ["without `again`", { resultCode: 4 }],
    ["as if it could be printed later", { resultCode: 4, again: true }],
    ["without numbers", { ...again, outcome: "failed", fdNumber: undefined }],
    ["with other numbers", { ...again, fdNumber: "7" }],
    ["as a wrong value", { ...again, resultCode: 1 }],
  ])("the campaign's judge reports a second equal refund that is refused %s", (_, over) => {
    const scene = secondRefund();
    scene.tellOfFirst(over);
    expect(scene.findings).toEqual({ wronglyReported: ["s1#4"] });
  });

  test("the campaign's judge reports a second equal refund that is printed although the shop sent no receiptIds", () => {
    const scene = secondRefund();
    scene.print();
    expect(scene.findings).toEqual({ lost: ["s1#4"], doubled: ["s1-return-10"] });
  });

  test("the campaign's judge reports a second equal refund that is never answered", () => {
    expect(secondRefund().findings).toEqual({ unreported: ["s1#4"] });
    expect(secondRefund().telling.isAtRest).toBe(false);
  });

  test("the campaign's judge accepts unsure equal refunds only when nobody can know the outcome", () => {
    const scene = secondRefund();
    scene.hear({ ...unknown, operation: "sell_refund" });
    expect(scene.findings).toEqual({ unsure: ["s1#4"] });
    expect(scene.telling.isAtRest).toBe(true);
    const excused = secondRefund({ cannotBeKnown: true });
    excused.hear(unknown);
    expect(excused.findings).toEqual({ undecidable: ["s1#4"] });
  });

  test("the campaign's judge reports a message of one equal refund that comes twice or is about another receipt", () => {
    const { telling, receipts } = secondRefund();
    const [sale, back] = telling.story.requests;
    const [ofSale, ofBack] = receipts;
    if (sale === undefined || back === undefined || ofSale === undefined || ofBack === undefined) throw new Error();
    telling.hear(toldOf(back, ofBack), "2");
    telling.hear(toldOf(sale, ofSale), "new");
    telling.hear(toldOf(back, ofBack, { receiptId: "another" }), "newer");
    expect(telling.made.at(-1)?.results).toEqual([]);
  });
});

test("the campaign's judge accepts the result `failed` of a sale that its register was set to refuse, if no document exists", () => {
  const failed = { orderId: "s1", outcome: "failed", resultCode: 4, operation: "sell" };
  const strict = begin("sold again");
  strict.hear(failed);
  expect(strict.findings).toEqual({ lost: ["s1#1"] });
  const lenient = begin("sold again", { mayFail: true });
  const [sale] = lenient.telling.story.requests;
  lenient.hear(failed);
  expect(lenient.findings).toEqual({});
  if (sale !== undefined) lenient.receipts.push(documentOf(sale, 1));
  expect(lenient.findings).toEqual({ doubled: ["s1-sale-10-20.5"] });
});

describe("a sale after the whole return", () => {
  function soldAgain(info: string): Scene {
    const scene = begin("sold again");
    scene.print();
    scene.print();
    const [sale] = scene.telling.story.requests;
    const [document] = scene.receipts;
    if (sale === undefined || document === undefined) throw new Error();
    scene.hear(toldOf(sale, document, { ...again, resultInfo: info }));
    return scene;
  }

  test("the campaign's judge accepts code 4 with both documents for a sale repeated after its whole return", () => {
    expect(soldAgain("напечатан: ФД 1 от 2026-11-20, и возвращён: ФД 2 от 2026-11-20").findings).toEqual({});
  });

  test("the campaign's judge reports an answer to a sale repeated after its whole return that does not name the return", () => {
    expect(soldAgain("напечатан: ФД 1 от 2026-11-20").findings).toEqual({ wronglyReported: ["s1#3"] });
  });
});

describe("a receiptId that is used again", () => {
  const refused = { outcome: "failed", resultCode: 1 };

  function usedAgain(result: (request: Request, first: ReportedResult) => ReportedResult): Scene {
    const scene = begin("one id for all");
    scene.print();
    const [first, second] = scene.telling.story.requests;
    const [document] = scene.receipts;
    if (first === undefined || second === undefined || document === undefined) throw new Error();
    scene.hear(result(second, toldOf(first, document)));
    return scene;
  }

  test("the campaign's judge lets the shop go on when a second use of a receiptId is refused under the order number as sent", () => {
    const { telling } = usedAgain(({ writtenId }) => ({ ...refused, orderId: writtenId }));
    expect(telling.made).toHaveLength(3);
  });

  test("the campaign's judge reports a second use of a receiptId that gets the first receipt and no refusal", () => {
    const scene = usedAgain((_, first) => first);
    expect(scene.findings).toEqual({ lost: ["s1x#2"] });
    scene.hear({ ...refused, orderId: "s1x" });
    expect(scene.findings).toEqual({ unreported: ["s1#3"] });
  });

  test("the campaign's judge reports a refusal of a receiptId's second use that contains the receiptId", () => {
    const scene = usedAgain(({ writtenId, receiptId }) => ({ ...refused, orderId: writtenId, receiptId }));
    expect(scene.findings).toEqual({ wronglyReported: ["s1x#2"] });
  });
});

test("the campaign's judge reports a refund with its own id that gets another's document, or is printed twice", () => {
  const scene = begin("two equal refunds with ids");
  scene.print();
  scene.print();
  const [, , third] = scene.telling.story.requests;
  const [, ofSecond] = scene.receipts;
  if (third === undefined || ofSecond === undefined) throw new Error();
  scene.hear(toldOf(third, ofSecond));
  expect(scene.findings).toEqual({ lost: ["s1#3"] });
  scene.receipts.push(documentOf(third, 8), documentOf(third, 9));
  expect(scene.findings).toEqual({ lost: ["s1#3"], doubled: ["s1-return-10"] });
});

describe("a site that is made with the kit", () => {
  function enqueued(name: string, ...said: Parameters<Telling["hearAtOnce"]>[0][]): Partial<Findings> {
    const telling = new Telling(story(name, true), () => "");
    const receipts: RegisteredDocument[] = [];
    for (const [index, one] of said.entries()) {
      const { open } = telling;
      telling.hearAtOnce(one);
      if (open === null || !("isNew" in one) || !one.isNew) continue;
      const document = documentOf(open, index + 1);
      receipts.push(document);
      telling.hear(toldOf(open, document, { receiptId: one.receiptId }), String(index));
    }
    const found = judgeStories({ tellings: [telling], receipts, mayFail: false, whyUndecidable: () => null });
    const kinds = Object.keys(noFindings()) as (keyof Findings)[];
    return Object.fromEntries(kinds.flatMap((kind) => (found[kind].length > 0 ? [[kind, found[kind]]] : [])));
  }
  const added = (receiptId: string) => ({ receiptId, isNew: true });

  test("the campaign's judge accepts a kit's site whose receipts have the expected ids and refusals", () => {
    const refused = [{ refusedAs: "job.already-printed" }, added("c"), { refusedAs: "job.return-exceeds-sale" }];
    expect(enqueued("two equal refunds", added("a"), added("b"), { receiptId: "a", isNew: false }, ...refused)).toEqual(
      {},
    );
  });

  test.each([
    ["a second equal refund", { receiptId: "b", isNew: false }, { lost: ["s1#4"] }],
    ["a second equal refund, printed", added("d"), { lost: ["s1#4"], doubled: ["s1-return-10"] }],
  ])("the campaign's judge reports a kit's site when the kit says that %s is queued", (_, said, findings) => {
    const before = [added("a"), added("b"), { receiptId: "a", isNew: false }];
    expect(enqueued("two equal refunds", ...before, said)).toMatchObject(findings);
  });

  test("the campaign's judge reports a kit's site that gives a repeated sale a new receipt", () => {
    expect(enqueued("two equal refunds", added("a"), added("b"), added("c"))).toMatchObject({
      wronglyReported: ["s1#3"],
    });
  });

  test("the campaign's judge reports a kit's site that accepts the receiptId of another receipt", () => {
    expect(enqueued("one id for all", added("a"), { receiptId: "a", isNew: false })).toEqual({ lost: ["s1x#2"] });
  });
});
