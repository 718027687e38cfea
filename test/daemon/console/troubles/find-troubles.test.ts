/** What is wrong, found in the facts of the moment: the kind, whom it needs, and what is said of it in Russian. */

import { driveFlags } from "@fiscald/daemon/console/how-set/state-rows.js";
import type { SiteFacts } from "@fiscald/daemon/console/troubles/trouble-facts.js";
import { driveStop } from "@fiscald/daemon/registers/drive-stop.js";
import type { RegisterSnapshot } from "@fiscald/daemon/registers/register-snapshot.js";
import type { Job, JobState } from "@fiscald/daemon/store/job.js";
import type { DeviceState } from "@fiscald/drivers/fiscal-driver.js";
import { Fault, type FaultOptions } from "@fiscald/shared/fault.js";
import { type FaultCode, faultCodes, isFaultCode } from "@fiscald/shared/fault-codes.js";
import { toKkm, toOrderId, toRegisterId, toSiteId } from "@fiscald/shared/ids.js";
import { makeJob, makeReceipt } from "../../../support/make-job.js";
import { local, makeSnapshot } from "../../../support/make-snapshot.js";
import { type GivenFacts, NOON, troublesIn } from "../../../support/trouble-facts.js";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const shop = toSiteId("shop");

const named = (title: string, snapshot: RegisterSnapshot): RegisterSnapshot => ({
  ...snapshot,
  settings: { ...snapshot.settings, title },
});

const kkms = ["0001234567012345", "0001234567012346", "0001234567012347"];

/** Registers in the given phase, with titles other than their ids. */
function registersIn(phase: RegisterSnapshot["phase"], code: FaultCode, ids: readonly string[]): GivenFacts {
  const registers = ids.map((id, index) => ({
    ...named(`Касса ${index + 1}`, makeSnapshot(null, { id, kkm: kkms[index] ?? null })),
    ...{ phase, fault: new Fault(code, { message: "why" }) },
  }));
  return { present: { registers } };
}

function inState(state: Partial<DeviceState>, over: Partial<RegisterSnapshot> = {}): GivenFacts {
  return { present: { registers: [named("Зал", { ...makeSnapshot(state, { id: "till" }), ...over })] } };
}

const at = (now: number, facts: GivenFacts): GivenFacts => ({ ...facts, present: { ...facts.present, now } });

/** The state of a drive stops its register, which is blocked with the fault. */
function stopped(state: Partial<DeviceState>): GivenFacts {
  const snapshot = makeSnapshot(state);
  return inState(state, { phase: "blocked", fault: snapshot.state === null ? null : driveStop(snapshot.state) });
}

const withFault = (fault: Fault) => inState({}, { phase: "blocked", fault });

/** The site has failed for this many minutes, while its register answers. */
function siteFails(minutes: number, code: FaultCode, details: FaultOptions["details"] = {}): GivenFacts {
  const fault = new Fault(code, { message: "why", details });
  const site: SiteFacts = { site: shop, fault, since: NOON - minutes * MINUTE, polled: new Map() };
  const till = makeSnapshot({}, { id: "till", kkm: "0001234567012345" });
  return { present: { sites: [site], registers: [{ ...till, settings: { ...till.settings, sites: [shop] } }] } };
}

function jobsIn(state: JobState, code: FaultCode, orders: readonly string[]): readonly Job[] {
  return orders.map((order, index) =>
    makeJob({ ...{ id: index + 1, state, orderId: toOrderId(order) }, ...whose(code) }),
  );
}

const whose = (code: FaultCode) => ({
  ...{ site: shop, register: toRegisterId("till"), fault: { code, message: "why" } },
  ...{ createdAt: NOON - 5 * MINUTE, updatedAt: NOON - 5 * MINUTE },
});

