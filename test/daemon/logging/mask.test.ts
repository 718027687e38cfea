import { maskBody, maskSecrets, maskText, maskValue, secretsIn } from "@fiscald/daemon/logging/mask.js";
import fc from "fast-check";

test.each([
  ["buyer ivan.petrov@mail.ru paid", "buyer i***@mail.ru paid"],
  ["почта иван@почта.рф", "почта и***@почта.рф"],
  ["call +79161234567 now", "call +7916***67 now"],
  ["call 8 (916) 123-45-67", "call 8916***67"],
  ["tel:+375291234567", "tel:+3752***67"],
  ["taxpayer 8 916 123-45-67", "taxpayer 8916***67"],
  ["Authorization: Bearer abcDEF123.x", "Authorization: Bearer ***"],
  ["Basic dXNlcjpwYXNz", "Basic ***"],
  ["secret whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD.", "secret whsec_***."],
  ["POST https://shop.example/f?key=s3cret&x=1 failed", "POST https://shop.example/f?key=***&x=*** failed"],
  ["https://user:pass@shop.example/x", "https://***@shop.example/x"],
  ["http://user:pass@shop.example/x", "http://***@shop.example/x"],
  ["smtps://till:p@ss@mail.shop.example:465", "smtps://***@mail.shop.example:465"],
  ["https://ofd.example/?fn=9999078900001234&fp=1234567890", "https://ofd.example/?fn=9999078900001234&fp=1234567890"],
])("the text %j is masked as %j in the log", (text, masked) => {
  expect(maskText(text)).toBe(masked);
});

test.each([
  "9999078900000001",
  "0001234567012345",
  "1520.00",
  "job 57 of 318",
  "2026-11-20 14:03:22.118",
  "02 05 FF 45",
  "the order is for taxpayer 7700000001, the register belongs to taxpayer 781234567890",
])("%j has no contact to mask", (text) => {
  expect(maskText(text)).toBe(text);
});

test("numbers that people search for are not masked, even when they look like telephone numbers", () => {
  expect(maskValue({ order: "89161234567", kkm: "79161234567", inn: "7716123456" })).toEqual({
    order: "89161234567",
    kkm: "79161234567",
    inn: "7716123456",
  });
});

test("fields with the names of secrets are masked at any depth", () => {
  expect(
    maskValue({ auth: { kind: "bearer", token: "abc" }, options: { adminPassword: 30 }, list: [{ contact: "Иван" }] }),
  ).toEqual({ auth: { kind: "bearer", token: "***" }, options: { adminPassword: "***" }, list: [{ contact: "И***" }] });
});

test("no e-mail address in a text is left unmasked", () => {
  const name = fc.stringMatching(/^[a-z0-9]{2,12}([._+-][a-z0-9]{1,8})?$/);
  const host = fc.stringMatching(/^[a-z0-9]{1,10}(-[a-z]{2,4})?\.(ru|com|shop\.example)$/);
  fc.assert(
    fc.property(fc.string(), name, host, fc.string(), (before, person, domain, after) => {
      expect(maskText(`${before} ${person}@${domain} ${after}`)).not.toContain(`${person}@${domain}`);
    }),
  );
});

const hexOf = (text: string) =>
  Array.from(Buffer.from(text, "latin1"), (byte) => byte.toString(16).toUpperCase().padStart(2, "0")).join(" ");

describe("masked frames", () => {
  test("a masked frame keeps every byte except the bytes of a contact", () => {
    const before = "FF 0C 1E 00 00 00 F0 03";
    const masked = maskText(`out ${before} ${hexOf("ivan@mail.ru")} 00 12 in`);
    expect(masked).toBe(`out ${before} ${Array(12).fill("**").join(" ")} 00 12 in`);
    expect(maskText(`02 05 ${hexOf("+79161234567")} 03`)).toBe(`02 05 ${Array(12).fill("**").join(" ")} 03`);
  });

  test("a masked frame of a maker's service keeps no contact and no credentials", () => {
    const masked = maskText(hexOf('Authorization: Basic dXNlcjpw\r\n\r\n{"emailOrPhone":"89161234567","sum":10}'));
    expect(masked).not.toContain(hexOf("dXNlcjpw"));
    expect(masked).not.toContain(hexOf("9161234567"));
    expect(masked).toContain(hexOf('"sum":10}'));
  });

  test("a frame without a contact stays as it is", () => {
    const frame = "02 11 FF 45 1E 00 00 00 80 96 98 00 00 37 39 31 36 31 32 33 34 35 36 37 5A";
    expect(maskText(frame)).toBe(frame);
  });
});

