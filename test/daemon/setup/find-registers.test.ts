import type { Config } from "@fiscald/daemon/config/config-schema.js";
import { parseConfig } from "@fiscald/daemon/config/load-config.js";
import { heldPlaces, isBehindService } from "@fiscald/daemon/setup/find-registers.js";

function registersOf(...entries: readonly object[]): Config["registers"] {
  const sites = [{ id: "shop", urls: { orders: "https://shop.example", result: "https://shop.example" } }];
  const registers = entries.map((entry, index) => ({ id: `till-${index + 1}`, sites: ["shop"], ...entry }));
  const text = JSON.stringify({ version: 1, sites, registers });
  return parseConfig(text, "c", { folder: "/", env: {}, readFile: () => "" }).registers;
}

test("a search for registers leaves the ports and addresses of the daemon's registers alone", () => {
  const registers = registersOf(
    { driver: "shtrih", connection: { kind: "serial", path: "/dev/ttyACM0" } },
    { driver: "shtrih", connection: { kind: "tcp", host: "10.0.0.5" } },
    { driver: "reference", connection: { kind: "emulator" } },
  );
  expect([...heldPlaces(registers, (id) => id)]).toEqual([
    ["/dev/ttyACM0", "till-1"],
    ["10.0.0.5:7778", "till-2"],
  ]);
});

test.each([
  ["http://127.0.0.1:16732/", "kkt-1", true],
  ["http://127.0.0.1:16732", "kkt-2", false],
  ["http://127.0.0.1:16733", "kkt-1", false],
])(
  "a device that the print service at %s lists as %s is one of the daemon's registers: %s",
  (url, deviceId, isKnown) => {
    const connection = { kind: "http", url: "http://127.0.0.1:16732" } as const;
    const registers = registersOf({
      driver: "atol",
      cashier: { name: "Иванова" },
      connection,
      options: { deviceId: "kkt-1" },
    });
    expect(isBehindService({ connection: { kind: "http", url }, options: { deviceId } }, registers)).toBe(isKnown);
  },
);
