import type { Page } from "playwright-core";
import { hasBrowser } from "../../../support/browser.js";
import { openPageWorld, type PageWorld, saleOf, sayYes } from "./page-world.js";

const inBrowser = hasBrowser ? describe : describe.skip;

inBrowser("the operator's page by the keyboard alone", () => {
  let world: PageWorld;
  let page: Page;

  beforeAll(async () => {
    world = await openPageWorld({ titles: ["Касса 1"] });
    await world.sell("A-1");
    page = await world.open({ viewport: { width: 1024, height: 500 } });
    await page.locator(".light.green").waitFor();
  });
  afterAll(() => world.close());

  /** Presses the key until the element with this name has the focus. */
  async function goTo(name: string, key = "Tab"): Promise<void> {
    for (let stops = 0; stops < 40; stops += 1) {
      await page.keyboard.press(key);
      if ((await page.locator(":focus").textContent()) === name) return;
    }
    throw new Error(`the key ${key} does not come to ${name}`);
  }

  test("the focus goes to the start of the opened view when the followed link has disappeared", async () => {
    await goTo("Заказы");
    await page.keyboard.press("Enter");
    await page.locator(".orders").waitFor();
    await goTo("A-1");
    await page.keyboard.press("Enter");
    await page.locator("main:focus h2", { hasText: "Заказ A-1" }).waitFor();
    await page.keyboard.press("Tab");
    expect(await page.locator(":focus").textContent()).toBe("К списку");
  });

  test("the status light never covers the focused element when a person tabs back through a long view", async () => {
    await page.getByText("доставлен, попыток: 1").waitFor();
    await goTo("Отправить снова");
    const isCovered = () =>
      page.evaluate(
        "document.activeElement.getBoundingClientRect().top < document.querySelector('.light').getBoundingClientRect().bottom",
      );
    for (const name of ["Копия на бумаге", "Возврат", "Неверный чек", "К списку"]) {
      await goTo(name, "Shift+Tab");
      expect([name, await isCovered()]).toEqual([name, false]);
    }
  });

  test("a dialog that cannot be loaded says so, and its button returns the focus to the button that opened the dialog", async () => {
    await page.route("**/api/repairs/form*", (route) => route.fulfill({ status: 500, body: "" }), { times: 1 });
    await goTo("Неверный чек");
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Форму не удалось прочитать. Закройте её и откройте ещё раз.").waitFor();
    await goTo("Закрыть");
    await page.keyboard.press("Enter");
    await page.locator("button:focus", { hasText: "Неверный чек" }).waitFor();
  });

  test("Escape closes the dialog of a wrong receipt and returns the focus to the button that opened the dialog", async () => {
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("radio").first().waitFor();
    expect(await dialog.evaluate((one) => one.matches(":focus"))).toBe(true);
    await page.keyboard.press("Tab");
    expect(await page.locator(":focus").getAttribute("type")).toBe("radio");
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await page.locator("button:focus", { hasText: "Неверный чек" }).waitFor();
  });

  test("the focus stays in the list of decisions when the focused decision is settled", async () => {
    world.offerOnce(saleOf("B-1", 99));
    await page.getByRole("link", { name: "Решения" }).click();
    const aside = page.getByRole("button", { name: "Убрать из списка, не печатать" });
    await aside.waitFor();
    await aside.focus();
    await page.keyboard.press("Enter");
    await page.getByText("Печататься не будет, из этого списка уйдёт: B-1 на 10,00").waitFor();
    await goTo("Да, продолжить", "Shift+Tab");
    await page.keyboard.press("Enter");
    await page.getByText("Решать нечего.").waitFor();
    await page.locator("h2:focus", { hasText: "Решения" }).waitFor();
  });

  test("nothing gets the focus when a person has clicked an empty place before the focused decision is settled", async () => {
    world.offerOnce(saleOf("B-2", 99));
    const aside = page.getByRole("button", { name: "Убрать из списка, не печатать" });
    await aside.waitFor();
    await aside.focus();
    const { width, height } = (await page.locator("header.top nav").boundingBox()) ?? { width: 0, height: 0 };
    expect(width).toBeGreaterThan(0);
    // This place is between the links and the language button, outside the view, so no element takes the focus.
    await page.mouse.click(width + 60, height / 2);
    expect(await page.evaluate("document.activeElement === document.body")).toBe(true);
    const other = await world.open();
    await other.getByRole("navigation").getByRole("link", { name: "Решения" }).click();
    await other.getByRole("button", { name: "Убрать из списка, не печатать" }).click();
    await sayYes(other);
    await page.getByText("Решать нечего.").waitFor();
    await other.context().close();
    expect(await page.evaluate("document.activeElement === document.body")).toBe(true);
  });

  test("a guide that is opened from the end of the questions is shown from its start", async () => {
    await page.getByRole("link", { name: "Помощь" }).focus();
    await page.keyboard.press("Enter");
    await goTo("Страница поддержки");
    expect(Number(await page.evaluate("scrollY"))).toBeGreaterThan(0);
    await page.keyboard.press("Enter");
    await page.locator("main:focus .guide").waitFor();
    expect(await page.evaluate("scrollY")).toBe(0);
  });
});
