/** `fiscald-site check-site` as a program. The checker itself is tested with shared/site-check. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { startChild } from "../../support/child-process.js";
import { root } from "../../support/read-imports.js";
import { useTempFolder } from "../../support/temp-folder.js";
import { startTestSite, type TestSite } from "../../support/test-site.js";

const folder = useTempFolder();
let shop: TestSite;
beforeEach(async () => {
  shop = await startTestSite();
});
afterEach(() => shop.close());

async function run(...words: readonly string[]): Promise<{ readonly code: number | string; readonly output: string }> {
  const program = join(root, "handlers/bin/fiscald-site.js");
  const child = startChild([program, "check-site", ...words], { env: { FISCAL_SECRET: "shop-secret" } });
  return { code: await child.ended, output: child.output() };
}

test("fiscald-site check-site checks sites one after another, with the secret from the environment", async () => {
  shop.answer(({ headers, json }) => {
    if (headers["x-key"] !== "shop-secret") return { status: 401 };
    return json === undefined
      ? { status: 400 }
      : { body: { resultCode: json["action"] === "checkSiteUnknown" ? 2 : 0 } };
  });
  const junit = join(folder(), "sites.xml");
  const right = await run(shop.url, `${shop.url}/2`, "--auth", "header=X-Key", "--junit", junit);
  expect(right).toEqual({ code: 0, output: expect.stringContaining(`${shop.url}/2  register 0001234567012345`) });
  expect(readFileSync(junit, "utf8").match(/<testsuite name/g)).toHaveLength(2);
  const wrong = await run(shop.url, "--auth", "bearer");
  expect(wrong).toEqual({ code: 1, output: expect.stringContaining("secret-refused") });
});

test.each([
  ["no address", []],
  ["an invalid address", ["shop"]],
  ["an unknown kind of authentication", ["http://127.0.0.1:1/", "--auth", "magic"]],
])("fiscald-site check-site refuses %s as wrong usage", async (_, words) => {
  expect(await run(...words)).toMatchObject({ code: 2 });
});

test.each([
  [["shop"], /^usage.wrong: shop — не адрес.*\n[А-Я]/],
  [["--totl", "5"], /^ошибка: нет такого ключа: '--totl'\n\(возможно, --total\?\)\n\(см\. --help\)$/],
  [["--total", "much"], /^ошибка: значение 'much' ключа '--total' не подходит\. Это сумма/],
])("fiscald-site check-site explains the wrong usage %j in the requested language", async (words, said) => {
  expect(await run(...words, "--lang", "ru")).toEqual({ code: 2, output: expect.stringMatching(said) });
});
