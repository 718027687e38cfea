import { driverFault, serviceFault } from "@fiscald/drivers/atol/protocol/device-errors.js";
import { makerErrorOf } from "@fiscald/drivers/driver-parts.js";
import { piritFault } from "@fiscald/drivers/pirit/protocol/device-errors.js";
import { deviceFault } from "@fiscald/drivers/reference/device-errors.js";
import { shtrihFault } from "@fiscald/drivers/shtrih/protocol/device-errors.js";
import { Fault } from "@fiscald/shared/fault.js";

const upTo = (last: number) => Array.from({ length: last + 1 }, (_, number) => number);

test.each<[string, readonly number[], (number: number) => Fault, string]>([
  ["Shtrih-M", upTo(255), (number) => shtrihFault(number, "FF45"), "makerError"],
  ["PIRIT", upTo(255), (number) => piritFault(number, "31"), "makerError"],
  ["ATOL", upTo(999), (number) => driverFault("sell", number, ""), "deviceError"],
  ["ATOL's service", upTo(999), (code) => serviceFault(500, { code, description: "" }), "deviceError"],
])(
  "every error number of %s is one of fiscald's faults, in both languages, with the maker's number",
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

/** `"01-03 0A"`: single numbers and ranges, as the makers write them. */
function numbersOf(text: string, radix: number): readonly number[] {
  return text.split(/\s+/).flatMap((word) => {
    const [first = 0, last = first] = word.split("-").map((end) => Number.parseInt(end, radix));
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  });
}

/** Every number in ATOL's manual, and the numbers whose meaning stays unknown. */
const named = numbersOf(
  `1-6 8-17 26 32 35-36 40 44-48 52 55 59-60 66 68 71 73 80-83 89 94 96 98 104-106 110 114-124 128 133-148
   150-151 154 158-159 161 165-167 172-181 188-193 195-196 198 200-201 203 205-210 215-217 219 224-228 231 235
   241 243-249 265 277 401-426 501-505 601-603`,
  10,
);
test("the driver lacks a meaning only for the numbers that ATOL itself calls unknown, and for an unparsed task", () => {
  const unknown = named.filter((number) => driverFault("sell", number, "").code === "device.unknown-error");
  expect(unknown).toEqual([6, 15, 501, 505]);
});

/** Every number in the manuals of Shtrih-M and PIRIT. */
test.each<[string, string, (number: number) => Fault]>([
  [
    "Shtrih-M",
    `01-09 10-12 14-17 20 2F 30 33-39 3A 3C-3F 40-49 4A-4F 50-56 58-5F 60-63 65 66 68-6F 71-7F 80-8F 90-94 96 A0-A5 AA AC
     C0 C2 C4 C7-CA CF D1 D3-D5`,
    (number) => shtrihFault(number, "FF45"),
  ],
  ["PIRIT", "01-0C 0E-13 20 41-4E 50-52 54-59 60-64 72-75 7C 7E", (number) => piritFault(number, "31")],
])("every number in the manual of %s has a meaning and a name", (_maker, text, faultOf) => {
  const faults = numbersOf(text, 16).map((number) => [number, faultOf(number)] as const);
  expect(faults.length).toBeGreaterThan(40);
  const unknown = ([, { code, details }]: (typeof faults)[number]) =>
    code === "device.unknown-error" || details["makerName"] === "unknown error";
  expect(faults.filter(unknown).map(([number]) => number.toString(16))).toEqual([]);
});

test("every extended reason in PIRIT's manual has another name than its error, and the fault keeps the reason's number", () => {
  const reasons = numbersOf(`1-5 7-9 11-20 21-30 33-35 37-58 59-66 69-73 75-79 81-83 85 86 88-91 93 94`, 10);
  const nameless = reasons.filter((reason) => {
    const { details } = piritFault(3, "42", reason);
    expect(details).toMatchObject({ makerError: 3, makerReason: reason });
    return details["makerName"] === piritFault(3, "42").details["makerName"];
  });
  expect(nameless).toEqual([]);
});

test.each<[string, readonly number[], (number: number) => Fault]>([
  ["Shtrih-M's error", [0x5e, 0x6c, 0x96], (number) => shtrihFault(number, "FF45")],
  ["PIRIT's error", [0x11, 0x12, 0x13, 0x20, 0x4c, 0x63], (number) => piritFault(number, "31")],
  ["PIRIT's reason", [7, 29, 35, 38, 82, 94], (number) => piritFault(3, "42", number)],
])("%s, which needs a remedy of its own, has a name that no other number has", (_what, own, faultOf) => {
  const nameOf = (number: number) => faultOf(number).details["makerName"];
  const namesakes = own.map((number) => upTo(255).filter((other) => nameOf(other) === nameOf(number)));
  expect(namesakes).toEqual(own.map((number) => [number]));
});

test.each([
  ["401: the password is wrong", 401, 0, "device.wrong-password"],
  ["403: the register is not switched on in the service", 403, 0, "link.not-found"],
  ["404", 404, 0, "link.not-found"],
  ["400 without a number: a damaged request, sent three times", 400, 0, "device.unknown-error"],
  ["400 with the web server's own number 501", 400, 501, "device.unknown-error"],
  ["400 with the service's own number 505: the task may have been damaged", 400, 505, "device.unknown-error"],
  ["400 with a number of the driver's", 400, 60, "device.bad-value"],
  ["500 without a number: another program answers", 500, 0, "link.foreign"],
  ["500 with the service's own number 505", 500, 505, "link.foreign"],
])("an HTTP status of ATOL's service becomes the fault of the same meaning: %s", (_, status, code, expected) => {
  expect(serviceFault(status, { code, description: "" }).code).toBe(expected);
});

test("a fault of Shtrih-M has the maker's number, the name of the error and the command", () => {
  const fault = shtrihFault(0x4d, "FF45 close receipt");
  expect(fault.message).toBe("FF45 close receipt: error 4Dh, cashless payments above the total");
  expect(fault.details).toMatchObject({ makerError: 0x4d, command: "FF45 close receipt" });
  expect([makerErrorOf(fault), makerErrorOf(new Fault("link.timeout"))]).toEqual([0x4d, null]);
});

test.each(["paper-out", "an unknown word"])(
  "a fault of the reference register has the register's own error name: %s",
  (word) => {
    const fault = deviceFault(word, "CLOSE");
    expect(fault.code).toMatch(/^device\./);
    expect(fault.details).toMatchObject({ deviceError: word, command: "CLOSE" });
  },
);

test.each([
  ["Shtrih-M: payments below the total", shtrihFault(0x45, "FF45")],
  ["Shtrih-M: cashless above the total", shtrihFault(0x4d, "FF45")],
  ["PIRIT: bad payment sum", piritFault(3, "31", 56)],
  ["ATOL: cashless above the total", driverFault("sell", 52, "")],
  ["ATOL: payments below the total", driverFault("sell", 66, "")],
])(
  "a refusal of sums that were checked before counts as a transmission error, and the step is repeated: %s",
  (_what, fault) => {
    expect(fault.retry).toBe("repeat");
  },
);

test.each([
  ["Shtrih-M", shtrihFault(0x16, "x"), "device.shift-expired"],
  ["Shtrih-M", shtrihFault(0x4e, "x"), "device.shift-expired"],
  ["Shtrih-M", shtrihFault(0x4f, "x"), "device.wrong-password"],
  ["Shtrih-M", shtrihFault(0x50, "x"), "device.printing"],
  ["Shtrih-M", shtrihFault(0x58, "x"), "device.print-unfinished"],
  ["Shtrih-M", shtrihFault(0x59, "x"), "device.receipt-open"],
  ["Shtrih-M", shtrihFault(0x6b, "x"), "device.paper-out"],
  ["Shtrih-M", shtrihFault(0x45, "x"), "device.payments-below-total"],
  ["Shtrih-M", shtrihFault(0x46, "x"), "device.not-enough-cash"],
  ["Shtrih-M", shtrihFault(0x15, "x"), "device.ofd-blocked"],
  ["Shtrih-M", shtrihFault(0x37, "x"), "device.not-supported"],
  ["Shtrih-M", shtrihFault(0xee, "x"), "device.unknown-error"],
  ["PIRIT", piritFault(0x08, "31"), "device.paper-out"],
  ["ATOL", driverFault("sell", 44, ""), "device.paper-out"],
  ["ATOL", driverFault("sell", 68, ""), "device.shift-expired"],
  ["ATOL", driverFault("sell", 94, ""), "device.service-setup"],
  ["ATOL", driverFault("sell", 135, ""), "device.ofd-exchange"],
  ["ATOL", driverFault("sell", 177, ""), "device.fn-failure"],
  ["the reference register", deviceFault("shift-expired", "OPEN"), "device.shift-expired"],
])("the error of %s for a condition that several makers know has the common fault code", (_maker, fault, code) => {
  expect(fault.code).toBe(code);
});