const wrongValue = { code: "order.wrong-value", reason: "taskTable: must be a list", ru: "taskTable: нужен список" };
const wrongRate: Job["fault"] = {
  ...{ code: "order.wrong-value", message: '"Tea" at 20%: for returns only' },
  ru: "«Чай» по ставке 20%: только для возвратов",
};
const many = Array.from({ length: 94 }, (_, index) => `A-${94 - index}`);
const dayAgo = { count: 7, firstAt: local("2026-11-19T11:00:00") };

/**
 * Facts, and the trouble found in them: whom it needs, its kind, whom it is about, what is said → what to do; … stands
 * for any text.
 */
const causes: Readonly<Record<string, readonly [GivenFacts, string]>> = {
  "a drive whose term ended two days ago": [
    stopped({ fnDaysLeft: -2 }),
    "person, register-blocked, Зал (till): Накопитель закончился 2 дня назад: касса не печатает. → Вызовите сервис: …",
  ],
  "a drive without room for a document": [
    stopped({ fnDocumentsLeft: 0 }),
    "person, register-blocked, Зал (till): Ресурс или память фискального накопителя исчерпаны. → Вызовите сервис: накопитель нужно заменить.…",
  ],
  "documents unsent to the OFD for 31 days": [
    stopped({ unsent: { count: 9, firstAt: local("2026-10-20T11:00:00") } }),
    "person, register-blocked, Зал (till): Чеки не уходят в ОФД 31 день: касса не печатает. → Восстановите связь кассы с ОФД …",
  ],
  "documents unsent to the OFD for twelve days": [
    inState({ unsent: { count: 9, firstAt: local("2026-11-08T12:00:00") } }),
    "look, ofd-queue, Зал (till): Чеки не уходят в ОФД 12 дней. Если не починить, через 18 дней касса перестанет печатать. → Проверьте сеть кассы…",
  ],
  "a drive with ten days left": [
    at(NOON + 8 * DAY, inState({ fnDaysLeft: 10, clock: local("2026-11-28T12:00:00") })),
    "look, drive-days, Зал (till): Накопителю осталось 10 дней (до 8 декабря). → Закажите новый и визит сервиса.",
  ],
  "a drive with room for few documents": [
    inState({ fnDocumentsLeft: 5000 }),
    "look, drive-documents, Зал (till): В накопителе осталось место для документов: 5000. → Закажите новый…",
  ],
  "no paper": [
    registersIn("blocked", "device.paper-out", ["till"]),
    "person, register-blocked, Касса 1 (till): В кассе закончилась бумага. → Вставьте бумагу…",
  ],
  "an open cover": [
    registersIn("blocked", "device.cover-open", ["till"]),
    "person, register-blocked, Касса 1 (till): Открыта крышка кассы. → Закройте крышку…",
  ],
  "no paper in three registers": [
    registersIn("blocked", "device.paper-out", ["a", "b", "c"]),
    "person, register-blocked, 3 кассы: Касса 1 (a), Касса 2 (b), Касса 3 (c): В кассе закончилась бумага. → Вставьте бумагу…",
  ],
  "a register that is back after an outage of days": [
    {
      present: {
        ...inState({}).present,
        whatWaited: () => ({ at: NOON, orders: 3, days: { "2026-11-18": 1, "2026-11-19": 2 } }),
      },
    },
    "look, back-after-outage, Зал (till): Касса снова на связи после перерыва и разбирает то, что ждало: 3 заказа (18.11: 1, 19.11: 2). → …«День»…",
  ],
  "a lost link": [
    registersIn("offline", "link.lost", ["till"]),
    "person, register-offline, Касса 1 (till): Связь с кассой потеряна. → Проверьте кабель…",
  ],
  "a paused register": [
    inState({}, { pausedSince: NOON - 3 * MINUTE }),
    "person, register-paused, Зал (till): Касса на паузе и не печатает заказы. → Возобновите печать…",
  ],
  "a clock 25 hours ahead": [
    inState({ clock: local("2026-11-21T13:00:00") }),
    "person, clock-ahead, Зал (till): Часы кассы спешат на 25 ч. → Не печатайте, вызовите сервис.…",
  ],
  "a shift of more than 24 hours": [
    inState({ shift: { number: 7, state: "expired" } }),
    "look, shift-expired, Зал (till): Смена открыта больше 24 часов, чеки ждут её закрытия. → Перед следующим чеком она закроется сама…",
  ],
  "an error that is not in the reference": [
    withFault(new Fault("device.unknown-error", { message: "error 4", details: { makerError: 4 } })),
    "person, register-blocked, Зал (till): Касса сообщила ошибку № 4, её нет в справочнике. → Отправьте файл для поддержки.",
  ],
  "little paper": [
    inState({ paper: "low" }),
    "look, paper-low, Зал (till): Бумага заканчивается. → Приготовьте новый рулон.",
  ],
  "HTML for fifteen minutes": [
    siteFails(15, "order.unreadable", { isHtml: true }),
    "person, site-html, shop: Сайт отвечает страницей, а не заказом. Чеки ждут. → Сообщите разработчику сайта.…",
  ],
  "HTML for half a minute": [
    siteFails(0.5, "order.unreadable", { isHtml: true }),
    "look, site-html, shop: Сайт отвечает страницей, а не заказом. Чеки ждут. → Сообщите разработчику сайта.…",
  ],
  "an answer that is no JSON": [
    siteFails(2, "order.unreadable"),
    "person, site-unreadable, shop: Ответ сайта не читается. Чеки ждут. → Сообщите разработчику сайта.",
  ],
  "the status 502": [
    siteFails(2, "site.http-status", { status: 502 }),
    "person, site-error, shop: Сайт отвечает ошибкой 502. Чеки ждут. → Сообщите разработчику сайта или его хостингу.…",
  ],
  "the status 401": [
    siteFails(2, "site.unauthorized", { status: 401 }),
    "person, site-refuses-us, shop: Сайт не принимает секрет этой программы (ответ 401). Чеки ждут. → Сверьте секрет…",
  ],
  "the status 404": [
    siteFails(2, "site.http-status", { status: 404 }),
    "person, site-not-found, shop: По адресу сайта нет нужной страницы (ответ 404). Чеки ждут. → Сверьте адрес сайта…",
  ],
  "a redirect": [
    siteFails(2, "site.http-status", { status: 301 }),
    "person, site-not-found, shop: Сайт отправляет на другой адрес (ответ 301). Чеки ждут. → Узнайте у разработчика верный адрес…",
  ],
  "a site that cannot be reached": [
    siteFails(2, "site.unreachable"),
    "person, site-unreachable, shop: Сайт недоступен. Чеки ждут. → Проверьте интернет…",
  ],
  "two refused orders": [
    { jobs: jobsIn("refused", "receipt.no-items", ["A-1", "A-2"]) },
    "person, refused, till: 2 заказа отклонены: A-2, A-1. В чеке нет позиций. → Исправьте заказ на сайте…",
  ],
  "two refused returns of one order": [
    { jobs: jobsIn("refused", "receipt.no-items", ["A-1", "A-1"]) },
    "person, refused, till: 2 заказа отклонены: A-1, A-1. В чеке нет позиций. → Исправьте заказ на сайте…",
  ],
  "one refused order": [
    { jobs: jobsIn("refused", "receipt.no-items", ["A-1"]) },
    "person, refused, till: Заказ A-1 отклонён. В чеке нет позиций. → Исправьте заказ на сайте…",
  ],
  "94 failed orders": [
    { jobs: jobsIn("failed", "device.not-enough-cash", many) },
    "person, failed, till: 94 заказа не напечатаны: A-1, A-2, A-3 и ещё 91. В кассе недостаточно наличных по счётчику. → Внесите наличные … Устраните причину и наберите `fiscald retry 94`…",
  ],
  "a failed order that would fail again": [
    { jobs: jobsIn("failed", "device.zero-total", ["A-1"]) },
    "person, failed, till: Заказ A-1 не напечатан. Касса не принимает чек с нулевой суммой. → Исправьте заказ на сайте и отправьте его снова.",
  ],
  "a failed order with a rate that is not in force": [
    { jobs: jobsIn("failed", "order.wrong-value", ["A-1"]).map((job) => ({ ...job, fault: wrongRate })) },
    "person, failed, till: Заказ A-1 не напечатан. Неверное значение в заказе. «Чай» по ставке 20%: только для возвратов. → …",
  ],
  "a failed closing of a shift": [
    { jobs: [makeJob({ ...whose("device.fn-failure"), id: 7, state: "failed", orderId: null, source: "schedule" })] },
    "person, failed, till: Задание #7 не напечатано. Неисправен фискальный накопитель. → …`fiscald retry 7`…",
  ],
  "an order with an unknown outcome": [
    { jobs: jobsIn("unsure", "job.outcome-unknown", ["A-1"]), present: { doubtReason: () => "no-evidence" } },
    "person, unsure, till: Непонятно, вышел ли чек заказа A-1. Ни фискальный накопитель, ни счётчики кассы не показывают, выполнено ли это. → Сравните с последними документами кассы. Пока вы не ответите, чеки этого заказа ждут, остальные печатаются.…`fiscald resolve 1`…",
  ],
  "two orders that a person is to approve": [
    { jobs: jobsIn("held", "job.held-large", ["A-1", "A-2"]) },
    "person, held, till: 2 заказа ждут вашего решения: A-2, A-1. Сумма чека больше разрешённой для этого сайта. → Сверьте с заказом на сайте…",
  ],
  "an order for a register number that the site does not have": [
    {
      ...siteOf({ kkm: "0001234567012345", title: "Зал" }),
      jobs: [
        makeJob({
          ...{ ...whose("register.unknown-kkm"), id: 1, state: "refused", orderId: toOrderId("A-1") },
          receipt: makeReceipt({ kkm: toKkm("0009999999999999") }),
        }),
      ],
    },
    "person, wrong-kkm, shop: Заказ A-1 отклонён. На сайте указана касса с рег. № ККТ 0009999999999999, а здесь такой нет. Кассы сайта: Зал (till) (рег. № ККТ 0001234567012345), ответа ещё не было. → Исправьте номер кассы…",
  ],
  "a site of a register that has never answered": [
    siteOf({ kkm: null, title: "Зал" }),
    "look, nobody-polls, shop: Сайт пока не опрашивается: касса Зал (till) ещё ни разу не ответила. → Сразу после запуска касса ещё подключается: подождите…",
  ],
  "a site without a register": [
    { present: { sites: [{ site: shop, fault: null, since: null, polled: new Map() }] } },
    "person, nobody-polls, shop: Сайт не опрашивается: для него не указана ни одна касса. → Укажите сайт для кассы…",
  ],
  "three refused messages": [
    { stored: { outbox: [{ site: shop, pending: 0, refused: 3, oldestAt: null, refusedAt: NOON - DAY }] } },
    "person, event-refused, shop: Сайт не принимает 3 сообщения о чеках и кассах. → Сообщите разработчику сайта;…",
  ],
  "messages that wait for 25 minutes": [
    { stored: { outbox: [{ site: shop, pending: 2, refused: 0, oldestAt: NOON - 25 * MINUTE, refusedAt: null }] } },
    "look, event-waits, shop: 2 сообщения сайту не доставлено уже 25 мин. → Отправка повторяется сама, пока сайт не ответит.…",
  ],
  "results of a removed site": [
    { stored: { removedSites: [{ site: toSiteId("old"), results: 3 }] } },
    "look, site-left, old: Результаты ждут сайта, которого больше нет в настройках: 3. → …`renamedFrom`…",
  ],
  "two orders that could not be read": [
    { stored: { unread: [unread("A-1"), unread("A-2")] } },
    "person, unreadable, shop: 2 заказа не удалось прочитать: A-1, A-2. Заказ не читается. → Чек не напечатан. Сообщите разработчику сайта.",
  ],
  "an order with a wrong value that could not be read": [
    { stored: { unread: [{ ...unread("A-1"), details: wrongValue }] } },
    "person, unreadable, shop: Заказ A-1 не удалось прочитать. Неверное значение в заказе. taskTable: нужен список. → …",
  ],
  "an answer that is neither an order nor «no orders»": [
    { stored: { unread: [{ ...unread(""), isOrder: false }] } },
    "look, unknown-answer, shop: Сайт ответил не заказом и не сообщением, что заказов нет. → Покажите этот ответ…",
  ],
  "a receipt printed twice": [
    {
      stored: {
        doubles: [{ kind: "printed-twice", at: NOON, job: 3, name: "A-3", register: toRegisterId("till") }],
      },
    },
    "person, printed-twice, till: Заказ A-3 напечатан дважды. → Сравните оба документа…",
  ],
  "no daemon": [
    { present: { isRunning: false } },
    "person, daemon-down, : Программа не запущена: заказы не принимаются, чеки не печатаются. → …`fiscald run`…",
  ],
  "a full disk": [
    { present: { storeFault: new Fault("store.full", { message: "disk is full" }) } },
    "person, store-trouble, : Заказы некуда записать, поэтому сайты не опрашиваются. Диск заполнен. → …",
  ],
};

