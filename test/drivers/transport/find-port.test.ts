import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findPort, keyOfPort } from "@fiscald/drivers/transport/find-port.js";
import { listFromSysfs, type SerialPortInfo } from "@fiscald/drivers/transport/serial-ports.js";
import { useTempFolder } from "../../support/temp-folder.js";

const port = (path: string, serialNumber: string | null, productId = "5740"): SerialPortInfo => ({
  path,
  usb: { vendorId: "0483", productId, serialNumber, manufacturer: null },
});
const wanted = { vendorId: null, productId: null, serialNumber: "A1" };

describe("the port of a register", () => {
  test.each([
    ["that has this number now", [port("ACM0", "B2"), port("ACM1", "A1")], "ACM1"],
    ["of the config when no port has this number", [port("ACM1", "B2")], "ACM0"],
    ["of the config when two devices have this number", [port("ACM1", "A1"), port("ACM2", "A1")], "ACM0"],
    ["of the config when no port is listed", [], "ACM0"],
  ])("the port of a register with a known USB serial number is the port %s", (_what, ports, expected) => {
    expect(findPort({ path: "ACM0", wanted, ports })).toBe(expected);
  });

  test("the port of an unknown register is the configured one", () => {
    expect(findPort({ path: "ACM0", wanted: null, ports: [port("ACM1", "A1")] })).toBe("ACM0");
  });

  test("a port of another product with the same USB serial number is not taken for the register's", () => {
    const key = { vendorId: "0483", productId: "5740", serialNumber: "A1" };
    expect(findPort({ path: "ACM0", wanted: key, ports: [port("ACM1", "A1", "0001")] })).toBe("ACM0");
  });

  test("a register is found again only by a USB serial number that no other port has", () => {
    expect(keyOfPort("ACM0", [port("ACM0", "A1"), port("ACM1", "B2")])).toEqual({
      vendorId: "0483",
      productId: "5740",
      serialNumber: "A1",
    });
    expect(keyOfPort("ACM0", [port("ACM0", "A1"), port("ACM1", "A1")])).toBeNull();
    expect(keyOfPort("ACM0", [port("ACM0", null)])).toBeNull();
    expect(keyOfPort("ACM9", [port("ACM0", "A1")])).toBeNull();
  });
});

describe("the ports that Linux lists", () => {
  const folder = useTempFolder();

  function addPort(name: string, device: string, files: Readonly<Record<string, string>> = {}): void {
    const place = join(folder(), "devices", device);
    mkdirSync(place, { recursive: true });
    mkdirSync(join(folder(), "tty", name), { recursive: true });
    symlinkSync(place, join(folder(), "tty", name, "device"));
    for (const [file, text] of Object.entries(files)) writeFileSync(join(folder(), file), `${text}\n`);
  }

  test("a serial port on Linux is listed with the ids of its USB device; a port without a chip is left out", async () => {
    addPort("ttyACM0", "usb1/1-2/1-2:1.0", {
      "devices/usb1/1-2/idVendor": "2912",
      "devices/usb1/1-2/idProduct": "0005",
      "devices/usb1/1-2/serial": "A1",
      "devices/usb1/1-2/manufacturer": "ATOL",
    });
    addPort("ttyUSB0", "usb1/1-3/1-3:1.0/ttyUSB0", {
      "devices/usb1/1-3/idVendor": "067B",
      "devices/usb1/1-3/idProduct": "2303",
    });
    addPort("ttyS0", "pnp0", { "tty/ttyS0/type": "4" });
    addPort("ttyS1", "serial8250", { "tty/ttyS1/type": "0" });
    addPort("tty1", "console");
    expect(await listFromSysfs(join(folder(), "tty"))).toEqual([
      {
        path: "/dev/ttyACM0",
        usb: { vendorId: "2912", productId: "0005", serialNumber: "A1", manufacturer: "ATOL" },
      },
      { path: "/dev/ttyS0", usb: null },
      {
        path: "/dev/ttyUSB0",
        usb: { vendorId: "067b", productId: "2303", serialNumber: null, manufacturer: null },
      },
    ]);
  });

  test("no serial ports are listed on Linux when the folder of devices is missing", async () => {
    expect(await listFromSysfs(join(folder(), "nowhere"))).toBeNull();
  });
});
