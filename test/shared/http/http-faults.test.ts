import { statusFault, toNetworkFault } from "@fiscald/shared/http/http-faults.js";

const place = "https://shop.example/fiscal";

test.each([
  ["ENOTFOUND", "site.dns"],
  ["EAI_AGAIN", "site.dns"],
  ["CERT_HAS_EXPIRED", "site.tls"],
  ["DEPTH_ZERO_SELF_SIGNED_CERT", "site.tls"],
  ["ERR_TLS_CERT_ALTNAME_INVALID", "site.tls"],
  ["CERT_NOT_YET_VALID", "site.clock"],
  ["ETIMEDOUT", "site.timeout"],
  ["ECONNREFUSED", "site.unreachable"],
])("the error %s on the way to a site is the fault %s", (code, expected) => {
  const error = Object.assign(new Error("no"), { code });
  const wrapped = new TypeError("fetch failed", { cause: error });
  expect(toNetworkFault(error, place).code).toBe(expected);
  expect(toNetworkFault(wrapped, place)).toMatchObject({ code: expected, place, details: { code } });
});

test.each([
  ["ECONNREFUSED", "там никто не отвечает (no)"],
  ["CERT_HAS_EXPIRED", "сертификат просрочен (no)"],
  ["ERR_SSL_WRONG_VERSION_NUMBER", "по этому адресу нет шифрования: нужен http:// или другой порт (no)"],
  ["EUNKNOWN", "no"],
])("the error %s is described in Russian by its code, and the system's message follows", (code, text) => {
  const error = Object.assign(new Error("no"), { code });
  expect(toNetworkFault(error, place)).toMatchObject({ message: `${place}: no`, ru: `${place}: ${text}` });
});

test.each([
  [200, undefined],
  [401, "site.unauthorized"],
  [403, "site.unauthorized"],
  [407, "site.proxy"],
  [511, "site.proxy"],
  [500, "site.http-status"],
])("a site's status %d is the fault %s", (status, code) => {
  expect(statusFault({ status, text: "", headers: {} }, place)?.code).toBe(code);
});

test("a redirect of a site is reported with its target and with what to change", () => {
  const messageFor = (location: string) =>
    statusFault({ status: 302, text: "", headers: { location } }, place)?.message;
  expect(messageFor("https://shop.example/new?key=s")).toBe(
    `${place} answered 302 and points to https://shop.example/new, redirects are not followed: write that address into \`sites[].urls\``,
  );
  expect(messageFor("http://shop.example/fiscal")).toContain("http://shop.example/fiscal, which is not encrypted");
});