function siteOf({ kkm, title }: { readonly kkm: string | null; readonly title: string }): GivenFacts {
  const till = named(title, makeSnapshot(null, { id: "till", kkm }));
  const registers = [{ ...till, settings: { ...till.settings, sites: [shop] } }];
  return { present: { registers, sites: [{ site: shop, fault: null, since: null, polled: new Map() }] } };
}

function unread(order: string) {
  return {
    raw: 1,
    isOrder: true,
    site: shop,
    since: NOON,
    at: NOON,
    order,
    details: { code: "order.unreadable", reason: "no JSON" },
  };
}

test.each(Object.entries(causes))(
  "the trouble of %s is shown to the person who has to act, with what to do",
  (_, [facts, said]) => {
    const troubles = troublesIn(facts);
    const shown = troubles.map(
      ({ needs, kind, about, text, next }) => `${needs}, ${kind}, ${about.name.ru}: ${text.ru} → ${next.ru}`,
    );
    const pattern = said
      .split("…")
      .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"))
      .join(".*");
    expect(shown).toEqual([expect.stringMatching(new RegExp(`^${pattern}$`, "s"))]);
    // A register's title is a word of the shop, in any language.
    expect(`${troubles[0]?.text.en} ${troubles[0]?.next.en}`.replaceAll("Зал", "Hall")).toMatch(/^[A-Z0-9][ -~«»]*$/);
  },
);

