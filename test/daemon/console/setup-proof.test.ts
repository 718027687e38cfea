import { type ProofParts, proofView } from "@fiscald/daemon/console/setup/proof.js";
import type { RegisterSnapshot } from "@fiscald/daemon/registers/register-snapshot.js";
import type { SiteHealth } from "@fiscald/daemon/sites/site-health.js";
import { Fault } from "@fiscald/shared/fault.js";
import { toKkm, toSiteId } from "@fiscald/shared/ids.js";
import { makeSnapshot } from "../../support/make-snapshot.js";

interface Facts {
  readonly register?: Partial<RegisterSnapshot>;
  readonly site?: Partial<SiteHealth>;
  /** The newest list of registers for the site. */
  readonly list?: ReturnType<ProofParts["outbox"]["latest"]>;
}

const STARTED_AT = 50_000;
const delivered = { state: "delivered", tries: 1 } as const;
const kkm = toKkm("0001234567012345");
const polled = new Map([[kkm, 1]]);

function proof({ register = {}, site = {}, list = null }: Facts): readonly (readonly [string, string])[] {
  const health = { site: toSiteId("shop"), fault: null, since: 1, lostAnswers: 0, polled, ...site };
  const parts: ProofParts = {
    snapshots: () => [{ ...makeSnapshot({}), ...register }],
    siteHealth: () => [health],
    outbox: { latest: () => list },
    jobs: { list: () => [] },
  };
  const { registers, sites } = proofView(parts, 100_000, STARTED_AT);
  return [...registers, ...sites].map(({ state, text }) => [state, text.ru] as const);
}

test.each<[string, Facts, string, string]>([
  ["connected", {}, "yes", "на связи"],
  ["being connected", { register: { phase: "connecting" } }, "waits", "подключается…"],
  ["without paper", { register: { phase: "blocked", fault: new Fault("device.paper-out") } }, "no", "Вставьте"],
  [
    "at the end of its drive",
    { register: { phase: "blocked", fault: new Fault("device.fn-expired", { details: { days: 5 } }) } },
    "no",
    "Накопитель закончился 5 дней назад: касса не печатает. Вызовите сервис: накопитель нужно заменить.",
  ],
])("the final check of a register that is %s says what to do", (_title, facts, state, words) => {
  expect(proof(facts)[0]).toEqual([state, expect.stringContaining(words)]);
});

test.each<[string, Facts, string, string]>([
  ["was not asked so far", { site: { polled: new Map() } }, "waits", "как только касса будет на связи"],
  ["answers, and gets no lists", {}, "yes", "отвечает"],
  ["is getting its first list", { list: { state: "pending", tries: 0 } }, "waits", "опрашивается…"],
  ["took the list", { list: delivered }, "yes", "отвечает, список касс принял"],
  [
    "took the list, and answered the last poll with neither an order nor «no orders»",
    { list: delivered, site: { strangeAt: new Set([kkm]) } },
    "no",
    "Сайт ответил не заказом и не сообщением, что заказов нет. Покажите этот ответ разработчику сайта.",
  ],
  [
    "took the list, and answers well since a strange answer",
    { list: delivered, site: { strangeAt: new Set() } },
    "yes",
    "отвечает, список касс принял",
  ],
  // A web page also answers polls, but takes no list.
  [
    "has not taken the list at the first try",
    { list: { state: "pending", tries: 1 } },
    "no",
    "не принимает список касс",
  ],
  ["refused the list", { list: { state: "refused", tries: 10 } }, "no", "не принимает список касс"],
  ["refuses the secret", { site: { fault: new Fault("site.unauthorized") } }, "no", "секрет ещё не принят"],
  [
    "answers polls with a web page",
    { site: { fault: new Fault("order.unreadable", { details: { isHtml: true } }) } },
    "no",
    "Сайт отвечает страницей, а не заказом. Чеки ждут. Сообщите разработчику сайта.",
  ],
  ["cannot be found", { site: { fault: new Fault("site.dns") } }, "no", "Имя сайта не находится"],
])("the final check judges a site that %s, and says so in words", (_title, facts, state, words) => {
  expect(proof(facts)[1]).toEqual([state, expect.stringContaining(words)]);
});
