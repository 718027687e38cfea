import { whyJob } from "@fiscald/daemon/console/troubles/find-troubles.js";
import { notOfferedTroubles } from "@fiscald/daemon/console/troubles/order-troubles.js";
import type { Job } from "@fiscald/daemon/store/job.js";
import { Fault } from "@fiscald/shared/fault.js";
import { toKkm, toOrderId, toRegisterId, toSiteId } from "@fiscald/shared/ids.js";
import { makeJob } from "../../../support/make-job.js";
import { makeSnapshot } from "../../../support/make-snapshot.js";
import { makePresent, NOON, troublesIn } from "../../../support/trouble-facts.js";

const shop = toSiteId("shop");
const paused = { ...makeSnapshot({}), pausedSince: 5 };
const facts = makePresent({ registers: [paused] });
const unknown = {
  raw: 1,
  isOrder: false,
  site: shop,
  since: NOON,
  at: NOON,
  order: "",
  details: { code: "order.unreadable" },
};

test.each([
  ["an order", "site", shop, "A-1", "register-paused"],
  ["a person's return of an order", "operator", shop, "A-1", "register-paused"],
  ["a person's correction for no site", "operator", null, "A-1", "register-paused"],
  ["a person's report", "operator", null, null, "waits-for-turn"],
  ["a closing", "schedule", null, null, "waits-for-turn"],
] as const)(
  "the cause shown for %s on a paused register depends on what a paused register still prints",
  (_, source, site, order, kind) => {
    const orderId = order === null ? null : toOrderId(order);
    const job = makeJob({ source, site, orderId, register: paused.settings.id, state: "queued" });
    expect(whyJob(job, facts)).toMatchObject([{ kind }]);
  },
);

test.each([
  [60, shop, 1, true],
  [59, shop, 1, false],
  [60, shop, 2, false],
  [60, toSiteId("other"), 1, false],
] as const)(
  "when the site has offered only one order for %d s (site %s, job %d), its trouble says that the site is stuck: %p",
  (seconds, site, job, isSaid) => {
    const stuckAt = new Map([[toKkm("1"), { job, since: NOON - seconds * 1000 }]]);
    const present = makePresent({ sites: [{ site, fault: null, since: null, polled: new Map(), stuckAt }] });
    const held = makeJob({ id: 1, site: shop, state: "held", fault: { code: "job.held-large", message: "" } });
    const [trouble] = whyJob(held, present);
    expect(trouble?.text.ru.includes("сайт не предлагает других")).toBe(isSaid);
    expect(trouble?.key.endsWith("site-stuck")).toBe(isSaid);
  },
);

test.each([
  ["each answer was so, for a minute", [], {}, "unknown-answer", "person"],
  ["each answer was so, and one is not put away yet", [unknown], {}, "unknown-answer", "person"],
  ["each answer was so, for less than a minute", [], { since: NOON - 59_000 }, "unknown-answer", "look"],
  ["others were orders, and one is not put away yet", [unknown], { isProven: true }, "unknown-answer", "look"],
  ["others were orders", [], { isProven: true }, undefined, undefined],
] as const)(
  "a site whose last answer is neither an order nor «no orders», while %s",
  (_, unread, health, kind, needs) => {
    const till = makeSnapshot({}, { kkm: "1" });
    const registers = [{ ...till, settings: { ...till.settings, sites: [shop] } }];
    const strangeAt = new Set([toKkm("1")]);
    const sites = [{ site: shop, fault: null, since: NOON - 60_000, polled: new Map(), strangeAt, ...health }];
    const [trouble, ...others] = troublesIn({ present: { registers, sites }, stored: { unread } });
    expect([trouble?.kind, trouble?.needs, others]).toEqual([kind, needs, []]);
    expect(trouble?.isDecision).toBe(kind === undefined ? undefined : unread.length > 0);
    const [cause] = notOfferedTroubles(makePresent({ registers, sites }));
    expect(cause?.kind).toBe("isProven" in health ? "not-offered" : "unknown-answer");
  },
);

