import type { Page } from "playwright-core";
import { hasBrowser, seriousFindings } from "../../../support/browser.js";
import { openPageWorld, type PageWorld } from "./page-world.js";

const inBrowser = hasBrowser ? describe : describe.skip;

inBrowser("the button that returns a sale", () => {
  let world: PageWorld;
  let page: Page;

  beforeAll(async () => {
    world = await openPageWorld();
    await world.sell("A-1");
    page = await world.open({ viewport: { width: 1024, height: 768 } });
  });
  afterAll(() => world.close());

  const dialog = () => page.locator("dialog[open]");
  async function openSale(tab: Page): Promise<void> {
    await tab.getByRole("link", { name: "Сейчас" }).waitFor();
    await tab.goto(`${world.address}/#order/1`);
  }
  async function openDialog(): Promise<void> {
    await openSale(page);
    await page.getByRole("button", { name: "Возврат" }).click();
  }

  test("the dialog of a return says what is left and the sum of the typed part, and its button No changes nothing", async () => {
    await openDialog();
    await dialog()
      .getByText(/Деньги покупателю верните сами/)
      .waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await dialog().getByText("Возврат на 870,00 ₽").waitFor();
    await dialog()
      .getByLabel(/Чай чёрный, 100 г: 2 на 620,00/)
      .fill("1");
    await dialog()
      .getByLabel(/Доставка: 1 на 250,00/)
      .fill("0");
    await dialog().getByText("Возврат на 310,00 ₽").waitFor();
    await dialog().getByRole("button", { name: "Нет" }).click();
    expect(await dialog().count()).toBe(0);
  });

  test("after a part of a sale is returned, the sale's page offers to return the rest", async () => {
    await openDialog();
    await dialog().getByLabel(/Чай/).fill("0,5");
    await dialog()
      .getByLabel(/Доставка/)
      .fill("");
    await dialog()
      .getByLabel(/тег 1192/)
      .check();
    await dialog().getByRole("button", { name: "Да, продолжить" }).click();
    await page.waitForURL(/#order\/2$/);
    await page.locator(".badge.green").waitFor();
    await openDialog();
    await dialog()
      .getByLabel(/Чай чёрный, 100 г: 1,5 на 465,00/)
      .waitFor();
    await dialog().getByRole("button", { name: "Да, продолжить" }).click();
    await page.waitForURL(/#order\/3$/);
    await openSale(page);
    await page.getByText("оператор оформил возврат чека").nth(1).waitFor();
    expect(await page.getByRole("button", { name: "Возврат" }).count()).toBe(0);
    expect(world.errors).toEqual([]);
  });
});
