import { maskText, maskValue } from "@fiscald/daemon/logging/mask.js";
import fc from "fast-check";

test.each([
  ["buyer ivan.petrov@mail.ru paid", "buyer i***@mail.ru paid"],
  ["почта иван@почта.рф", "почта и***@почта.рф"],
  ["call +79161234567 now", "call +7916***67 now"],
  ["call 8 (916) 123-45-67", "call 8916***67"],
  ["tel:+375291234567", "tel:+3752***67"],
  ["Authorization: Bearer abcDEF123.x", "Authorization: Bearer ***"],
  ["Basic dXNlcjpwYXNz", "Basic ***"],
  ["secret whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD.", "secret whsec_***."],
  ["POST https://shop.example/f?key=s3cret&x=1 failed", "POST https://shop.example/f?key=***&x=*** failed"],
  ["https://user:pass@shop.example/x", "https://***@shop.example/x"],
  ["https://ofd.example/?fn=9999078900001234&fp=1234567890", "https://ofd.example/?fn=9999078900001234&fp=1234567890"],
])("%s is written as %s", (text, masked) => {
  expect(maskText(text)).toBe(masked);
});

test.each([
  "9999078900000001",
  "0001234567012345",
  "1520.00",
  "job 57 of 318",
  "2026-11-20 14:03:22.118",
  "02 05 FF 45",
])("%s is no contact", (text) => {
  expect(maskText(text)).toBe(text);
});

test("numbers that people search for pass, whatever they look like", () => {
  expect(maskValue({ order: "89161234567", kkm: "79161234567", inn: "7716123456" })).toEqual({
    order: "89161234567",
    kkm: "79161234567",
    inn: "7716123456",
  });
});

test("fields that are secret by their name are masked at any depth", () => {
  expect(
    maskValue({ auth: { kind: "bearer", token: "abc" }, options: { adminPassword: 30 }, list: [{ contact: "Иван" }] }),
  ).toEqual({ auth: { kind: "bearer", token: "***" }, options: { adminPassword: "***" }, list: [{ contact: "И***" }] });
});

test("no e-mail address survives anywhere in a text", () => {
  const name = fc.stringMatching(/^[a-z0-9]{2,12}([._+-][a-z0-9]{1,8})?$/);
  const host = fc.stringMatching(/^[a-z0-9]{1,10}(-[a-z]{2,4})?\.(ru|com|shop\.example)$/);
  fc.assert(
    fc.property(fc.string(), name, host, fc.string(), (before, person, domain, after) => {
      expect(maskText(`${before} ${person}@${domain} ${after}`)).not.toContain(`${person}@${domain}`);
    }),
  );
});