test("equal order numbers of two shops on one register are two troubles, each of which names its shop", () => {
  const [other, second] = [toSiteId("other"), toSiteId("second")];
  const of = (id: number, site: typeof shop | null) =>
    makeJob({ id, site, state: "held", fault: { code: "job.held-old", message: "" } });
  const health = { fault: null, since: null, polled: new Map() };
  const stuckAt = new Map([[toKkm("1"), { job: 2, since: NOON - 60_000 }]]);
  const sites = [{ ...health, site: other, stuckAt }, ...[shop, second].map((site) => ({ ...health, site }))];
  const troubles = troublesIn({ jobs: [of(1, shop), of(2, other), of(3, null)], present: { sites } });
  const ofOrders = troubles.filter(({ kind }) => kind === "held").map(({ about, count }) => [about.name.ru, count]);
  expect(ofOrders.toSorted()).toEqual([
    ["till-1, other", 1],
    ["till-1, shop", 1],
    ["till-1", 1],
  ]);
  expect(troubles.find(({ key }) => key.endsWith("site-stuck"))?.about.site).toBe("other");
});

test("the trouble of an order held for its age names the commands for an ordinary receipt and for a correction", () => {
  const held = makeJob({ id: 59, site: shop, state: "held", fault: { code: "job.held-old", message: "" } });
  const [trouble] = whyJob(held, facts);
  expect(trouble?.next.ru).toMatch(
    /^Товар уже отдан.*`fiscald approve 59`.*`--as-correction`.*`fiscald set-aside 59`\.$/,
  );
});

test("the trouble of a correction's second document says what the document is for, and what its refusal means", () => {
  const held = makeJob({ id: 13, site: shop, state: "held", fault: { code: "job.held-second", message: "" } });
  const [trouble] = whyJob(held, facts);
  expect(trouble?.next.ru).toMatch(
    /^Напечатайте его, когда первый уже вышел.*покупателя без чека: `fiscald set-aside 13`\.$/,
  );
  expect(trouble?.next.ru).not.toContain("Сверьте");
});

test.each([
  ["a VAT rate", "device.tax-unknown", "в кассе нет строк № 99", " В кассе нет строк № 99."],
  [
    "a tag",
    "receipt.unsupported",
    "items[0].requisites.industry - тег 1260",
    " items[0].requisites.industry - тег 1260.",
  ],
  ["a tag of the buyer", "receipt.unsupported", "requisites.buyer - тег 1243", " requisites.buyer - тег 1243."],
] as const)(
  "the trouble of an order with %s that the register lacks names it as the reason does",
  (_what, code, ru, said) => {
    const failed = makeJob({ site: shop, state: "failed", fault: { code, message: "", ru } });
    expect(whyJob(failed, facts)[0]?.text.ru).toContain(said);
  },
);

test("a correction that its register cannot print is to be made by hand at this register, not on another register", () => {
  const failed = makeJob({ site: shop, state: "failed", fault: { code: "receipt.no-correction", message: "" } });
  const [trouble] = whyJob(failed, facts);
  expect([trouble?.text.ru, trouble?.next.ru.trim()]).toEqual([
    "Заказ A-1 не напечатан. Такую коррекцию программа на этой кассе не печатает.",
    "Сделайте, как сказано в причине. Чек коррекции пробивайте на самой кассе, только если он есть в её ФФД. Если его заказ есть в списке, потом уберите его оттуда (в командной строке: `fiscald set-aside`).",
  ]);
});

