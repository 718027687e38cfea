import { readdir, readFile, realpath } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Fault } from "@fiscald/shared/fault.js";
import { SerialPort } from "serialport";

export interface SerialPortInfo {
  readonly path: string;
  readonly usb: UsbDevice | null;
}

export interface UsbDevice {
  /** Four hex digits, lower case. */
  readonly vendorId: string;
  readonly productId: string;
  /** Null: many cheap converters have no number. Some makers give all their devices the same one. */
  readonly serialNumber: string | null;
  readonly manufacturer: string | null;
}

/** Rejects with `link.not-found` when the system does not list its ports. */
export type ListSerialPorts = () => Promise<readonly SerialPortInfo[]>;

/** Reads Linux's files: the serial library would start a program that small systems lack. */
export async function listSerialPorts(): Promise<readonly SerialPortInfo[]> {
  if (process.platform === "linux") {
    const ports = await listFromSysfs("/sys/class/tty");
    if (ports !== null) return ports;
  }
  try {
    return (await SerialPort.list()).map(({ path, vendorId, productId, serialNumber, manufacturer }) => ({
      path,
      usb:
        vendorId === undefined || productId === undefined
          ? null
          : {
              vendorId: vendorId.toLowerCase(),
              productId: productId.toLowerCase(),
              serialNumber: serialNumber || null,
              manufacturer: manufacturer ?? null,
            },
    }));
  } catch (error) {
    throw new Fault("link.not-found", { message: "the system does not list its serial ports", cause: error });
  }
}

const portName = /^(tty(S|WCHUSB|ACM|USB|AMA|MFD|O|XRUSB)|rfcomm)\d+$/;
/** `type` of a port on the board that has no chip. */
const NO_CHIP = "0";

/** Ports in the folder `root`, which is `/sys/class/tty`. Null: there is no such folder. */
export async function listFromSysfs(root: string): Promise<readonly SerialPortInfo[] | null> {
  const names = await readdir(root).catch(() => null);
  if (names === null) return null;
  const ports: SerialPortInfo[] = [];
  for (const name of names.filter((candidate) => portName.test(candidate)).sort()) {
    const device = await realpath(join(root, name, "device")).catch(() => null);
    if (device === null || (await textOf(join(root, name, "type"))) === NO_CHIP) continue;
    ports.push({ path: `/dev/${name}`, usb: await usbDeviceAbove(device) });
  }
  return ports;
}

/** The USB device is some folders above its port: interface and converter chip are in between. */
async function usbDeviceAbove(folder: string): Promise<UsbDevice | null> {
  for (let at = folder; at !== dirname(at); at = dirname(at)) {
    const vendorId = await textOf(join(at, "idVendor"));
    const productId = await textOf(join(at, "idProduct"));
    if (vendorId === null || productId === null) continue;
    return {
      vendorId: vendorId.toLowerCase(),
      productId: productId.toLowerCase(),
      serialNumber: await textOf(join(at, "serial")),
      manufacturer: await textOf(join(at, "manufacturer")),
    };
  }
  return null;
}

async function textOf(file: string): Promise<string | null> {
  const text = await readFile(file, "utf8").catch(() => "");
  return text.trim() || null;
}
