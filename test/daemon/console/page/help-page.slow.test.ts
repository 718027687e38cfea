/** The page of help in a real browser and on paper: the support file, the questions and the guides. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { z } from "zod";
import { hasBrowser, seriousFindings } from "../../../support/browser.js";
import { root } from "../../../support/read-imports.js";
import { openCard, openPageWorld, type PageWorld } from "./page-world.js";

const inBrowser = hasBrowser ? describe : describe.skip;
const docs = join(root, "daemon/docs");
const topics = readdirSync(docs).flatMap((name) => /^(.+)\.ru\.md$/.exec(name)?.[1] ?? []);

inBrowser("the page of help", () => {
  let world: PageWorld;
  let page: Page;
  const go = (hash: string) => page.evaluate(`location.hash = "${hash}"`);

  beforeAll(async () => {
    world = await openPageWorld();
    page = await world.open({ viewport: { width: 360, height: 780 } });
    await page.getByRole("link", { name: "Помощь" }).click();
  });
  afterAll(() => world.close());

  test("the page of help begins with the support file and names the Start menu beside it", async () => {
    const support = page.getByRole("region", { name: "Для поддержки" });
    await support.getByRole("button", { name: "Файл для поддержки" }).waitFor();
    expect(await page.locator("main section[aria-labelledby]").first().textContent()).toContain("Файл для поддержки");
    await support.getByText("меню «Пуск», папка fiscald, «Файл для поддержки»").waitFor();
  });

  test("each of the eleven questions on the page of help leads to a view of the page or to an existing guide", async () => {
    const questions = page.getByRole("region", { name: "Что случилось?" }).getByRole("link");
    const places = await questions.evaluateAll((links) => links.map((link) => link.getAttribute("href")));
    expect(places).toHaveLength(11);
    const views = ["#orders", "#day", "setup.html", ...topics.map((topic) => `#help/${topic}`)];
    expect(places.filter((place) => !views.includes(place ?? ""))).toEqual([]);
  });

  test("the page of help lists every Russian guide and shows it without Markdown marks", async () => {
    const listed = page.getByRole("region", { name: "Памятки" }).getByRole("link");
    const places = await listed.evaluateAll((links) => links.map((link) => link.getAttribute("href")));
    expect(places.toSorted()).toEqual(topics.map((topic) => `#help/${topic}`).toSorted());
    for (const topic of topics) {
      await go(`#help/${topic}`);
      const guide = page.locator(`.guide.${topic}`);
      const [title = ""] = readFileSync(join(docs, `${topic}.ru.md`), "utf8").split("\n");
      await guide.getByRole("heading", { name: title.replace("# ", ""), exact: true }).waitFor();
      const shown = (await guide.textContent()) ?? "";
      expect([topic, /\*\*|`|\]\(|\|---|![[А-Я]|^#/.exec(shown)]).toEqual([topic, null]);
      const others = `img, p:empty, a:not(${topics.map((name) => `[href="#help/${name}"]`).join()})`;
      const unscrolled = ":not(.wide[tabindex='0']) > :is(table, pre), th:not([scope='col'])";
      expect([topic, await guide.locator(`${others}, ${unscrolled}`).count()]).toEqual([topic, 0]);
      expect([topic, await seriousFindings(page)]).toEqual([topic, []]);
      expect([topic, await page.evaluate("document.documentElement.scrollWidth <= innerWidth")]).toEqual([topic, true]);
    }
  });

  test("a guide shows lists with their numbers, tables and links to other guides", async () => {
    await go("#help/wrong-receipt");
    const guide = page.locator(".guide");
    await guide.getByRole("cell", { name: "на один заказ вышли два чека" }).waitFor();
    expect(await guide.locator("ol").last().getAttribute("start")).toBe("4");
    await go("#help/drive-ends");
    await guide.getByRole("link", { name: "Смене накопителя и кассы" }).click();
    await guide.getByRole("heading", { name: "До визита сервиса" }).waitFor();
  });

  test("each guide except two long ones is printed on one page, and the cashier's sheet has at most 60 words", async () => {
    const words = readFileSync(join(docs, "sheet.ru.md"), "utf8").match(/[\p{L}\p{N}-]+/gu) ?? [];
    expect(words.length).toBeLessThanOrEqual(60);
    for (const topic of topics.filter((name) => name !== "support" && name !== "install")) {
      await go(`#help/${topic}`);
      await page.locator(`.guide.${topic}`).waitFor();
      const paper = (await page.pdf({ format: "A4" })).toString("latin1");
      const sheets = paper.match(/\/Type\s*\/Page\b/g)?.length ?? 0;
      expect([topic, sheets]).toEqual([topic, 1]);
    }
  });

  test("a trouble links to the guide that helps against it", async () => {
    await page.route(/\/api\/now$/, async (route) => {
      const answer = await route.fetch();
      const both = (text: string) => ({ en: text, ru: text });
      const trouble = {
        ...{ key: "drive-days till", kind: "drive-days", needs: "look", about: { name: both("Касса 1") }, code: null },
        ...{ since: "2026-11-20T09:00:00Z", text: both("Накопителю осталось 10 дней."), next: both("Закажите новый.") },
      };
      await route.fulfill({ response: answer, json: { ...(await answer.json()), troubles: [trouble] } });
    });
    await page.goto(world.address);
    await page.getByRole("listitem").getByRole("link", { name: "Что делать" }).click();
    await page.getByRole("heading", { name: "Накопитель заканчивается" }).waitFor();
    await page.unrouteAll({ behavior: "ignoreErrors" });
  });

  test("the card of a register without a connection offers no report, which would be printed at some later time", async () => {
    let isPresent = true;
    await page.route(/\/api\/now$/, async (route) => {
      const answer = await route.fetch();
      const {
        registers: [card],
        ...rest
      } = z
        .looseObject({ registers: z.array(z.looseObject({ figures: z.looseObject({}) })) })
        .parse(await answer.json());
      const registers = [{ ...card, figures: { ...card?.figures, isPresent } }];
      await route.fulfill({ response: answer, json: { ...rest, registers } });
    });
    await page.goto(world.address);
    const buttons = async () => {
      await page.locator(".row", { hasText: "Касса 1" }).waitFor();
      return (await openCard(page, "Касса 1")).getByRole("button").allTextContents();
    };
    expect(await buttons()).toEqual(["Пробная печать", "X-отчёт", "Пауза", "Закрыть смену (Z)"]);
    isPresent = false;
    await page.reload();
    expect(await buttons()).toEqual(["Пауза"]);
    await page.unrouteAll({ behavior: "ignoreErrors" });
  });

  test("a page whose session has ended still shows the help", async () => {
    await go("#help");
    await page.context().clearCookies();
    await page.locator(".light", { hasText: "Страница закрыта" }).waitFor();
    await page.locator(".light", { hasText: "меню «Пуск», папка fiscald, «Страница оператора»" }).waitFor();
    await page.getByRole("link", { name: "В чеке неверный НДС" }).click();
    await page.getByRole("heading", { name: "Неверный чек: что делать" }).waitFor();
  });
});