describe("a receipt behind an earlier receipt of its order", () => {
  const register = paused.settings.id;
  const waiting = makeJob({ id: 2, source: "site", site: shop, register, state: "queued" });
  const held = makeJob({ id: 1, site: shop, register, state: "held" });
  const unsure = makeJob({ ...held, state: "unsure" });
  const ready = makeSnapshot({});
  const why = (undecided: readonly Job[], job = waiting) => whyJob(job, makePresent({ registers: [ready], undecided }));

  test.each([
    ["held", held, "`fiscald approve 1` или `fiscald set-aside 1`"],
    ["unsure", unsure, "`fiscald resolve 1`"],
  ])(
    "a receipt behind a receipt of its order that is %s needs a person, and its trouble names that receipt and the command",
    (_state, earlier, command) => {
      expect(why([earlier])).toMatchObject([
        {
          ...{ kind: "waits-for-decision", needs: "person" },
          text: { ru: "Заказ A-1 ждёт. Более ранний чек заказа ждёт решения человека, этот напечатается после него." },
          next: { ru: expect.stringMatching(/^Примите решение о более раннем чеке\. /) },
        },
      ]);
      expect(why([earlier])[0]?.next.ru).toContain(command);
    },
  );

  test("a receipt should be looked at while a register is still asked about an earlier receipt of its order", () => {
    const registers = [ready, { ...makeSnapshot({}, { id: "till-2" }), phase: "recovering" as const }];
    const elsewhere = makeJob({ ...unsure, register: toRegisterId("till-2") });
    expect(whyJob(waiting, makePresent({ registers, undecided: [elsewhere] }))).toMatchObject([
      { kind: "waits-for-turn", needs: "look", text: { ru: expect.stringContaining("У кассы выясняется") } },
    ]);
  });

  test("a receipt waits only for earlier receipts of its order, and a receipt that a person forced waits for no unsure receipt", () => {
    const others = [
      { ...held, id: 3 },
      { ...held, orderId: toOrderId("other") },
      { ...held, site: toSiteId("other") },
    ];
    expect(why(others)).toMatchObject([{ text: { ru: "Чек следующий в очереди." } }]);
    expect(why([unsure], { ...waiting, forced: true })).toMatchObject([{ text: { ru: "Чек следующий в очереди." } }]);
    const forced = { ...waiting, forced: true };
    expect(why([held], forced)).toMatchObject([{ kind: "waits-for-decision" }]);
    expect(why([{ ...unsure, id: 0 }, held], forced)).toMatchObject([{ kind: "waits-for-decision" }]);
  });

  test("a receipt that no site ordered waits for an earlier undecided receipt of its order", () => {
    const ofNoSite = { site: null } as const;
    expect(why([{ ...held, ...ofNoSite }], { ...waiting, ...ofNoSite })).toMatchObject([
      { kind: "waits-for-decision" },
    ]);
  });
});

test("all receipts behind an undecided receipt of their order count in one trouble that a person must end", () => {
  const ofOrder = (id: number, orderId: string, state: Job["state"]) =>
    makeJob({ id, site: shop, register: paused.settings.id, orderId: toOrderId(orderId), state });
  const jobs = [
    ofOrder(1, "A", "unsure"),
    ofOrder(2, "B", "unsure"),
    ofOrder(3, "A", "queued"),
    ofOrder(4, "B", "queued"),
  ];
  const waiting = troublesIn({ jobs, present: { registers: [makeSnapshot({})] } });
  expect(waiting.find(({ kind }) => kind === "waits-for-decision")).toMatchObject({ needs: "person", count: 2 });
});

const makeOf = (id: string, group: string) => {
  const snapshot = makeSnapshot({}, { id });
  return { ...snapshot, settings: { ...snapshot.settings, group } };
};
const offline = { phase: "offline", fault: new Fault("link.timeout", { message: "" }) } as const;

