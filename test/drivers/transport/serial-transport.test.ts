import { closeSync, openSync, realpathSync } from "node:fs";
import { basename, join } from "node:path";
import { findPortHolders } from "@fiscald/drivers/transport/port-holder.js";
import { createSerialTransport } from "@fiscald/drivers/transport/serial-transport.js";
import type { CloseReason } from "@fiscald/shared/byte-transport.js";
import { SerialPortMock } from "serialport";
import { startChild } from "../../support/child-process.js";
import { useTempFolder } from "../../support/temp-folder.js";
import { hex, toHex } from "../vectors/hex.js";

const never = new AbortController().signal;
const PATH = "/dev/ttyACM0";
const options = { path: PATH, baudRate: 115_200 };

describe("the serial transport", () => {
  const folder = useTempFolder();
  let port: SerialPortMock | undefined;

  beforeEach(() => {
    SerialPortMock.binding.reset();
    SerialPortMock.binding.createPort(PATH, { record: true });
  });

  const openMock = () =>
    createSerialTransport(options, (settings) => {
      port = new SerialPortMock(settings);
      return port;
    });

  function mock(): SerialPortMock {
    if (port === undefined) throw new Error("no port was made");
    return port;
  }

  test("the serial transport carries bytes both ways and reports its own close as asked for", async () => {
    const transport = openMock();
    expect(transport.label).toBe(`serial ${PATH} 115200`);
    const heard = new Promise<string>((resolve) => transport.onBytes((bytes) => resolve(toHex(bytes))));
    const reason = new Promise<CloseReason>((resolve) => transport.onClosed(resolve));
    await transport.open(never);
    await transport.write(hex("05"));
    expect(toHex(mock().port?.lastWrite ?? hex(""))).toBe("05");
    mock().port?.emitData(Buffer.from(hex("15")));
    expect(await heard).toBe("15");
    await transport.close({ doubt: true });
    expect(await reason).toEqual({ kind: "asked" });
    expect(mock().isOpen).toBe(false);
  });

  test("opening a missing serial port is the fault link.not-found", async () => {
    SerialPortMock.binding.reset();
    await expect(openMock().open(never)).rejects.toMatchObject({ code: "link.not-found" });
  });

  test("opening a serial port that another program has open is the fault link.busy", async () => {
    const first = openMock();
    await first.open(never);
    await expect(openMock().open(never)).rejects.toMatchObject({ code: "link.busy" });
    await first.close();
  });

  test.each([
    ["Permission denied, cannot open /dev/ttyACM0", "link.forbidden"],
    ["Opening COM3: Access denied", "link.busy"],
    ["Resource temporarily unavailable Cannot lock port", "link.busy"],
    ["No such file or directory, cannot open /dev/ttyACM0", "link.not-found"],
  ])("the system's message (%s) on opening a serial port becomes the fault %s", async (message, code) => {
    class RefusedPort extends SerialPortMock {
      override open(done?: (error: Error | null) => void): void {
        done?.(new Error(message));
      }
    }
    const transport = createSerialTransport(options, (settings) => new RefusedPort(settings));
    await expect(transport.open(never)).rejects.toMatchObject({ code });
  });

  test("the fault of a busy serial port names the process that has the port", async () => {
    const path = join(folder(), "tty");
    const held = openSync(path, "w");
    try {
      class HeldPort extends SerialPortMock {
        override open(done?: (error: Error | null) => void): void {
          done?.(new Error("Resource temporarily unavailable Cannot lock port"));
        }
      }
      const transport = createSerialTransport({ path, baudRate: 9600 }, (settings) => new HeldPort(settings));
      const message = expect.stringMatching(`held by process ${process.pid} \\(.*node.*\\)`);
      await expect(transport.open(never)).rejects.toMatchObject({ code: "link.busy", message });
    } finally {
      closeSync(held);
    }
  });

  test("a busy serial port is reported even when the search for the process takes too long", async () => {
    class HeldPort extends SerialPortMock {
      override open(done?: (error: Error | null) => void): void {
        done?.(new Error("Resource temporarily unavailable Cannot lock port"));
      }
    }
    const late = new AbortController();
    const transport = createSerialTransport(
      options,
      (settings) => new HeldPort(settings),
      () => {
        late.abort();
        return new Promise(() => {});
      },
    );
    await expect(transport.open(late.signal)).rejects.toMatchObject({ code: "link.busy" });
  });

  test("a program that has a serial port open and has rewritten its title is reported by its file name alone", async () => {
    const path = join(folder(), "tty-titled");
    const other = startChild([
      "--eval",
      `process.title = "till --password=secret";
       globalThis.held = require("node:fs").openSync(${JSON.stringify(path)}, "w"); console.log("has it");
       setInterval(() => {}, 1000);`,
    ]);
    try {
      await other.line(/has it/);
      const [holder] = await findPortHolders(path);
      expect(holder).toEqual({ pid: other.pid, program: basename(realpathSync(process.execPath)) });
    } finally {
      other.signal("SIGKILL");
      await other.ended;
    }
  });

  test("a serial port that disappears is reported as lost, and writing fails", async () => {
    const transport = openMock();
    const reason = new Promise<CloseReason>((resolve) => transport.onClosed(resolve));
    await transport.open(never);
    mock().close();
    expect((await reason).kind).toBe("lost");
    await expect(transport.write(hex("05"))).rejects.toMatchObject({ code: "link.lost" });
  });

  test("an abort stops the opening of a serial port, and a port that opens late is closed again", async () => {
    const transport = openMock();
    const stop = new AbortController();
    const opening = transport.open(stop.signal);
    const closed = new Promise<CloseReason>((resolve) => transport.onClosed(resolve));
    stop.abort();
    await expect(opening).rejects.toMatchObject({ code: "link.aborted" });
    expect(await closed).toEqual({ kind: "asked" });
    expect(mock().isOpen).toBe(false);
  });
});