test("people's data is masked whatever its fields are called, and an order number beside it is not", () => {
  const order = { orderId: "89161234567", buyer: { name: "Иванов", inn: "771234567890", address: { city: "Тверь" } } };
  expect(maskValue(order)).toEqual({
    orderId: "89161234567",
    buyer: { name: "И***", inn: "7***", address: { city: "Т***" } },
  });
});

test("a contact line of the print-server format is masked as a contact, however it is spelt", () => {
  const body = '{"TaskTable":[{"Type":"CLIENTCONTACT","Data":"9161234567"},{"type":"String","data":"Спасибо"}]}';
  expect(JSON.parse(maskBody(body))).toEqual({
    TaskTable: [
      { Type: "CLIENTCONTACT", Data: "9***" },
      { type: "String", data: "Спасибо" },
    ],
  });
  expect(maskBody("no JSON from ivan@mail.ru")).toBe("no JSON from i***@mail.ru");
});

test("a masked `auth` of the config keeps only its kind, the header's name and the place of the secret", () => {
  const auth = { kind: "header", name: "X-Shop", vlaue: "abc", token: { fromEnv: "TOKEN", from: "abc" }, pasword: [1] };
  expect(maskValue({ auth, tokenFile: "data/token" })).toEqual({
    auth: { kind: "header", name: "X-Shop", vlaue: "***", token: { fromEnv: "TOKEN", from: "***" }, pasword: "***" },
    tokenFile: "data/token",
  });
});

test("a masked `alerts` of the config keeps only the place of a secret address", () => {
  const mail = { smtp: "smtp://till:p%40ss@mail.shop.example", from: "till@shop.example", to: [] };
  const alerts = { mail, url: "https://hooks.example/T0/B0" };
  expect(maskValue({ alerts })).toEqual({
    alerts: { mail: { smtp: "***", from: "t***@shop.example", to: [] }, url: "***" },
  });
  expect(maskValue({ alerts: { mail: { smtp: { fromEnv: "SMTP" } }, url: { fromFile: "bot" } } })).toEqual({
    alerts: { mail: { smtp: { fromEnv: "SMTP" } }, url: { fromFile: "bot" } },
  });
  expect(secretsIn({ alerts, connection: { url: "http://127.0.0.1" } })).toEqual([mail.smtp, "p@ss", alerts.url]);
});

test("the secrets of a config are masked in any text and in frames", () => {
  const secrets = secretsIn({ auth: { kind: "bearer", token: "abc-def" }, options: { operatorPassword: 30 }, id: "x" });
  expect(secrets).toEqual(["abc-def", 30]);
  const text = `answered 401 to abc-def, sent ${hexOf("abc-def")}, then FF 45 1E 00 00 00 10`;
  expect(maskSecrets(text, secrets)).toBe(
    `answered 401 to ***, sent ${Array(7).fill("**").join(" ")}, then FF 45 ** ** ** ** 10`,
  );
});

test("a secret with quotes and backslashes is masked in JSON too", () => {
  const password = 'pa"ss\\word';
  const secrets = secretsIn({ password });
  expect(maskSecrets(`${password} ${JSON.stringify({ reason: `bad ${password}` })}`, secrets)).toBe(
    '*** {"reason":"bad ***"}',
  );
});

test("a short secret is masked in frames only, because in a text it may be an ordinary word", () => {
  expect(maskSecrets(`shop PIRI ${hexOf("PIRI")}`, ["PIRI", "shop", "a", 0])).toBe("shop PIRI ** ** ** **");
});
