/**
 * "Why did order N not print?" for ten causes, each made to happen to a whole daemon with an emulated register. While
 * the cause lasts, `explain`, `status`, the API and the operator's page name it and the next step in both languages.
 * Each case waits for the event that begins the trouble, then asks once.
 */
import { mkdtempSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { loadConfig } from "@fiscald/daemon/config/load-config.js";
import { type Emulator, openEmulator } from "@fiscald/emulators/open-emulator.js";
import { z } from "zod";
import { startCommand } from "../support/command-line.js";
import { type FakeSite, startFakeSite } from "../support/fake-site.js";
import { freePort } from "../support/free-port.js";
import { close, item, pay, sell, table, tea } from "../support/order-samples.js";
import { appOn, rawRegister, rawSite, writeRawConfig } from "../support/raw-config.js";
import { useTempFolder } from "../support/temp-folder.js";
import { waitFor } from "../support/wait-for.js";

const kkm = "0001234567012345";
const folder = useTempFolder();

/** The API takes a limited number of calls a minute; a slow machine waits longer. */
const untilApiSays: typeof waitFor = (what, condition) => waitFor(what, condition, { everyMs: 50 });

interface Shop {
  readonly place: string;
  readonly site: FakeSite;
  readonly emulator: Emulator;
  offer(order: string, lines?: readonly object[], head?: object): void;
  get(path: string): Promise<unknown>;
  post(path: string): Promise<unknown>;
  /** The register's phase in the API, which the operator's page shows. */
  phase(wanted: string): Promise<unknown>;
  state(order: string, wanted: string): Promise<unknown>;
  siteFails(): Promise<unknown>;
}

interface Situation {
  /** False: the register is not where the config says. */
  readonly isConnected?: boolean;
}

async function inShop(situation: Situation, act: (shop: Shop) => Promise<void>): Promise<void> {
  const place = mkdtempSync(join(folder(), "shop-"));
  const { isConnected = true } = situation;
  const listen = "tcp:127.0.0.1:0";
  const emulator = await openEmulator({ maker: "reference", kkm, listen });
  const site = await startFakeSite();
  const port = isConnected ? Number(emulator.listening?.split(":").at(-1)) : await freePort();
  const config = loadConfig({
    path: writeRawConfig(place, {
      sites: [rawSite(site.url)],
      registers: [rawRegister({ connection: { kind: "tcp", host: "127.0.0.1", port } })],
      console: { port: await freePort(), tokenFile: "token" },
    }),
    env: {},
  });
  const app = appOn(config);
  const base = await app.start();
  const headers = { authorization: `Bearer ${readFileSync(config.console.tokenFile, "utf8").trim()}` };
  const get = async (path: string): Promise<unknown> => (await fetch(`${base}${path}`, { headers })).json();
  const registers = z.object({ registers: z.array(z.object({ phase: z.string() })) });
  const sites = z.object({ sites: z.array(z.object({ reachable: z.boolean().nullable() })) });
  const shop: Shop = {
    ...{ place, site, emulator, get },
    offer: (order, lines = [sell, tea, pay(100), close], head = {}) =>
      site.offer(order, table(lines, { orderId: order, ...head })),
    post: async (path) => (await fetch(`${base}${path}`, { method: "POST", headers })).json(),
    phase: (wanted) =>
      untilApiSays(`the register is ${wanted}`, async () =>
        registers.parse(await get("/api/registers")).registers.some(({ phase }) => phase === wanted),
      ),
    state: (order, wanted) =>
      untilApiSays(`${order} is ${wanted}`, async () =>
        (await jobsOf(shop, order)).some(({ state }) => state === wanted),
      ),
    siteFails: () =>
      untilApiSays("the site fails", async () =>
        sites.parse(await get("/api/sites")).sites.some(({ reachable }) => reachable === false),
      ),
  };
  try {
    if (isConnected) {
      await shop.phase("ready");
      await site.call("order");
    }
    await act(shop);
  } finally {
    emulator.faults.clear();
    site.dropConnections();
    await app.stop();
    await site.close().catch(() => {});
    await emulator.close();
  }
}

async function jobsOf({ get }: Pick<Shop, "get">, order: string) {
  const schema = z.object({ jobs: z.array(z.object({ id: z.number(), state: z.string(), fault: z.unknown() })) });
  return schema.parse(await get(`/api/jobs?order=${order}`)).jobs;
}

const words = z.object({ en: z.string(), ru: z.string() });
const causesOnPage = z.object({
  why: z.array(z.object({ about: z.object({ name: words }), text: words, next: words })),
});
const causes = z.object({
  why: z.array(z.object({ kind: z.string(), about: z.object({ name: words }), text: words, next: words })),
});

/** Everything that a person can read of the order at this moment. */
async function readAll({ place, get }: Shop, order: string) {
  const { why } = causes.parse(await get(`/api/jobs?order=${order}`));
  const [job] = await jobsOf({ get }, order);
  // The operator's page finds the order, or says why it finds none.
  const page = job === undefined ? `/api/orders?search=${order}` : `/api/orders/${job.id}`;
  const ofPage = causesOnPage.parse(await get(page)).why;
  const ofJob = job === undefined ? why : causes.parse(await get(`/api/jobs/${job.id}`)).why;
  const run = async (line: string) => (await startCommand(place, line).ended).out;
  return {
    first: why[0],
    ofJob,
    ofPage,
    explain: { en: await run(`explain ${order}`), ru: await run(`explain ${order} --lang ru`) },
    status: { en: await run("status --lang en"), ru: await run("status --lang ru") },
  };
}

interface Case {
  readonly name: string;
  readonly situation?: Situation;
  /** Begins the trouble of the order N-1; resolves with the event that shows the trouble. */
  begin(shop: Shop): Promise<unknown>;
  readonly kind: string | RegExp;
  readonly en: readonly [cause: RegExp, next: RegExp];
  readonly ru: readonly [cause: RegExp, next: RegExp];
  /** An order that the daemon has not heard of is in no line of `status`. */
  readonly isInStatus?: false;
}

const cases: readonly Case[] = [
  {
    name: "paper",
    begin: async ({ emulator, offer, phase }) => {
      emulator.faults.add({ effect: "paper-out" });
      offer("N-1");
      await phase("blocked");
    },
    kind: "register-blocked",
    en: [/till: .*out of paper/, /Load paper/],
    ru: [/till: В кассе закончилась бумага/, /Вставьте бумагу/],
  },
  {
    name: "unplugged",
    begin: async ({ emulator, phase }) => {
      emulator.faults.add({ effect: "unplug", ms: 86_400_000 });
      await phase("offline");
    },
    kind: "not-offered",
    en: [
      /till: The register does not answer|till: The connection to the register was lost|till: The port/,
      /cable|connected/,
    ],
    ru: [/till: (Связь с кассой потеряна|Касса не отв|Порт)/, /кабель|подключена/],
  },
  {
    name: "paused",
    begin: ({ post }) => post("/api/registers/till/pause"),
    kind: "not-offered",
    en: [/till: The register is paused/, /Resume it.*`fiscald resume`/],
    ru: [/till: Касса на паузе/, /Возобновите печать кнопкой.*`fiscald resume`/],
  },
  {
    name: "site down",
    begin: async ({ site, siteFails }) => {
      await site.close();
      await siteFails();
    },
    kind: "site-unreachable",
    en: [/shop: The site cannot be reached\. Its orders wait/, /internet connection/],
    ru: [/shop: Сайт недоступен\. Чеки ждут/, /Проверьте интернет/],
  },
  {
    name: "bad tax row",
    begin: async ({ offer, state }) => {
      const withRow99 = [sell, item({ price: 100, quantity: 1, tax: 99 }), pay(100), close];
      // The register itself refuses the first order; its rows are known for certain from then on.
      offer("N-0", withRow99);
      await state("N-0", "failed");
      offer("N-1", withRow99);
      await state("N-1", "refused");
    },
    kind: "refused",
    en: [/Order N-1 was refused.*no such tax row/, /Tell the site.s developer/],
    ru: [/Заказ N-1 отклонён.*В кассе нет такой налоговой ставки/, /Сообщите разработчику сайта/],
  },
  {
    name: "unsure",
    begin: async ({ emulator, offer, state, phase }) => {
      // This order opens the shift, whose document cannot be read afterwards either.
      offer("N-0");
      await state("N-0", "printed");
      await phase("ready");
      emulator.faults.add({ effect: "documents-unreadable" });
      emulator.faults.add({ effect: "drop-answer", when: { command: "CLOSE" } });
      offer("N-1");
      await state("N-1", "unsure");
      await phase("ready");
    },
    kind: "unsure",
    en: [/not known whether the receipt of N-1 was registered/, /fiscald resolve \d+/],
    ru: [/Непонятно, вышел ли чек заказа N-1/, /fiscald resolve \d+/],
  },
  {
    name: "held",
    begin: async ({ offer, state }) => {
      offer("N-1", [sell, item({ price: 1_000_001, quantity: 1, tax: 1 }), pay(1_000_001), close]);
      await state("N-1", "held");
    },
    kind: "held",
    en: [
      /Order N-1 waits for your decision.*The sum is larger than the settings allow/,
      /Compare it with the site's order/,
    ],
    ru: [/Заказ N-1 ждёт вашего решения.*Сумма чека больше разрешённой/, /Сверьте с заказом/],
  },
  {
    name: "wrong kkm, and the site does not offer it",
    begin: async ({ get }) => {
      const answered = z.object({ sites: z.array(z.object({ polled: z.array(z.unknown()).min(1) })) });
      await untilApiSays("the site has answered", async () => answered.safeParse(await get("/api/sites")).success);
    },
    kind: "not-offered",
    en: [
      /has not offered this order\. It is asked for: till \(kkm 0001234567012345\), last answer \d{4}-/,
      /is one of these/,
    ],
    ru: [
      /заказ не отдавал\. .* till \(рег\. № ККТ 0001234567012345\), последний ответ \d\d\.\d\d\.\d{4}, /,
      /одна из этих касс/,
    ],
    isInStatus: false,
  },
  {
    name: "nobody polls",
    situation: { isConnected: false },
    begin: ({ phase }) => phase("offline"),
    kind: "nobody-polls",
    en: [/shop: The site is not polled yet: register till has never answered/, /cable/],
    ru: [/shop: Сайт пока не опрашивается: касса till ещё ни разу не ответила/, /вставлен ли кабель/],
  },
  {
    name: "shift closing",
    begin: async ({ emulator, offer, state, phase, post }) => {
      offer("N-0");
      await state("N-0", "printed");
      emulator.faults.add({ effect: "pause", when: { command: "REPORT" } });
      await post("/api/registers/till/z-report");
      await phase("busy");
      offer("N-1");
      await state("N-1", "queued");
    },
    kind: "shift-closing",
    en: [/The shift is being closed/, /printed after the closing/],
    ru: [/Закрывается смена/, /напечатается после закрытия/],
  },
];

test.each(cases)("the cause $name and its next step are named everywhere, in both languages", async (trouble) => {
  const { situation = {}, begin, kind, en, ru, isInStatus = true } = trouble;
  await inShop(situation, async (shop) => {
    await begin(shop);
    const { first, ofJob, ofPage, explain, status } = await readAll(shop, "N-1");
    expect(first?.kind).toMatch(kind);
    for (const [language, words] of [["en", en] as const, ["ru", ru] as const]) {
      const said = (why: typeof ofPage) =>
        why.map(({ about, text, next }) => `${about.name[language]}: ${text[language]}\n${next[language]}`).join("\n");
      const places = [explain[language], said(ofJob), ...(isInStatus ? [status[language]] : [])];
      for (const place of places) for (const part of words) expect(place).toMatch(part);
      // The page has buttons instead of commands.
      for (const part of words) if (!part.source.includes("fiscald")) expect(said(ofPage)).toMatch(part);
      expect(said(ofPage)).not.toContain("`fiscald");
    }
  });
});
