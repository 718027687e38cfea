/** The page is tested on a bad network, with an impatient person, and with changes meanwhile. */
import type { Page, Route } from "playwright-core";
import { hasBrowser } from "../../../support/browser.js";
import { openCard, openPageWorld, type PageWorld, saleOf, sayYes } from "./page-world.js";

const inBrowser = hasBrowser ? describe : describe.skip;

inBrowser("the operator's page in trouble", () => {
  let world: PageWorld;
  let page: Page;

  beforeAll(async () => {
    world = await openPageWorld();
    page = await world.open({ viewport: { width: 1024, height: 768 } });
    world.offer(saleOf("A-1"));
    // Until the register is connected, its card is no row that can be opened.
    await page.locator("details.row", { hasText: "Касса 1" }).waitFor();
    await (await register()).getByText("№ 1 открыта").waitFor();
  });
  afterAll(() => world.close());
  afterEach(() => page.unrouteAll({ behavior: "ignoreErrors" }));

  const register = () => openCard(page, "Касса 1");
  const light = (colour: string) => page.locator(`.light.${colour}`);
  const go = (name: string) => page.getByRole("link", { name, exact: true }).click();
  const yes = () => sayYes(page);

  /** Holds back the page's requests until the test lets them go. */
  async function hold(url: RegExp): Promise<{ readonly held: Route[]; next(count: number): Promise<Route> }> {
    const held: Route[] = [];
    let heard = () => {};
    await page.route(url, (route) => {
      held.push(route);
      heard();
    });
    return {
      held,
      async next(count) {
        for (let route = held[count - 1]; ; route = held[count - 1]) {
          if (route !== undefined) return route;
          await new Promise<void>((resolve) => {
            heard = resolve;
          });
        }
      },
    };
  }

  test("the page shows an answer that takes longer than the pause between two of its requests", async () => {
    await go("Помощь");
    const { next } = await hold(/\/api\/orders/);
    await go("Сейчас");
    const route = await next(1);
    // The end of an action causes another reading, as a change does.
    const site = await openCard(page, "shop");
    await site.getByRole("button", { name: "Проверить сейчас" }).click();
    await yes();
    await site.getByText("Готово.").waitFor();
    await route.continue();
    await page.locator(".last").getByRole("link", { name: "A-1" }).waitFor({ timeout: 5000 });
  });

  test("the page does not show an earlier answer as the answer to a new search", async () => {
    await go("Заказы");
    const row = page.locator("tbody tr", { hasText: "A-1" });
    await row.waitFor();
    const { next } = await hold(/\/api\/orders\?search=B-77/);
    await page.getByRole("searchbox").fill("B-77");
    await page.keyboard.press("Enter");
    const route = await next(1);
    expect(await row.count()).toBe(0);
    await route.continue();
    await page.getByText("Ничего не найдено.").waitFor();
  });

  test("a second press of a button during its action does nothing, and no earlier message is shown as the outcome", async () => {
    await go("Сейчас");
    const site = await openCard(page, "shop");
    const poll = site.getByRole("button", { name: "Проверить сейчас" });
    await poll.click();
    await yes();
    await site.getByText("Готово.").waitFor();
    const { held, next } = await hold(/\/api\/sites\/shop\/poll/);
    await poll.click();
    await yes();
    const route = await next(1);
    expect(await site.getByText("Готово.").count()).toBe(0);
    await poll.click({ force: true });
    expect(await page.getByRole("dialog").count()).toBe(0);
    await route.continue();
    await site.getByText(/^\d\d:\d\d · Готово\.$/).waitFor();
    expect(held.length).toBe(1);
  });

  test("an answer that comes after the person has opened another view does not change the view", async () => {
    await go("Сейчас");
    const { next } = await hold(/x-report/);
    await (await register()).getByRole("button", { name: "X-отчёт" }).click();
    await yes();
    const route = await next(1);
    await go("Решения");
    const answered = page.waitForResponse(/x-report/);
    await route.continue();
    await answered;
    await page.evaluate("new Promise((resolve) => setTimeout(resolve, 0))");
    expect(new URL(page.url()).hash).toBe("#decisions");
  });

  test("the page says that an action may have been done when no answer came, and was not done without a session", async () => {
    await go("Сейчас");
    await page.route(/x-report/, (route) => route.abort());
    await (await register()).getByRole("button", { name: "X-отчёт" }).click();
    await yes();
    await (await register()).getByText("Ответа нет: неизвестно, выполнено ли это.").waitFor();
    await page.unrouteAll({ behavior: "wait" });
    await page.route(/x-report/, (route) =>
      route.fulfill({
        status: 401,
        json: { error: { code: "usage.wrong", text: { en: "", ru: "" }, hint: { en: "", ru: "" } } },
      }),
    );
    await (await register()).getByRole("button", { name: "X-отчёт" }).click();
    await yes();
    await (await register()).getByText("Страница закрыта").waitFor();
  });

  test("the page loads the picture of a receipt again when the receipt is printed meanwhile", async () => {
    await world.fault("paper-out");
    await light("red").waitFor();
    world.offer(saleOf("P-1"));
    await go("Заказы");
    await page.getByRole("link", { name: "P-1" }).click();
    world.offer(null);
    const drawn = () => page.locator("img.paper").getAttribute("src");
    const before = await drawn();
    await world.repair();
    await page.locator("h2", { hasText: "напечатан" }).waitFor();
    expect(await drawn()).not.toBe(before);
  });

  test("the page says within seconds that the daemon hangs, and shows new data by itself when the daemon goes on", async () => {
    await go("Сейчас");
    world.hang();
    await light("grey").getByText("Программа не отвечает").waitFor({ timeout: 10_000 });
    await page.getByText(/Показано состояние на \d/).waitFor();
    // A pressed button would act much later, and nobody knows now whether anything is well.
    expect(await (await register()).getByRole("button", { name: "X-отчёт" }).isDisabled()).toBe(true);
    const tone = (selector: string) =>
      page.evaluate(`getComputedStyle(document.querySelector("${selector}")).getPropertyValue("--tone")`);
    expect(await tone(".card")).toBe(await tone(".light.grey"));
    world.goOn();
    await light("green").waitFor();
  });

  test("the page says at once that the daemon does not answer, and shows new data after the daemon's restart", async () => {
    await world.stopDaemon();
    await light("grey").getByText("Программа не отвечает").waitFor();
    await page.getByText(/Показано состояние на \d/).waitFor();
    await world.startDaemon();
    await light("green").waitFor();
  });

  test("the page asks for a new link when its session has ended", async () => {
    await page.context().clearCookies();
    await light("grey").getByText("Страница закрыта").waitFor();
    // The shown data grows old, and belongs to the person who had the session.
    expect(await page.locator(".card").count()).toBe(0);
    await page.goto(await world.link());
    await light("green").waitFor();
  });

  test("the page does not offer to print a receipt again that was found on the fiscal drive after all", async () => {
    await world.fault("documents-unreadable");
    await world.fault("drop-answer", { when: { command: "close-receipt", nth: 1 } });
    world.offer(saleOf("D-1"));
    await light("red").getByRole("link", { name: "Решения" }).click();
    world.offer(null);
    await page.getByRole("link", { name: "D-1" }).click();
    await page.getByRole("button", { name: "Чек не напечатан" }).click();
    await world.repair();
    await yes();
    await page.getByText("Чек нашёлся в накопителе кассы: заказ напечатан").waitFor();
    expect(await page.getByText("print-anyway").count()).toBe(0);
    await go("Сейчас");
    await light("green").waitFor();
  });

  test("an open page is loaded again when a newer daemon has replaced the former daemon", async () => {
    await go("Сейчас");
    await world.stopDaemon();
    await light("grey").waitFor();
    const other = "<script src='./assets/main-other.js'></script>";
    await page.route(`${world.address}/`, (route) => route.fulfill({ body: other }), { times: 1 });
    await Promise.all([page.waitForEvent("load"), world.startDaemon()]);
    await light("green").waitFor();
  });

  test("a page whose session has ended is loaded again when another tab logs in to a newer daemon", async () => {
    const old = await world.open();
    await old.locator(".light.green").waitFor();
    await old.context().clearCookies();
    await world.stopDaemon();
    await world.startDaemon();
    await old.locator(".light", { hasText: "Страница закрыта" }).waitFor();
    const fresh = await old.context().newPage();
    const other = "<script src='./assets/main-other.js'></script>";
    await old.route(`${world.address}/`, (route) => route.fulfill({ body: other }), { times: 1 });
    await fresh.goto(await world.link());
    const look = 'void document.dispatchEvent(new Event("visibilitychange"))';
    await Promise.all([old.waitForEvent("load"), old.evaluate(look)]);
    await old.locator(".light.green").waitFor();
    await old.context().close();
  });

  const hide = (isHidden: boolean) =>
    `Object.defineProperty(document, "hidden", { value: ${isHidden}, configurable: true });
     void document.dispatchEvent(new Event("visibilitychange"))`;

  test("a tab that was hidden while a newer daemon replaced the former daemon is loaded again when it is shown", async () => {
    const tab = await world.open();
    await tab.locator(".light.green").waitFor();
    await tab.evaluate(hide(true));
    const other = "<script src='./assets/main-other.js'></script>";
    await tab.route(`${world.address}/`, (route) => route.fulfill({ body: other }), { times: 1 });
    await Promise.all([tab.waitForEvent("load", { timeout: 10_000 }), tab.evaluate(hide(false))]);
    await tab.locator(".light.green").waitFor();
    await tab.context().close();
  });

  test("a page shows new data beside more hidden tabs than a browser has connections, and so does each tab when shown", async () => {
    const tab = await world.open();
    await tab.locator(".light.green").waitFor();
    const hidden: Page[] = [];
    for (let count = 0; count < 7; count += 1) {
      const other = await tab.context().newPage();
      hidden.push(other);
      await other.goto(world.address);
      await other.locator(".light.green").waitFor();
      await other.evaluate(hide(true));
    }
    const isRed = (one: Page | undefined) => one?.locator(".light.red").waitFor({ timeout: 10_000 });
    await world.fault("paper-out");
    await isRed(tab);
    await hidden[0]?.evaluate(hide(false));
    await isRed(hidden[0]);
    await world.repair();
    await tab.context().close();
  });
});
