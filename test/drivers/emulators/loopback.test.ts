import { createLoopback, createLoopbackFactory, type DeviceEnd } from "@fiscald/emulators/wire/loopback.js";
import type { CloseReason } from "@fiscald/shared/byte-transport.js";
import { hex, toHex } from "../vectors/hex.js";

const never = new AbortController().signal;
const turn = () => new Promise((resolve) => setImmediate(resolve));

test("the loopback carries bytes both ways in order, and delivers none during the write", async () => {
  const { transport, device } = createLoopback();
  const heard: string[] = [];
  const answered: string[] = [];
  device.onBytes((bytes) => heard.push(toHex(bytes)));
  transport.onBytes((bytes) => answered.push(toHex(bytes)));
  await transport.open(never);
  const written = transport.write(hex("01 02"));
  expect(heard).toEqual([]);
  await written;
  device.send(hex("03"));
  device.send(hex("04"));
  await turn();
  expect([heard, answered]).toEqual([["01 02"], ["03", "04"]]);
});

test("a loopback with pieces of one byte delivers each byte separately", async () => {
  const { transport, device } = createLoopback({ pieceBytes: 1 });
  const heard: string[] = [];
  device.onBytes((bytes) => heard.push(toHex(bytes)));
  await transport.open(never);
  await transport.write(hex("01 02 03"));
  await turn();
  expect(heard).toEqual(["01", "02", "03"]);
});

test("a cut of the loopback loses the bytes on the way and is reported once on each side", async () => {
  const { transport, device } = createLoopback();
  const reasons: CloseReason[] = [];
  let deviceTold = 0;
  const heard: string[] = [];
  transport.onClosed((reason) => reasons.push(reason));
  device.onClosed(() => {
    deviceTold += 1;
  });
  device.onBytes((bytes) => heard.push(toHex(bytes)));
  await transport.open(never);
  const written = transport.write(hex("01"));
  device.close();
  device.close();
  await written;
  await turn();
  expect([reasons.map(({ kind }) => kind), deviceTold, heard]).toEqual([["lost"], 1, []]);
  await expect(transport.write(hex("02"))).rejects.toMatchObject({ code: "link.lost" });
});

test("a close by the host itself is reported as asked for, and nothing arrives after the close", async () => {
  const { transport, device } = createLoopback();
  const reasons: CloseReason[] = [];
  const heard: string[] = [];
  transport.onClosed((reason) => reasons.push(reason));
  device.onBytes((bytes) => heard.push(toHex(bytes)));
  await transport.open(never);
  void transport.write(hex("01"));
  await transport.close({ doubt: true });
  await turn();
  expect([reasons, heard]).toEqual([[{ kind: "asked" }], []]);
});

test("a loopback can be connected again and again, except while it is unplugged", async () => {
  let plugged = true;
  const ends: DeviceEnd[] = [];
  const open = createLoopbackFactory((end) => {
    if (plugged) ends.push(end);
    return plugged;
  });
  await open().open(never);
  plugged = false;
  await expect(open().open(never)).rejects.toMatchObject({ code: "link.not-found" });
  plugged = true;
  await open().open(never);
  expect(ends).toHaveLength(2);
});
