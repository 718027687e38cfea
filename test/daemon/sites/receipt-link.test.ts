import { receiptLinkPresets } from "@fiscald/daemon/config/receipt-link-presets.js";
import { type LinkFacts, ofdLink, receiptLink } from "@fiscald/daemon/sites/receipt-link.js";
import { kopecks } from "@fiscald/shared/amounts.js";
import { toFnSerial } from "@fiscald/shared/ids.js";
import { parseLocalTime } from "@fiscald/shared/local-time.js";

const time = parseLocalTime("2026-11-20T14:05:33");
if (time === null) throw new Error("no time");

const facts: LinkFacts = {
  names: { kkm: "0001234567012345", inn: "7700000000" },
  document: { fn: toFnSerial("9999078900001234"), fd: 42, fiscalSign: "1234567890", shift: 7, receiptNumber: 3, time },
  operation: "sale",
  total: kopecks(125_050),
};

test.each([
  ["platforma-ofd", "https://lk.platformaofd.ru/web/noauth/cheque?fn=9999078900001234&fp=1234567890&i=42"],
  ["ofd-ru", "https://ofd.ru/rec/7700000000/0001234567012345/9999078900001234/42/1234567890"],
  ["1-ofd", "https://consumer.1-ofd.ru/v1?t=20261120T1405&s=1250.50&fn=9999078900001234&i=42&fp=1234567890&n=1"],
  ["taxcom", "https://receipt.taxcom.ru/v01/show?fp=1234567890&s=1250.50&sf=False&sfn=False"],
  ["sbis", "https://ofd.sbis.ru/rec/0001234567012345/201126/1234567890"],
  ["kontur", "https://cash.kontur.ru/CashReceipt/View/FN/9999078900001234/FD/42/FP/1234567890"],
  ["yandex-ofd", "https://ofd.yandex.ru/vaucher/0001234567012345/42/1234567890"],
  ["e-ofd", "https://e-ofd.ru/check?fn=9999078900001234&fp=1234567890&fd=42"],
] as const)("the preset %s for the OFD's receipt page makes the link %s", (preset, link) => {
  expect(receiptLink(receiptLinkPresets[preset], facts)).toBe(link);
});

test("a receipt's link is sent as its address in standard base64, as in the domain reference", () => {
  expect(ofdLink(receiptLinkPresets["platforma-ofd"], facts)).toBe(
    "aHR0cHM6Ly9say5wbGF0Zm9ybWFvZmQucnUvd2ViL25vYXV0aC9jaGVxdWU/Zm49OTk5OTA3ODkwMDAwMTIzNCZmcD0xMjM0NTY3ODkwJmk9NDI=",
  );
  expect(ofdLink(receiptLinkPresets["1-ofd"], facts)).toBe(
    "aHR0cHM6Ly9jb25zdW1lci4xLW9mZC5ydS92MT90PTIwMjYxMTIwVDE0MDUmcz0xMjUwLjUwJmZuPTk5OTkwNzg5MDAwMDEyMzQmaT00MiZmcD0xMjM0NTY3ODkwJm49MQ==",
  );
  expect(ofdLink(null, facts)).toBe("");
});

test("a link template of the config can have every placeholder, and the values are URL-encoded", () => {
  const template = "https://x.example/{kkm}/{sumKop}/{t}/{time}/{n}/{ddmmyy}?inn={inn}";
  const odd = { ...facts, names: { ...facts.names, inn: "77 / &" }, operation: "return" as const };
  expect(receiptLink(template, odd)).toBe(
    "https://x.example/0001234567012345/125050/20261120T1405/20261120T1405/2/201126?inn=77%20%2F%20%26",
  );
});
