/** Finds a register's serial port: a USB device gets another path when it is plugged in again. Pure. */
import type { SerialPortInfo, UsbDevice } from "./serial-ports.js";

/** Vendor and product are null when only the serial number was written down. */
export interface UsbKey {
  readonly vendorId: string | null;
  readonly productId: string | null;
  readonly serialNumber: string;
}

export interface PortQuestion {
  readonly path: string;
  /** Null: nothing is known of the USB device. */
  readonly wanted: UsbKey | null;
  readonly ports: readonly SerialPortInfo[];
}

/** The only port with the wanted device, else the configured path, as where a maker repeats a serial number. */
export function findPort({ path, wanted, ports }: PortQuestion): string {
  if (wanted === null) return path;
  const [only, ...more] = ports.filter(({ usb }) => usb !== null && isDevice(usb, wanted));
  return only === undefined || more.length > 0 ? path : only.path;
}

/** The key that finds the device at a path again. Null: the device has no serial number. */
export function keyOfPort(path: string, ports: readonly SerialPortInfo[]): UsbKey | null {
  const usb = ports.find((port) => port.path === path)?.usb ?? null;
  if (usb === null || usb.serialNumber === null) return null;
  const key = { vendorId: usb.vendorId, productId: usb.productId, serialNumber: usb.serialNumber };
  const alike = ports.filter((port) => port.usb !== null && isDevice(port.usb, key));
  return alike.length === 1 ? key : null;
}

function isDevice(usb: UsbDevice, wanted: UsbKey): boolean {
  return (
    usb.serialNumber === wanted.serialNumber &&
    (wanted.vendorId === null || usb.vendorId === wanted.vendorId) &&
    (wanted.productId === null || usb.productId === wanted.productId)
  );
}
