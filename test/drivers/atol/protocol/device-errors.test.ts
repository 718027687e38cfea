import { serviceFault } from "@fiscald/drivers/atol/protocol/device-errors.js";

test.each([
  ["401: the password is wrong", 401, 0, "device.wrong-password"],
  ["403: the register is not switched on in the service", 403, 0, "link.not-found"],
  ["404", 404, 0, "link.not-found"],
  ["400 without a number: a damaged request, tried three times", 400, 0, "device.unknown-error"],
  ["400 with the web server's own number 501", 400, 501, "device.unknown-error"],
  ["400 with a number of the driver's", 400, 60, "device.bad-value"],
  ["500 without a number: another program answers", 500, 0, "link.foreign"],
])("an HTTP status of the print service, %s", (_, status, code, expected) => {
  expect(serviceFault(status, { code, description: "" }).code).toBe(expected);
});
