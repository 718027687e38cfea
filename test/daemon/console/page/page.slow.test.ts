/** The operator's page in a real browser, on a whole daemon with emulated registers. */
import { readFileSync } from "node:fs";
import { unzipSync } from "fflate";
import type { Page } from "playwright-core";
import { hasBrowser, seriousFindings } from "../../../support/browser.js";
import { openCard, openPageWorld, type PageWorld, saleOf, sayYes } from "./page-world.js";

const inBrowser = hasBrowser ? describe : describe.skip;

inBrowser("the operator's page", () => {
  let world: PageWorld;
  let page: Page;

  beforeAll(async () => {
    world = await openPageWorld({ titles: ["Касса у входа", "<img src=x onerror=alert(1)>"] });
    page = await world.open({ viewport: { width: 1024, height: 768 } });
  });
  afterAll(() => world.close());

  const go = (name: string) => page.getByRole("link", { name: new RegExp(`^${name}`) }).click();
  const search = async (text: string) => {
    await page.getByRole("searchbox").fill(text);
    await page.keyboard.press("Enter");
  };
  const light = (colour: string) => page.locator(`.light.${colour}`);
  const register = () => openCard(page, "Касса у входа");
  const site = () => openCard(page, "shop");

  test("the page and its title are green while everything prints", async () => {
    await light("green").getByText("Всё печатается").waitFor();
    expect(await page.title()).toBe("✓ Всё печатается");
    expect(await (await register()).textContent()).toMatch(/готова.*Бумага\s*есть.*Часы\s*верны/);
    expect(await page.locator(".card", { hasText: "<img" }).count()).toBe(1);
  });

  test("the page shows the open shift and the last order once an order is printed", async () => {
    world.offer(saleOf("A-1"));
    await (await register()).getByText(/№ 1 открыта, 0 из 24 ч/).waitFor();
    await (await site()).locator("div", { hasText: "Последний заказ" }).getByText("только что").waitFor();
  });

  test("the page lists how a register is set, with the place, the value and the effect of each row", async () => {
    await (await register()).getByText("Как настроена касса").click();
    const row = (await register()).locator("tr", { hasText: "(ИНН)" });
    expect(await row.locator("td").allTextContents()).toEqual([
      "налогоплательщик по регистрации (ИНН)",
      expect.stringMatching(/^\d+$/),
      "",
      "Заказ, в котором назван другой налогоплательщик, отклоняется.",
    ]);
    await (await register()).getByText("Как настроена касса").click();
  });

  test("the page names the register without paper and what to do, and turns green by itself", async () => {
    await world.fault("paper-out");
    await light("red")
      .getByText(/Касса у входа \(till-1\): .*бумага. Вставьте бумагу/)
      .waitFor();
    expect(await page.title()).toMatch(/^✕ Касса у входа \(till-1\): .*бумага/);
    await (await register()).getByText("ждёт человека").waitFor();
    await world.repair();
    await light("green").waitFor();
  });

  test("the page shows since when a register is paused, and can resume the register", async () => {
    await (await register()).getByRole("button", { name: "Пауза" }).click();
    await page.getByText(/Касса у входа допечатает начатый чек и перестанет печатать заказы/).waitFor();
    await sayYes(page);
    await light("red")
      .getByText(/Касса у входа \(till-1\): Касса на паузе и не печатает заказы. .* ·\s*только что/)
      .waitFor();
    // The card below has the button, so no command is named.
    expect(await light("red").textContent()).not.toContain("fiscald");
    await (await register()).locator(".state", { hasText: "на паузе" }).waitFor();
    expect(await (await register()).textContent()).toMatch(/На паузе\s*только что/);
    await (await register()).getByRole("button", { name: "Возобновить печать" }).click();
    await page.getByText("Касса у входа начнёт печатать всё, что ждёт.").waitFor();
    await sayYes(page);
    await light("green").waitFor();
    await page.locator(".row", { hasText: "Касса у входа" }).getByText("готова").first().waitFor();
  });

  test("the page prints a test slip after a question, and says in words why a slip cannot be printed", async () => {
    const ask = async () => {
      await (await register()).getByRole("button", { name: "Пробная печать" }).click();
      await page.getByText(/Касса у входа напечатает несколько строк, это не чек/).waitFor();
      await sayYes(page);
    };
    await ask();
    await page.locator("h2", { hasText: "Печать текста готово" }).waitFor();
    await page.getByText("запрошена пробная печать").waitFor();
    await go("Сейчас");
    await world.fault("paper-out");
    await light("red").waitFor();
    await (await register()).getByRole("button", { name: "Закрыть смену (Z)" }).click();
    await page.getByText("это может быть сделано позже, когда она вернётся. Касса у входа закроет смену").waitFor();
    await page.getByRole("button", { name: "Нет" }).click();
    await ask();
    await (await register()).getByRole("status").getByText("закончилась бумага").waitFor();
    await world.repair();
    await light("green").waitFor();
  });

  test("the page prints a copy of a receipt on paper after a question", async () => {
    await go("Заказы");
    await go("A-1");
    await page.getByRole("button", { name: "Копия на бумаге" }).click();
    await page.getByText("Касса ещё раз напечатает копию чека заказа A-1; новой продажи не будет.").waitFor();
    await sayYes(page);
    await page.getByText("Готово.").waitFor();
    // The copy must be shown at once, because a person who sees no trace of it asks for another copy.
    await page.locator(".story").getByText("напечатана копия чека").waitFor({ timeout: 3000 });
    await go("Сейчас");
  });

  test("the page finds an order by its id, its document's number, its sum or its day", async () => {
    await go("Заказы");
    const row = page.locator("tbody tr", { hasText: "A-1" });
    await row.getByText("напечатан").waitFor();
    await row.getByText("10,00 ₽").waitFor();
    const fd = await row.locator("td").last().textContent();
    // The day is the registers' day, wherever this test runs.
    const timeZone = "Europe/Moscow";
    const [today, iso] = ["ru", "sv"].map((language) => new Date().toLocaleDateString(language, { timeZone }));
    for (const text of ["A-1", "a-1", fd ?? "", "10,00", "10.00", " 1 0,00 ", today ?? "", iso ?? ""]) {
      await search("нет такого");
      await page.getByText("Ничего не найдено.").waitFor();
      await search(text);
      await row.waitFor();
    }
    expect(await seriousFindings(page)).toEqual([]);
  });

  test("the page says why an order waits, and cancels it by a button after a question", async () => {
    await search("");
    await world.fault("paper-out");
    await light("red").waitFor();
    world.offer(saleOf("B-1"));
    await go("B-1");
    await page.getByText(/^Касса у входа \(till-1\)\. В кассе закончилась бумага/).waitFor();
    world.offer(null);
    await page.getByRole("button", { name: "Печатать на: <img src=x" }).click();
    await page.getByText("Чек заказа B-1 будет напечатан на другой кассе: <img src=x onerror=alert(1)>").waitFor();
    await page.getByRole("button", { name: "Нет" }).click();
    const cancel = page.getByRole("button", { name: "Не печатать" });
    await cancel.click();
    expect(await seriousFindings(page)).toEqual([]);
    await page.getByRole("button", { name: "Нет" }).click();
    await cancel.click();
    await sayYes(page);
    await page.getByText("Готово.").waitFor();
    await page.locator("h2", { hasText: "отменён" }).waitFor();
    await page.locator(".story").getByText("отменён").waitFor();
    await world.repair();
    await light("green").waitFor();
    await go("Сейчас");
  });

  test("the page says that an order does not exist, and gives the focus back after a declined question", async () => {
    const { hash } = new URL(page.url());
    await page.evaluate("location.hash = '#order/99999'");
    await page.getByText("Ничего не найдено.").waitFor();
    // A missing order also causes an error in the browser's console.
    await page.evaluate(`location.hash = '${hash}'`);
    const slip = (await register()).getByRole("button", { name: "Пробная печать" });
    await slip.focus();
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor();
    // A screen reader says the question, because the answer has the focus.
    const said = await page.getByRole("dialog").getAttribute("aria-describedby");
    expect(await page.locator(`[id="${said}"]`).textContent()).toContain("напечатает несколько строк");
    expect(await page.getByRole("button", { name: "Нет" }).evaluate((button) => button.matches(":focus"))).toBe(true);
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    // The focus returns a moment after the question has disappeared.
    await (await register()).locator("button:focus", { hasText: "Пробная печать" }).waitFor();
  });

  test("the page shows the operator no button that would be refused", async () => {
    const other = await world.open({}, "operator");
    const row = other.locator(".row", { hasText: "Касса у входа" });
    await row.waitFor();
    const card = await openCard(other, "Касса у входа");
    await card.getByRole("button", { name: "X-отчёт" }).waitFor();
    expect(await card.getByRole("button").allTextContents()).toEqual(["Пробная печать", "X-отчёт"]);
    expect(await other.getByRole("link", { name: "Настройка" }).count()).toBe(0);
    // A printed order without a problem asks nobody for anything.
    await other.getByRole("link", { name: "Заказы" }).click();
    await other.getByRole("link", { name: "A-1" }).click();
    await other.getByText("Результат: доставлен").waitFor();
    expect(await other.getByText(/Что делать|Это делает администратор/).count()).toBe(0);
    expect(await other.getByRole("button", { name: "Возврат" }).count()).toBe(0);
    await other.context().close();
  });

  test("the page shows the documents beside an order of unknown outcome, and a button chooses one of them", async () => {
    await world.fault("documents-unreadable");
    await world.fault("drop-answer", { when: { command: "close-receipt", nth: 1 } });
    world.offer(saleOf("C-1"));
    await light("red").getByRole("link", { name: "Решения" }).click();
    world.offer(null);
    await go("C-1");
    const candidates = page.getByRole("region", { name: "Документы кассы" });
    const [, fd] = /ФД (\d+) · не прочитан/.exec((await candidates.textContent()) ?? "") ?? [];
    await page.getByText("Ответ «исход неизвестен»: доставлен").waitFor();
    // A document that nobody has looked at is not sent as checked, so the daemon refuses.
    await page.getByRole("button", { name: "Чек не напечатан" }).click();
    const box = page.getByRole("checkbox", { name: `Я проверил документ ${fd}: это другой чек` });
    expect(await box.isChecked()).toBe(false);
    // A tick that was taken away is not sent.
    await box.check();
    await box.uncheck();
    expect(await seriousFindings(page)).toEqual([]);
    const [request] = await Promise.all([page.waitForRequest(/\/resolve$/), sayYes(page)]);
    expect(request.postDataJSON()).toMatchObject({ notPrinted: true, checked: [] });
    await page.getByRole("region", { name: "Что делать" }).getByText("нажмите кнопку ещё раз").waitFor();
    await world.repair();
    await page.getByRole("button", { name: `Это документ ${fd}` }).click();
    await page.getByText(`Касса ещё раз прочитает документ ${fd}.`).waitFor();
    await sayYes(page);
    await page.locator("h2", { hasText: "C-1 напечатан" }).waitFor();
    await go("Сейчас");
    await light("green").waitFor();
  });

  test("the page closes the shift after a question, and shows the outcome", async () => {
    await go("Сейчас");
    await (await register()).getByRole("button", { name: "Закрыть смену (Z)" }).click();
    await page
      .getByRole("dialog")
      .getByText(/закроет смену и напечатает Z-отчёт/)
      .waitFor();
    await sayYes(page);
    await page.locator("h2", { hasText: /Закрытие смены \(Z\) готово/ }).waitFor();
    await go("Сейчас");
    await (await register()).getByText("№ 1 закрыта").waitFor();
  });

  test("the page of the day shows its sums, the shift beside the register's counters, and that no receipt is missing", async () => {
    await go("День");
    const shift = page.locator("tr", { hasText: "Касса у входа, № 1" });
    await shift.getByText("сходится").waitFor();
    expect(await page.getByRole("row", { name: /^наличными/ }).textContent()).toContain("20,00\u00A0₽");
    await page.getByText("Чеков заказано: 3, документов: 2, результатов принято сайтами: 3. Всё на месте").waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: /CSV/ }).click(),
    ]);
    const table = readFileSync(await download.path(), "utf8");
    await page.route(/\/api\/day\?/, async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replaceAll('"differs":false', '"differs":true');
      await route.fulfill({ response, body: body.replace('"isSound":true', '"isSound":false') });
    });
    await go("Сейчас");
    await go("День");
    await page.getByText("Разница — это чеки, которые напечатала другая программа").waitFor();
    expect(await page.getByText("Всё на месте").count()).toBe(0);
    await page.unrouteAll({ behavior: "wait" });
    expect(table).toMatch(/^\uFEFFЗаказан;.*\r\n.*;Приход;shop;A-1;10,00;10,00;0,00;0,00;напечатан;/);
  });

  test("the page offers the support file, copies the database and says how to restore the copy", async () => {
    await go("Помощь");
    await page.getByRole("button", { name: "Файл для поддержки" }).click();
    const [download] = await Promise.all([page.waitForEvent("download"), sayYes(page)]);
    const files = Object.keys(unzipSync(readFileSync(await download.path())));
    expect([download.suggestedFilename(), files]).toEqual([
      expect.stringMatching(/^fiscald-support-\d{8}-\d{6}\.zip$/),
      expect.arrayContaining(["config.json", "queue.json", "live/registers.json"]),
    ]);
    await page.getByRole("button", { name: "Копия базы данных" }).click();
    await sayYes(page);
    const said = await page.getByText(/fiscald restore/).textContent();
    const [, path = ""] = /fiscald restore "(.+)"/.exec(said ?? "") ?? [];
    expect(readFileSync(path).subarray(0, 15).toString()).toBe("SQLite format 3");
    await go("Сейчас");
  });

  test("the page says in one sentence why a site cannot be polled, and polls the site when asked to", async () => {
    world.site.answer(() => ({ status: 500, body: "" }));
    await page
      .locator(".cards .card", { hasText: "shop" })
      .getByText(/Сайт отвечает ошибкой 500/)
      .waitFor();
    world.offer(null);
    await (await site()).getByRole("button", { name: "Проверить сейчас" }).click();
    await sayYes(page);
    await page.locator(".row", { hasText: "shop" }).getByText("отвечает").first().waitFor();
  });

  test("the page is switched to English by the keyboard alone, and remembers the language", async () => {
    await page.reload();
    const stops = ["now", "decisions", "orders", "day", "help", "setup", "language"];
    for (const _ of stops) await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await light("green").getByText("Everything prints").waitFor();
    await page.reload();
    await light("green").getByText("Everything prints").waitFor();
    await page.getByRole("button", { name: "Русский" }).click();
    await light("green").getByText("Всё печатается").waitFor();
  });

  test("the browser reported no error of the page during the tests before this one", () => {
    // A refused request also causes an error in the browser's console.
    expect(world.errors.filter((error) => !/status of (503|409|404|401)/.test(error))).toEqual([]);
  });

  test("the page of decisions shows an answer that could not be read, with its text and the place of the mistake", async () => {
    await go("Решения");
    await page.getByText("Решать нечего.").waitFor();
    const both = (text: string) => ({ en: text, ru: text });
    const askedAbout = (kind: string, text: string, jobs: readonly number[]) => ({
      trouble: { key: kind, kind, needs: "person", about: { name: both("") }, text: both(text), next: both("") },
      entries: jobs.map((job) => ({ name: both(`R-${job}`), job, at: null, text: both(""), body: "" })),
      ...{ steps: [], offers: [] },
    });
    const failed = Array.from({ length: 50 }, (_, index) => index + 2);
    const decisions = [askedAbout("refused", "Заказы отклонены", [1]), askedAbout("failed", "Не напечатаны", failed)];
    await page.route(/\/api\/decisions/, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), decisions } });
    });
    await go("Сейчас");
    await go("Решения");
    await page.getByRole("region", { name: "Заказы отклонены" }).getByRole("link", { name: "R-1" }).waitFor();
    await page.getByRole("region", { name: "Не напечатаны" }).getByText("Показаны последние 50").waitFor();
    // An answer on its way must not be handled twice.
    await page.unrouteAll({ behavior: "wait" });
    // The register does not have this tax row, so nothing can be printed, and a person settles the order.
    const untaxed = saleOf("T-1", 77);
    world.offer(untaxed);
    await go("T-1");
    world.offer(null);
    await page.getByRole("button", { name: "Убрать из списка, не печатать" }).click();
    await sayYes(page);
    await page.locator(".story").getByText("оператор оставил его ненапечатанным").waitFor();
    await page.getByRole("button", { name: "Убрать из списка, не печатать" }).waitFor({ state: "detached" });
    await light("green").waitFor();
    await go("Решения");
    await page.getByText("Решать нечего.").waitFor();
    const script = "<img src=x onerror=alert(1)><script>alert(1)</script>";
    const lines = [
      { type: "Registration", data: script },
      { type: "OpenChequeSell", data: "" },
    ];
    world.offer({ response: { orderId: script, taskTable: lines } });
    const answer = page.locator(".card.unreadable");
    await answer.waitFor();
    world.offer(null);
    await answer.getByText("Для разработчика сайта").click();
    await answer.locator("pre", { hasText: "OpenChequeSell" }).waitFor();
    // An item's name stays text, whatever it contains.
    await answer.locator("pre", { hasText: "<script>alert(1)" }).waitFor();
    expect(await page.locator("main script, main img").count()).toBe(0);
    expect(await answer.textContent()).toMatch(
      /^shop\. Заказ .* не удалось прочитать\. В заказе не хватает обязательного поля.*taskTable/,
    );
    expect(await seriousFindings(page)).toEqual([]);
    await answer.getByRole("button", { name: "Убрать из списка" }).click();
    await sayYes(page);
    await page.getByText("Решать нечего.").waitFor();
  });

  test("when a register alters receipts, the page asks which value is right, and then the waiting receipts are printed", async () => {
    await world.fault("alter", { change: [{ tag: 1199, from: 2, to: 6 }] });
    world.offer(saleOf("R-1", 2));
    await go("Сейчас");
    await light("red").getByText("без НДС вместо НДС 10%").waitFor();
    await page.getByRole("link", { name: "Решения" }).first().click();
    const card = page.locator(".card", { hasText: "ставка НДС (1199)" });
    await card.getByText("Чеки с этим значением ждут.").waitFor();
    await world.repair();
    await card.getByRole("button", { name: "На кассе исправлено" }).click();
    await page.getByText("первые из них снова будут сверены с переданными").waitFor();
    await sayYes(page);
    await card.waitFor({ state: "detached" });
    world.offer(saleOf("R-2", 2));
    await go("Сейчас");
    await light("red").waitFor({ state: "detached" });
  });
});