test("a register's trouble counts and names the orders that wait for the register", () => {
  const registers = [{ ...makeSnapshot({}), phase: "blocked" as const, fault: new Fault("device.paper-out") }];
  const jobs = jobsIn("queued", "device.paper-out", ["A-1", "A-2", "A-3", "A-4", "A-5"]);
  const [trouble, ...others] = troublesIn({ present: { registers }, jobs });
  expect(others).toEqual([]);
  expect(trouble).toMatchObject({
    count: 5,
    text: { ru: "В кассе закончилась бумага. Ждут 5 заказов: A-1, A-2, A-3 и ещё 2." },
  });
  expect(trouble?.examples.map(({ job }) => job)).toEqual([1, 2, 3, 4, 5]);
});

test("no text says that a failed order is tried again by itself, whatever its fault", () => {
  const codes = Object.keys(faultCodes).filter(isFaultCode);
  const nexts = codes.flatMap((code) => troublesIn({ jobs: jobsIn("failed", code, ["A-1"]) }).map(({ next }) => next));
  expect(nexts).toHaveLength(codes.length);
  expect(
    nexts.filter(({ en, ru }) => /job.*by itself|tried again/.test(en) || /продолжится сама|сам\./.test(ru)),
  ).toEqual([]);
});

test.each([
  ["is being printed", "printing", "printing"],
  ["waits its turn", "queued", "waits-for-turn"],
] as const)("an order that %s needs nobody at first, and should be looked at after a long wait", (_, state, kind) => {
  const needsAfter = (minutes: number) => {
    const createdAt = NOON - minutes * MINUTE;
    const job = makeJob({ ...whose("job.being-printed"), fault: null, state, createdAt });
    return troublesIn({ present: { registers: [makeSnapshot({})] }, jobs: [job] }).map((it) => [it.kind, it.needs]);
  };
  expect([needsAfter(9), needsAfter(11)]).toEqual([[[kind, "nobody"]], [[kind, "look"]]]);
});

