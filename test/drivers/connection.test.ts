import { connectionSchema } from "@fiscald/drivers/connection.js";

test.each([
  ["COM3", "COM3"],
  ["com10", "COM10"],
  ["COM12:", "COM12"],
  ["\\\\.\\COM10", "COM10"],
  ["/dev/ttyACM0", "/dev/ttyACM0"],
])("the serial port %s is opened as %s", (path, opened) => {
  expect(connectionSchema.parse({ kind: "serial", path })).toMatchObject({ path: opened });
});
