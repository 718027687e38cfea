import type { DriverProbe, UsbModel } from "../driver-probe.js";
import type { SerialPortInfo, UsbDevice } from "../transport/serial-ports.js";

export type Endpoint =
  | { readonly kind: "serial"; readonly path: string; readonly usb: UsbDevice | null; readonly named: boolean }
  | { readonly kind: "tcp"; readonly host: string; readonly port: number; readonly named: boolean };

export interface HostToAsk {
  readonly host: string;
  /** Null: the usual ports of all makers. */
  readonly port: number | null;
}

export interface EndpointsOptions {
  readonly ports: readonly SerialPortInfo[];
  readonly namedPorts: readonly string[];
  readonly hosts: readonly HostToAsk[];
  readonly ownAddresses: readonly string[];
  readonly probes: readonly DriverProbe[];
}

const THIS_MACHINE = "127.0.0.1";

/** Lists each endpoint once. A host without a port is probed at every usual port. */
export function endpointsToProbe(question: EndpointsOptions): readonly Endpoint[] {
  return onePerEnd([...serialPlaces(question), ...namedAddresses(question), ...usualAddresses(question)]);
}

function serialPlaces({ ports, namedPorts }: EndpointsOptions): readonly Endpoint[] {
  if (namedPorts.length === 0) return ports.map(({ path, usb }) => ({ kind: "serial", path, usb, named: false }));
  return namedPorts.map((path) => {
    const usb = ports.find((port) => port.path === path)?.usb ?? null;
    return { kind: "serial", path, usb, named: true };
  });
}

function namedAddresses({ hosts, probes }: EndpointsOptions): readonly Endpoint[] {
  const usualPorts = [...new Set(probes.flatMap(({ tcpPorts }) => tcpPorts))];
  return hosts.flatMap(({ host, port }): Endpoint[] =>
    port === null
      ? usualPorts.map((usual) => ({ kind: "tcp", host, port: usual, named: false }))
      : [{ kind: "tcp", host, port, named: true }],
  );
}

/** Addresses of makers' programs on this machine, and of registers that are USB network devices. */
function usualAddresses({ probes, ownAddresses }: EndpointsOptions): readonly Endpoint[] {
  return probes.flatMap(({ usbNetworkHost, tcpPorts, isProgram }): Endpoint[] => {
    const hosts = [
      ...(isProgram === true ? [THIS_MACHINE] : []),
      ...(usbNetworkHost !== undefined && ownAddresses.some((own) => sameNetwork(own, usbNetworkHost))
        ? [usbNetworkHost]
        : []),
    ];
    return hosts.flatMap((host) => tcpPorts.map((port): Endpoint => ({ kind: "tcp", host, port, named: false })));
  });
}

/** Speeds of all makers, each maker's usual ones first. The likely maker of a USB device precedes the others. */
export function speedsFor(usb: UsbDevice | null, probes: readonly DriverProbe[]): readonly number[] {
  const likely = probes.filter((probe) => findUsbModel(usb, [probe]) !== null);
  const all = [...likely, ...probes];
  const ranks = Math.max(0, ...all.map(({ baudRates }) => baudRates.length));
  const ranked = Array.from({ length: ranks }, (_, rank) =>
    all.flatMap(({ baudRates }) => baudRates.slice(rank, rank + 1)),
  );
  return [...new Set(ranked.flat())];
}

export function findUsbModel(usb: UsbDevice | null, probes: readonly DriverProbe[]): UsbModel | null {
  if (usb === null) return null;
  const isSame = ({ vendorId, productId }: UsbModel) =>
    vendorId === usb.vendorId && (productId === null || productId === usb.productId);
  return probes.flatMap((probe) => probe.usb).find(isSame) ?? null;
}

export function endpointName(place: Endpoint): string {
  if (place.kind === "serial") return place.path;
  return `${place.host.includes(":") ? `[${place.host}]` : place.host}:${place.port}`;
}

/** An endpoint that a person named replaces the same one from the list of usual ports. */
function onePerEnd(places: readonly Endpoint[]): readonly Endpoint[] {
  const kept = new Map<string, Endpoint>();
  for (const place of places) {
    const name = endpointName(place).replace(/^localhost:/i, `${THIS_MACHINE}:`);
    if (kept.get(name)?.named !== true && (place.named || !kept.has(name))) kept.set(name, place);
  }
  return [...kept.values()];
}

function sameNetwork(own: string, other: string): boolean {
  const network = (address: string) => address.split(".").slice(0, 3).join(".");
  return own !== other && network(own) === network(other);
}
