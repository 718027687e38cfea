import { decodeBody } from "@fiscald/shared/http/decode-body.js";
import iconv from "iconv-lite";

const name = "Молоко №5";
const utf8 = Buffer.from(name);
const cp1251 = iconv.encode(name, "win1251");
const typed = (type: string) => ({ "content-type": type });

test.each([
  ["UTF-8, undeclared", utf8, {}],
  ["UTF-8 with a byte order mark", Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), utf8]), {}],
  ["UTF-8 that PHP declares as windows-1251", utf8, typed("text/html; charset=windows-1251")],
  ["windows-1251, declared", cp1251, typed('application/json; charset="Windows-1251"')],
  ["KOI8-R, declared", iconv.encode("Молоко", "koi8-r"), typed("application/json;charset=koi8-r")],
])("a body in %s is read as it was written", (_, bytes, headers) => {
  const { text, problem } = decodeBody(bytes, headers);
  expect(name.startsWith(text)).toBe(true);
  expect(problem).toBeNull();
});

test.each([
  ["in windows-1251, undeclared", cp1251, {}, /not UTF-8, no charset is declared/],
  ["in an unknown charset", cp1251, typed("application/json; charset=klingon"), /cannot be read as klingon/],
  [
    "declared as UTF-8 but is windows-1251",
    cp1251,
    typed("application/json; charset=utf-8"),
    /cannot be read as utf-8/,
  ],
  ["compressed", utf8, { "content-encoding": "gzip" }, /Content-Encoding: gzip/],
])("a body that is %s is reported with its problem", (_, bytes, headers, problem) => {
  expect(decodeBody(bytes, headers).problem?.en).toMatch(problem);
});
