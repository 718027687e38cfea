/** The checker says in Russian what it found, whatever the readers of answers can say. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { inRussian } from "@fiscald/shared/site-check/russian-answers.js";
import { root } from "../support/read-imports.js";

/** These sentences are of calls and of orders that we write ourselves, or parts of longer sentences. */
const elsewhere = [
  '"A1": tax row A1 is A1',
  'no price of the marked position "A1" gives its total',
  "lines of text or pictures",
  "the online format cannot carry A1: use the task table",
  'the line "A1" is too large',
  ", which a wrong character encoding leaves behind",
];

function sentencesIn(folder: string): readonly string[] {
  // The table of tags has the words of a page.
  const names = readdirSync(join(root, folder)).filter((name) => name.endsWith(".ts") && name !== "fiscal-tags.ts");
  return names.flatMap((name) => {
    const text = readFileSync(join(root, folder, name), "utf8")
      .replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$|^(?:import|export) .* from .*$/gm, "")
      // Joins a sentence that is written on several lines.
      .replace(/(["'`]) \+\s*["'`]/g, "");
    return [...text.matchAll(/(["'`])((?:\\.|(?!\1)[^\\\n])*)\1/g)]
      .map(([, , literal = ""]) => literal.replace(/\$\{[^}]*\}/g, "A1").replace(/\\(.)/g, "$1"))
      .filter((sentence) => /[a-z]{2,} [a-z]{2,}|^is missing/.test(sentence));
  });
}

test("every English sentence about an order is in the Russian table", () => {
  const sentences = ["exchange", "receipt", "receipt/formats"].flatMap((folder) => sentencesIn(`shared/${folder}`));
  expect(sentences.length).toBeGreaterThan(60);
  const english = sentences.filter((sentence) => !/[а-яё]/i.test(inRussian(sentence)));
  expect(english.toSorted()).toEqual(elsewhere.toSorted());
});

test.each([
  [
    'must be roubles above 0, up to 99999999.99, with at most 2 decimals, not "1 990,00"',
    'нужно: рубли больше 0, до 99999999.99, не больше 2 знаков после точки; передано: "1 990,00"',
  ],
  [
    "sent, but no whole answer: https://shop.example/fiscal: no answer in 10 s",
    "отправлено, но ответ не пришёл целиком: https://shop.example/fiscal: ответа нет 10 с",
  ],
  [
    `the answer is no JSON: Unexpected token 'N', "Notice: x" is not valid JSON`,
    `ответ не JSON: лишнее 'N' в "Notice: x"`,
  ],
  [
    "the answer is no JSON: Unexpected non-whitespace character after JSON at position 240",
    "ответ не JSON: после JSON есть ещё текст, позиция 240",
  ],
  [
    "the answer is no JSON: Unexpected non-whitespace character after JSON at position 2 (line 1 column 3)",
    "ответ не JSON: после JSON есть ещё текст, строка 1, столбец 3",
  ],
  [`the answer is no JSON: "undefined" is not valid JSON`, `ответ не JSON: "undefined" — не JSON`],
  [
    "https://shop.example/fiscal: connect ECONNREFUSED ::1:443; connect ECONNREFUSED 127.0.0.1:443",
    "https://shop.example/fiscal: там никто не отвечает (::1:443, 127.0.0.1:443, ECONNREFUSED)",
  ],
  [
    "https://shop.example/fiscal: 80F2:error:0A00010B:SSL routines:ssl3_get_record:wrong version number:record.c:350:",
    "https://shop.example/fiscal: по этому адресу нет шифрования: нужен http:// или другой порт",
  ],
  [
    "https://shop.example/fiscal: unable to verify the first certificate",
    "https://shop.example/fiscal: сайт не прислал промежуточный сертификат, или центр сертификата не известен",
  ],
  ['"Tea": there is no tax row 22, only 1, 2', "«Tea»: строки налогов с номером 22 нет, есть 1, 2"],
  ["https://shop.example/fiscal answered 500", "https://shop.example/fiscal: ответ 500"],
  ['the site answered resultCode 4: "5 is paid of 7"', 'сайт ответил resultCode 4: "5 is paid of 7"'],
  ["the site answered a poll with no secret", "сайт ответил на опрос, в котором нет секрета"],
])('the sentence "%s" is shown in Russian', (english, russian) => {
  expect(inRussian(english)).toBe(russian);
});

test("a long text of a site that repeats the words of a sentence is left as written, in bounded time", () => {
  const text = `the site answered resultCode 5: ${"x answered y and points to ".repeat(10_000)}`;
  expect(inRussian(text)).toBe(text);
});