test("the trouble of a fiscal drive that ends soon names the time of its end", () => {
  const [trouble] = troublesIn(inState({ fnDaysLeft: 10 }));
  expect(trouble?.until).toBe(new Date(NOON + 10 * DAY).toISOString());
});

const kindsOf = (state: Partial<DeviceState> | null) =>
  troublesIn({ present: { registers: [makeSnapshot(state)] } }).map(({ kind }) => kind);

test.each<[string, Partial<DeviceState> | null, readonly string[]]>([
  ["a register that was not read yet", null, []],
  ["a register without problems", {}, []],
  ["a drive with 31 days", { fnDaysLeft: 31 }, []],
  ["a drive with 30 days", { fnDaysLeft: 30 }, ["drive-days"]],
  ["a drive with room for 5001 documents", { fnDocumentsLeft: 5001 }, []],
  ["documents unsent for a day", { unsent: { count: 5, firstAt: local("2026-11-19T12:00:00") } }, []],
  ["documents unsent for longer", { unsent: dayAgo }, ["ofd-queue"]],
  ["documents unsent for an unknown time", { unsent: { count: 5, firstAt: null } }, []],
  ["a clock ten minutes ahead", { clock: local("2026-11-20T12:10:00") }, []],
  ["a clock that is behind, or a state of yesterday", { clock: local("2026-11-19T12:00:00") }, []],
  ["flags of the drive", { fnWarnings: 0x14 }, ["drive-flag", "drive-flag"]],
  ["flags of a drive whose term has ended", { fnWarnings: 0x03, fnDaysLeft: -2 }, []],
])("%s in the state %j gives the troubles %j", (_what, state, kinds) => {
  expect(kindsOf(state)).toEqual(kinds);
});

test("troubles that need a person come before troubles to look at, and a trouble is as old as its first order", () => {
  const failed = jobsIn("failed", "device.not-enough-cash", ["A-1", "A-2"]);
  const jobs = failed.map((job) => (job.id === 2 ? { ...job, updatedAt: NOON - DAY } : job));
  const troubles = troublesIn({
    ...{ jobs, program: { hasLock: false, alertFault: new Fault("daemon.alert-failed") } },
    present: { registers: [makeSnapshot({ paper: "low" })] },
  });
  expect(troubles.map(({ kind }) => kind)).toEqual(["lock-gone", "failed", "alert-failed", "paper-low"]);
  expect(troubles[1]?.since).toBe(new Date(NOON - DAY).toISOString());
});

test("every flag of a drive has a text in both languages", () => {
  for (const [, { en, ru }] of driveFlags) {
    expect(en).toMatch(/^[A-Z].*\.$/);
    expect(ru).toMatch(/^[А-ЯЁ].*\.$/);
  }
});