test("the trouble of a receipt that its register cannot print names the register of the group for which the receipt waits", () => {
  const row = { id: 1, title: "НДС 22%", vat: 11 } as const;
  const register = (id: string, group: string, taxes: readonly (typeof row)[]) => {
    const { identity } = makeSnapshot({}, { kkm: "0001234567012345" });
    return { ...makeOf(id, group), identity, tables: { taxes, paymentTypes: [] } };
  };
  const down = (id: string, group: string, taxes: readonly (typeof row)[]) => ({
    ...register(id, group, taxes),
    ...offline,
  });
  const own = register("till-1", "hall", []);
  const others = [register("till-2", "hall", [row]), down("till-3", "hall", [])];
  const registers = [own, ...others, down("till-4", "hall", [row]), down("till-5", "yard", [row])];
  const fault = { code: "device.tax-unknown", message: "there is no tax row 1" } as const;
  const taxes = [{ id: 1, vat: row.vat, title: null }] as const;
  const job = makeJob({ source: "site", register: own.settings.id, state: "queued", fault, taxes });
  expect(whyJob(job, makePresent({ registers }))).toMatchObject([
    {
      text: { ru: expect.stringMatching(/^Она не может .*ставки\. Чек ждёт кассу till \(till-4\) той же группы\. \S/) },
      next: { ru: expect.not.stringMatching(/sync|повторится/) },
    },
  ]);
});

const failed = { code: "device.paper-out", message: "" } as const;

test.each([
  [
    "an order for a ready register waits for the reading, because the other register may have printed it",
    "site",
    null,
    "till-2",
  ],
  ["an order that was tried before the crash waits for the reading too", "site", failed, "till-2"],
  ["a shift closing waits only for its turn", "schedule", null, "till-2"],
  ["an order waits only for its turn when the database knows all prints", "site", null, null],
] as const)("while another register was not read since the start, %s", (_, source, fault, awaited) => {
  const register = toRegisterId("till-1");
  const registers = [makeOf("till-1", "hall"), { ...makeOf("till-2", "hall"), ...offline, recovered: false }];
  const job = makeJob({ source, register, state: "queued", fault });
  const awaits = () => (awaited === null ? null : toRegisterId(awaited));
  const [cause] = whyJob(job, makePresent({ registers, awaited: awaits }));
  if (source === "site" && awaited !== null)
    expect(cause).toMatchObject({
      text: {
        ru: expect.stringMatching(/^Она ждёт ответа кассы till \(till-2\): .* Касса не ответила вовремя\.$/),
      },
      // After a data loss the order waits without a limit.
      next: { ru: expect.stringMatching(/ Если кассы till \(till-2\) больше нет, уберите её из настроек\.$/) },
    });
  else expect(cause).toMatchObject({ kind: "waits-for-turn" });
});

test.each([
  ["waits until a setting is mended", null],
  ["is tried again while a setting is wrong", 1],
])("an order that %s needs a person, and the setting is named", (_, jobInHand) => {
  const message = "defaultTax 1 is НДС 20%: not in force";
  const fault = { code: "register.setting-wrong", message, ru: "defaultTax 1 — это НДС 20%: не действует" } as const;
  const job = makeJob({ id: 1, source: "site", site: shop, register: toRegisterId("till"), state: "queued", fault });
  const till = { ...makeSnapshot({}, { id: "till" }), jobInHand };
  expect(whyJob(job, makePresent({ registers: [till] }))).toMatchObject([
    {
      needs: "person",
      text: {
        en: expect.stringContaining(message),
        ru: expect.stringMatching(/^Настройка кассы .* Настройка: .*НДС 20%: не действует\.$/),
      },
    },
  ]);
});

test("an order that waits until an altered value is settled needs no person beside the decision about that value", () => {
  const fault = { code: "register.alters-receipts", message: "tag 1008: ..." } as const;
  const register = toRegisterId("till");
  const job = makeJob({ source: "site", site: shop, register, state: "queued", fault, createdAt: NOON });
  const present = makePresent({ registers: [makeSnapshot({}, { id: "till" })] });
  expect(whyJob(job, present)).toMatchObject([
    { needs: "nobody", text: { ru: expect.stringMatching(/^Касса зарегистрировала чек не таким/) } },
  ]);
});
