/** The dialog "wrong receipt" in a real browser, on a whole daemon with an emulated register of format 1.05. */
import type { Page } from "playwright-core";
import { hasBrowser, seriousFindings } from "../../../support/browser.js";
import { openPageWorld, type PageWorld } from "./page-world.js";

const inBrowser = hasBrowser ? describe : describe.skip;

inBrowser("the dialog of a wrong receipt", () => {
  let world: PageWorld;
  let page: Page;

  beforeAll(async () => {
    world = await openPageWorld({ titles: ["Касса 1"] });
    page = await world.open({ viewport: { width: 1024, height: 900 } });
    await world.sell("A-1");
  });
  afterAll(() => world.close());

  const button = (name: string | RegExp) => page.getByRole("button", { name });

  test("a person corrects the price of a receipt by two documents, of which the second waits for the first", async () => {
    await page.getByRole("link", { name: "Заказы" }).click();
    await page.getByRole("link", { name: "A-1" }).click();
    await button("Неверный чек").click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Ошибка в чеке").click();
    await dialog.getByLabel("Цена").first().fill("9");
    // The rate of the wrong receipt is known, so the page asks about another rate on the paper.
    const onPaper = dialog.getByLabel("НДС на чеке").first();
    const known = await onPaper.inputValue();
    const doubt = dialog.getByRole("alert").getByText("сверьте с бумагой");
    await onPaper.selectOption({ label: "НДС 5%" });
    await doubt.waitFor();
    await onPaper.selectOption(known);
    await doubt.waitFor({ state: "detached" });
    await dialog.getByLabel("Кто решил и почему").fill("Петрова: неверная цена");
    await page.setViewportSize({ width: 360, height: 780 });
    // A phone shows a whole line without sideways scrolling.
    expect(await dialog.locator(".wide").evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0);
    await page.setViewportSize({ width: 1024, height: 900 });
    // Documents that arrive after a further change no longer belong to the form.
    let letThrough = () => {};
    const changed = new Promise<void>((resolve) => {
      letThrough = resolve;
    });
    await page.route("**/api/repairs/preview", (route) => changed.then(() => route.fallback()));
    const asked = page.waitForRequest("**/api/repairs/preview");
    await button("Показать документы").click();
    await asked;
    await dialog.getByLabel("Количество").first().fill("2");
    letThrough();
    await dialog.locator("p[role=status]:empty").waitFor({ state: "attached" });
    expect(await dialog.getByRole("img").count()).toBe(0);
    await dialog.getByLabel("Количество").first().fill("1");
    await button("Показать документы").click();
    await dialog.getByRole("img").nth(1).waitFor();
    expect(await dialog.locator("figcaption").allTextContents()).toEqual(["1. Возврат прихода", "2. Приход"]);
    expect(await seriousFindings(page)).toEqual([]);
    await button("Напечатать первый из двух").click();
    await dialog.waitFor({ state: "detached" });
    const steps = page.locator("section[aria-labelledby='repaired'] li");
    await steps.nth(1).getByText("Напечатан").waitFor();
    expect(await page.getByText("Решение: Петрова: неверная цена").count()).toBe(1);
    await steps.nth(2).getByRole("link").click();
    await button("Напечатать").click();
    await button("Да, продолжить").click();
    await steps.nth(2).getByText("Напечатан").waitFor();
  });

  test("a person corrects a sale that the daemon knows nothing of, from the page of orders", async () => {
    await page.getByRole("link", { name: "Заказы" }).first().click();
    await button("Заказа не было в кассе").click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Номер заказа").fill("M-1");
    await dialog.getByLabel("Название").fill("Мёд");
    await dialog.getByLabel("Цена").fill("10.50");
    await dialog.getByLabel("НДС").selectOption({ label: "НДС 20%" });
    await dialog.getByLabel("Кто решил и почему").fill("Петрова: касса не работала");
    await button("Показать документы").click();
    await dialog.getByText("Укажите дату расчёта.", { exact: true }).waitFor();
    await dialog.getByLabel("Дата расчёта").fill("2025-06-02");
    await button("Показать документы").click();
    await dialog.getByRole("img").waitFor();
    await button("Напечатать").click();
    await page.getByText("Коррекция прихода").first().waitFor();
    await page.locator("h2").getByText("Напечатан").waitFor();
    expect(world.errors.filter((error) => !/status of 400/.test(error))).toEqual([]);
  });

  test("correcting ticked orders asks for a day only if an order has no time of payment, and proposes no day", async () => {
    const missing = [
      { job: 1, order: "D-1", paidOn: "2026-11-25" },
      { job: 2, order: "D-2", paidOn: null },
    ].map((one) => ({
      ...{
        ...one,
        what: "sale",
        total: "10.00",
        fds: [],
        mayDecide: true,
        site: "shop",
        register: "till-1",
        why: null,
      },
    }));
    await page.route(/\/api\/day\?/, async (route) => {
      const response = await route.fetch();
      const body = await response.json();
      await route.fulfill({ response, json: { ...body, reconciliation: { ...body.reconciliation, missing } } });
    });
    await page.getByRole("link", { name: "День" }).click();
    await page.getByText("10,00 ₽ · till-1 · shop · оплачен 25.11.2026").waitFor();
    const day = page.getByRole("dialog").locator("input[type=date]");
    await page.getByRole("checkbox", { name: "D-1" }).click();
    await button("Напечатать чеком коррекции").click();
    await page.getByRole("dialog").waitFor();
    expect(await day.count()).toBe(0);
    await page.keyboard.press("Escape");
    await page.getByRole("checkbox", { name: "D-2" }).click();
    await button("Напечатать чеком коррекции").click();
    expect([await day.inputValue(), await day.getAttribute("required")]).toEqual(["", ""]);
    await page.keyboard.press("Escape");
    await page.unrouteAll({ behavior: "wait" });
  });

  test("a person chooses the site of an unknown order where its register prints for several sites", async () => {
    await page.route("**/api/repairs/form", async (route) => {
      const response = await route.fetch();
      const body = await response.json();
      const registers = body.registers.map((one: object) => ({ ...one, sites: ["shop", "other"] }));
      await route.fulfill({ response, json: { ...body, registers } });
    });
    await page.getByRole("link", { name: "Заказы" }).first().click();
    await button("Заказа не было в кассе").click();
    const site = page.getByRole("dialog").getByLabel("Сайт заказа");
    expect([await site.inputValue(), await site.getAttribute("required")]).toEqual(["", ""]);
    expect(await site.locator("option").allTextContents()).toEqual(["", "без сайта", "shop", "other"]);
    await page.keyboard.press("Escape");
    await page.unrouteAll({ behavior: "wait" });
  });

  test("a second receipt that another program printed is returned from the page of orders, with its fiscal sign", async () => {
    await page.getByRole("link", { name: "Заказы" }).first().click();
    await button("Заказа не было в кассе").click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Лишний чек").click();
    await dialog.getByLabel("ФП лишнего чека").fill("0012345678");
    await dialog.getByLabel("Номер заказа").fill("K-7");
    await dialog.getByLabel("Название").fill("Мёд");
    await dialog.getByLabel("Цена").fill("10.50");
    await dialog.getByLabel("НДС").selectOption({ label: "НДС 10%" });
    await dialog.getByLabel("Кто решил и почему").fill("Петрова: второй чек пробили на кассе магазина");
    await button("Показать документы").click();
    await dialog.getByRole("img").waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await button("Напечатать").click();
    await page.getByText("Возврат прихода").first().waitFor();
    await page.locator("h2").getByText("Напечатан").waitFor();
    expect(world.errors.filter((error) => !/status of 400/.test(error))).toEqual([]);
  });
});
