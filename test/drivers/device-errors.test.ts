import { driverFault, serviceFault } from "@fiscald/drivers/atol/device-errors.js";
import { piritFault } from "@fiscald/drivers/pirit/device-errors.js";
import { deviceFault } from "@fiscald/drivers/reference/device-errors.js";
import { shtrihFault } from "@fiscald/drivers/shtrih/device-errors.js";
import type { Fault } from "@fiscald/shared/fault.js";

const upTo = (last: number) => Array.from({ length: last + 1 }, (_, number) => number);

test.each<[string, readonly number[], (number: number) => Fault, string]>([
  ["Shtrih-M", upTo(255), (number) => shtrihFault(number, "FF45"), "makerError"],
  ["PIRIT", upTo(255), (number) => piritFault(number, "31"), "makerError"],
  ["ATOL", upTo(999), (number) => driverFault("sell", number, ""), "deviceError"],
  ["ATOL's service", upTo(999), (code) => serviceFault(500, { code, description: "" }), "deviceError"],
])(
  "every error number of %s is one of our faults, in both languages, with the maker's number",
  (_maker, all, faultOf, key) => {
    for (const number of all) {
      const fault = faultOf(number);
      expect(fault.code).toMatch(/^(device|link)\./);
      expect([number, fault.text.ru, fault.hint.ru]).toEqual([
        number,
        expect.stringMatching(/[а-яё]/i),
        expect.stringMatching(/[а-яё]/i),
      ]);
      expect(fault.details[key]).toBe(number);
    }
  },
);

test.each(["paper-out", "a word of tomorrow"])("so is %s of the reference register, with its own word", (word) => {
  const fault = deviceFault(word, "CLOSE");
  expect(fault.code).toMatch(/^device\./);
  expect(fault.details).toMatchObject({ deviceError: word, command: "CLOSE" });
});

test.each([
  ["PIRIT", piritFault(0x08, "31"), "device.paper-out"],
  ["ATOL", driverFault("sell", 44, ""), "device.paper-out"],
  ["ATOL", driverFault("sell", 68, ""), "device.shift-expired"],
  ["the reference register", deviceFault("shift-expired", "OPEN"), "device.shift-expired"],
])("%s: the same trouble has the same code", (_maker, fault, code) => {
  expect(fault.code).toBe(code);
});
