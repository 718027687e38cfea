import { makerErrorOf, shtrihFault } from "@fiscald/drivers/shtrih/protocol/device-errors.js";
import { Fault } from "@fiscald/shared/fault.js";
import { hex } from "../../vectors/hex.js";

/** protocols/shtrih-m.md, section 10. */
const known = hex(
  [
    "01 02 03 04 05 06 07 08 09 10 11 12 14 15 16 17 20 2F 30 33 34 35 36 37 38 39 3A 3C 3D 3E 3F",
    "40 41 42 43 44 45 46 47 48 49 4A 4B 4C 4D 4E 4F 50 51 52 53 54 55 56 58 59 5A 5B 5C 5D 5E 5F",
    "60 61 62 63 65 66 68 69 6A 6B 6C 6D 6E 6F 71 72 73 74 75 76 77 78 79 7A 7B 7C 7D 7E 7F",
    "80 81 82 83 84 85 86 87 88 89 8A 8B 8C 8D 8E 8F 90 91 92 93 94 96 A0 A1 A2 A3 A4 A5 AA AC",
    "C0 C2 C4 C7 C8 C9 CA CF D1 D3 D4 D5",
  ].join(" "),
);

describe("the maker's errors", () => {
  test.each([...known])("number %i is one that we know", (number) => {
    expect(shtrihFault(number, "10 short status").code).not.toBe("device.unknown-error");
  });

  test.each([
    [0x16, "device.shift-expired"],
    [0x4e, "device.shift-expired"],
    [0x4f, "device.wrong-password"],
    [0x50, "device.printing"],
    [0x58, "device.print-unfinished"],
    [0x59, "device.receipt-open"],
    [0x6b, "device.paper-out"],
    [0x45, "device.payments-below-total"],
    [0x46, "device.not-enough-cash"],
    [0x15, "device.ofd-blocked"],
    [0x37, "device.not-supported"],
    [0xee, "device.unknown-error"],
  ])("number %i is %s", (number, code) => {
    expect(shtrihFault(number, "x").code).toBe(code);
  });

  test("a fault carries the maker's number, its words and the command", () => {
    const fault = shtrihFault(0x4d, "FF45 close receipt");
    expect(fault.message).toBe("FF45 close receipt: error 4Dh, cashless payments above the total");
    expect(fault.details).toMatchObject({ makerError: 0x4d, command: "FF45 close receipt" });
    expect(makerErrorOf(fault)).toBe(0x4d);
    expect(makerErrorOf(new Fault("link.timeout"))).toBeNull();
  });
});
