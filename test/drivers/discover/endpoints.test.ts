import {
  type EndpointsOptions,
  endpointName,
  endpointsToProbe,
  findUsbModel,
  speedsFor,
} from "@fiscald/drivers/discover/endpoints.js";
import type { DriverProbe } from "@fiscald/drivers/driver-probe.js";
import { loadProbes } from "@fiscald/drivers/registry.js";
import type { UsbDevice } from "@fiscald/drivers/transport/serial-ports.js";

let probes: readonly DriverProbe[];
beforeAll(async () => {
  probes = [...(await loadProbes()).values()];
});

const device = (vendorId: string, productId: string): UsbDevice => ({
  vendorId,
  productId,
  serialNumber: null,
  manufacturer: null,
});

function names(question: Partial<EndpointsOptions> = {}): readonly string[] {
  const places = endpointsToProbe({ ports: [], namedPorts: [], hosts: [], ownAddresses: [], probes, ...question });
  return places.map((place) => `${endpointName(place)}${place.named ? " named" : ""}`);
}

const local = ["127.0.0.1:50003", "127.0.0.1:16732"];

describe("the endpoints that discovery probes", () => {
  test("without named endpoints discovery probes all serial ports and the makers' programs on this machine", () => {
    const ports = [{ path: "/dev/ttyS0", usb: null }];
    expect(names({ ports })).toEqual(["/dev/ttyS0", ...local]);
  });

  test("with a named port discovery probes no other serial port", () => {
    const ports = [{ path: "/dev/ttyS0", usb: null }];
    expect(names({ ports, namedPorts: ["/dev/ttyS7"] })).toEqual(["/dev/ttyS7 named", ...local]);
  });

  test("discovery probes every usual port of a host, or only the port that is named with the host", () => {
    expect(names({ hosts: [{ host: "till", port: null }] })).toEqual([
      "till:7778",
      "till:50003",
      "till:16732",
      ...local,
    ]);
    expect(names({ hosts: [{ host: "fe80::1", port: 9 }] })).toEqual(["[fe80::1]:9 named", ...local]);
  });

  test("discovery probes an endpoint only once that is listed twice, and as a named endpoint if a person named it", () => {
    const hosts = [
      { host: "localhost", port: null },
      { host: "127.0.0.1", port: 16_732 },
    ];
    expect(names({ hosts })).toEqual(["localhost:7778", "localhost:50003", "127.0.0.1:16732 named"]);
  });

  test("discovery probes the usual address of a register on USB only if this machine is in that register's network", () => {
    expect(names({ ownAddresses: ["192.168.137.1"] })).toEqual(["192.168.137.111:7778", ...local]);
    expect(names({ ownAddresses: ["192.168.1.5"] })).toEqual(local);
  });
});

test("discovery first tries the usual speed of the USB device's likely maker", () => {
  expect(speedsFor(null, probes).slice(0, 2)).toEqual([115_200, 57_600]);
  expect(speedsFor(device("0483", "5740"), probes)[0]).toBe(57_600);
});

test("ATOL's USB registers are recognised by their vendor id, whatever the product", () => {
  expect(findUsbModel(device("2912", "0005"), probes)?.instead).toContain("print service");
  expect(findUsbModel(device("0403", "6001"), probes)).toBeNull();
});
