/**
 * The first view and the page of an order as a shopkeeper sees them: twenty registers, one without paper, and a phone.
 */
import type { Page } from "playwright-core";
import { z } from "zod";
import { hasBrowser, seriousFindings } from "../../../support/browser.js";
import { openCard, openPageWorld, type PageWorld } from "./page-world.js";

const inBrowser = hasBrowser ? describe : describe.skip;
const LONG = "Касса самовывоза на втором этаже торгового центра «Меридиан», справа от входа";
const titles = Array.from({ length: 20 }, (_, index) => (index === 3 ? LONG : `Касса ${index + 1}`));
const receiptLink = "https://ofd.example/{fn}/{fd}/{fp}";
const desk = { width: 1024, height: 768 };
const phone = { width: 360, height: 780 };

const nowAnswer = z.looseObject({ at: z.string(), registers: z.array(z.looseObject({ title: z.string() })) });

inBrowser("the first view", () => {
  let world: PageWorld;
  let page: Page;

  beforeAll(async () => {
    world = await openPageWorld({ titles, receiptLink });
    page = await world.open({ viewport: desk });
    await page.locator(".light.green").waitFor();
  });
  afterAll(() => world.close());

  const heightOf = async () => Number(await page.evaluate("document.documentElement.scrollHeight"));
  const isInSight = async (selector: string) => {
    const box = await page.locator(selector).first().boundingBox();
    return box !== null && box.x >= 0 && box.x + box.width <= phone.width && box.y + box.height <= phone.height;
  };

  test("the first view of a new day says that nothing is sold and no shift is open", async () => {
    const today = page.getByRole("region", { name: "Сегодня" });
    await today.getByText("0,00 ₽").waitFor();
    await today.getByText("открытых смен нет").waitFor();
    await today.getByText("Чеков пока не было.").waitFor();
  });

  test("soon after a receipt the first view shows the last receipts, the day's sum and the next shift closing", async () => {
    await world.sell("1042");
    const today = page.getByRole("region", { name: "Сегодня" });
    await today.getByRole("listitem").filter({ hasText: "1042" }).getByText("напечатан").waitFor();
    await today.locator("div", { hasText: "Продано" }).getByText("870,00 ₽").first().waitFor();
    await today.getByText("1 чек", { exact: true }).waitFor();
    await today
      .locator("div", { hasText: "Следующее закрытие смены" })
      .getByText(/^(\d\d\.\d\d\.\d{4}, )?\d\d:\d\d$/)
      .first()
      .waitFor();
    await today.getByText("Касса 1", { exact: true }).waitFor();
  });

  test("where there are several sites, the last receipts and the page of an order name the order's site", async () => {
    const other = await world.open({ viewport: desk });
    await other.route(/\/api\/orders/, async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replaceAll('"site":null', '"site":"shop-b"');
      await route.fulfill({ response, body });
    });
    await other.reload();
    const last = other.getByRole("region", { name: "Сегодня" }).getByRole("listitem").filter({ hasText: "1042" });
    await last.getByText("shop-b").waitFor();
    await last.getByRole("link", { name: "1042" }).click();
    await other.getByText(/ · shop-b · /).waitFor();
    await other.unrouteAll({ behavior: "ignoreErrors" });
    await other.context().close();
  });

  test("twenty registers fit on two desktop or four phone screens, and the register without paper is first and large", async () => {
    await world.fault("paper-out");
    await page.locator(".light.red").waitFor();
    expect(await heightOf()).toBeLessThanOrEqual(2 * desk.height);
    expect(await page.locator("main .cards .card").count()).toBe(1);
    expect(await page.locator("main .row").count()).toBe(20);
    const [ill, row] = [page.locator(".cards .card").first(), page.locator(".row").first()];
    expect(await ill.textContent()).toContain("Касса 1");
    expect((await ill.boundingBox())?.y).toBeLessThan((await row.boundingBox())?.y ?? 0);
    await page.setViewportSize(phone);
    expect(await heightOf()).toBeLessThanOrEqual(4 * phone.height);
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
    expect(await seriousFindings(page)).toEqual([]);
    await world.repair();
    await page.locator(".light.green").waitFor();
  });

  test("the status light stays in view on a desktop screen and scrolls away on a phone, upright or not", async () => {
    const topAfterScroll = async (width: number, height: number) => {
      await page.setViewportSize({ width, height });
      await page.evaluate("scrollTo(0, 400)");
      return Number(await page.evaluate("document.querySelector('.light').getBoundingClientRect().top"));
    };
    expect(await topAfterScroll(1024, 600)).toBeGreaterThanOrEqual(0);
    expect(await topAfterScroll(360, 780)).toBeLessThan(0);
    expect(await topAfterScroll(780, 360)).toBeLessThan(0);
    await page.setViewportSize(desk);
  });

  test("the button that closes a shift stands apart, and its question says that the closing cannot be undone", async () => {
    const card = await openCard(page, "Касса 2");
    const colourOf = (name: string) =>
      page.evaluate(
        `getComputedStyle([...document.querySelectorAll(".row[open] button")].find((one) => one.textContent === "${name}")).borderColor`,
      );
    expect(await colourOf("Закрыть смену (Z)")).not.toBe(await colourOf("Пробная печать"));
    expect(await colourOf("X-отчёт")).toBe(await colourOf("Пробная печать"));
    await card.getByRole("button", { name: "Закрыть смену (Z)" }).click();
    await page.locator("dialog.grave").getByText("Отменить это нельзя").waitFor();
    await page.getByRole("button", { name: "Нет" }).click();
  });

  test.each([
    [
      "a yellow card shows all its buttons",
      "yellow",
      ["paper-low"],
      ["Пробная печать", "X-отчёт", "Пауза", "Закрыть смену (Z)"],
    ],
    ["a red card hides every button that does not end its trouble", "red", ["register-blocked"], []],
    [
      "a red card of an expired shift shows the button that closes the shift",
      "red",
      ["register-blocked", "shift-expired"],
      ["Закрыть смену (Z)"],
    ],
  ])("%s", async (_title, tone, kinds, shown) => {
    const other = await world.open({ viewport: desk });
    const texts = { en: "It is so.", ru: "Это так." };
    await other.route(/\/api\/now/, async (route) => {
      const response = await route.fetch();
      const now = nowAnswer.parse(await response.json());
      const registers = now.registers.map((card) => {
        if (card.title !== "Касса 2") return card;
        const common = { needs: "look", about: { name: texts, registers: [], site: null }, since: now.at, until: null };
        const rest = { text: texts, next: texts, count: 0, examples: [], code: null, detail: null, isDecision: false };
        return { ...card, tone, troubles: kinds.map((kind) => ({ ...common, ...rest, kind, key: kind })) };
      });
      await route.fulfill({ response, json: { ...now, registers } });
    });
    await other.reload();
    const card = other.locator(`.cards .card.${tone}`, { hasText: "Касса 2" });
    await card.waitFor();
    const buttons = await card.getByRole("button").allTextContents();
    await other.unrouteAll({ behavior: "ignoreErrors" });
    await other.context().close();
    expect(buttons.filter((name) => name !== "")).toEqual(shown);
  });

  test("an opened row shows title, short name and registration number of its register", async () => {
    await (await openCard(page, "Касса 2")).getByText(/Эталон-1 · till-2 · рег\. № ККТ 0000000000000002/).waitFor();
  });

  test("the state of an order is in sight on a phone, in the list and on the order's own page", async () => {
    await page.setViewportSize(phone);
    await page.getByRole("link", { name: "Заказы" }).click();
    await page.locator(".orders .badge").waitFor();
    expect(await isInSight(".orders .badge")).toBe(true);
    await page.getByRole("link", { name: "1042" }).click();
    await page.locator("h2 .badge").waitFor();
    expect(await isInSight("h2 .badge")).toBe(true);
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
    await page.setViewportSize(desk);
  });

  test("the order's page has the link to the receipt for its buyer, a QR code of the link, and a button that copies it", async () => {
    const buyer = page.getByRole("region", { name: "Для покупателя" });
    const link = buyer.getByRole("link");
    expect(await link.getAttribute("href")).toMatch(/^https:\/\/ofd\.example\/\d{16}\/\d+\/\d+$/);
    const code = buyer.getByRole("img", { name: "QR-код страницы чека" });
    expect(await code.evaluate((image) => image.naturalWidth)).toBeGreaterThan(0);
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await buyer.getByRole("button", { name: "Скопировать ссылку" }).click();
    await buyer.getByText("Ссылка скопирована.").waitFor();
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(await link.getAttribute("href"));
    expect(await seriousFindings(page)).toEqual([]);
  });

  const views = { Сейчас: ".row", Решения: "h2", Заказы: "table", День: "table", Помощь: "ul" };
  const everyView = Object.keys(views);
  const looks: readonly (readonly ["light" | "dark", number, number, readonly string[]])[] = [
    ["light", 1024, 768, ["Сейчас"]],
    ["dark", 1024, 768, everyView],
    ["light", 390, 844, everyView],
    ["dark", 390, 844, ["Сейчас"]],
  ];
  test.each(looks)(
    "the accessibility checker axe finds no serious flaw on the page, %s, %ix%i: %j",
    async (colorScheme, width, height, names) => {
      const other = await world.open({ colorScheme, viewport: { width, height } });
      await other.locator(".light.green").waitFor();
      for (const [name, selector] of Object.entries(views)) {
        if (!names.includes(name)) continue;
        await other.getByRole("link", { name }).click();
        await other.locator(`main ${selector}`).first().waitFor();
        expect([name, await seriousFindings(other)]).toEqual([name, []]);
        const flat = await other.evaluate(
          "[...document.querySelectorAll('main a')].filter((link) => link.getBoundingClientRect().height < 24).length",
        );
        expect([name, flat]).toEqual([name, 0]);
        expect([name, await other.evaluate("document.documentElement.scrollWidth <= innerWidth")]).toEqual([
          name,
          true,
        ]);
      }
      await other.context().close();
      expect(world.errors).toEqual([]);
    },
  );

  test("the menu counts the decisions that wait, and shows no count when there are none", async () => {
    const entry = page.locator("nav a", { hasText: "Решения" });
    expect(await entry.textContent()).toBe("Решения");
    await world.fault("documents-unreadable");
    await world.fault("drop-answer", { when: { command: "close-receipt", nth: 1 } });
    await world.sell("1043");
    await entry.getByText("1", { exact: true }).waitFor();
    await world.repair();
  });
});
