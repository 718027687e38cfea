import { type AddressInfo, connect, type Socket } from "node:net";
import { createLiveUpdates } from "@fiscald/daemon/console/live-updates.js";
import express from "express";
import { createFakeClock, type FakeClock } from "../../support/fake-clock.js";
import { waitFor } from "../../support/wait-for.js";

let clock: FakeClock;
let tellAll: () => void;
let port: number;
let close: () => Promise<void>;
let openStreams: () => Promise<number>;
const sockets: Socket[] = [];

beforeEach(async () => {
  clock = createFakeClock();
  // Without the pause that gathers changes, a test can write much in a short time.
  const gathered: (() => void)[] = [];
  const setTimer: FakeClock["setTimer"] = (ms, callback, options) => {
    if (ms >= 1000) return clock.setTimer(ms, callback, options);
    gathered.push(callback);
    return { cancel() {} };
  };
  const live = createLiveUpdates({ ...clock, setTimer });
  tellAll = () => {
    live.publish();
    gathered.pop()?.();
  };
  const server = express().get("/api/live", live.handle).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  ({ port } = server.address() as AddressInfo);
  openStreams = () =>
    new Promise((resolve, reject) => {
      server.getConnections((error, open) => (error === null ? resolve(open) : reject(error)));
    });
  close = () => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(() => resolve()));
  };
});

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  return close();
});

interface Reader {
  readonly socket: Socket;
  heard(): string;
}

async function open(): Promise<Reader> {
  let heard = "";
  const socket = connect(port, "127.0.0.1");
  sockets.push(socket);
  socket.setEncoding("utf8").on("data", (text: string) => (heard += text));
  socket.write(`GET /api/live HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`);
  const reader = { socket, heard: () => heard };
  await waitFor("the stream is open", () => heard.includes("event: alive"));
  return reader;
}

const count = (reader: Reader, event: string) => reader.heard().split(`event: ${event}\n`).length - 1;

test("an open page is told every two seconds that the daemon is alive", async () => {
  const page = await open();
  await clock.advance(6_000);
  await waitFor("three more are heard", () => count(page, "alive") === 4);
});

test("a page that reads nothing is disconnected before it fills the memory, and the other pages stay connected", async () => {
  const [slow, quick] = [await open(), await open()];
  slow.socket.pause();
  let heard = 0;
  // Each event has one opening brace, which no piece of the stream can cut.
  quick.socket.on("data", (text: string) => {
    heard += text.split("{").length - 1;
  });
  for (let written = 2000; (await openStreams()) === 2; written += 2000) {
    expect(written).toBeLessThan(1_000_000);
    for (let count = 0; count < 2000; count += 1) tellAll();
    await waitFor("the quick page has them", () => heard >= written);
  }
  expect(await openStreams()).toBe(1);
});

test("the thirty-third open page is refused until another one is closed", async () => {
  const pages: Reader[] = [];
  for (let page = 0; page < 32; page += 1) pages.push(await open());
  const refused = await fetch(`http://127.0.0.1:${port}/api/live`);
  expect([refused.status, await refused.json()]).toMatchObject([503, { error: { code: "usage.wrong" } }]);
  pages[0]?.socket.destroy();
  await waitFor("there is room again", async () => {
    const page = await fetch(`http://127.0.0.1:${port}/api/live`);
    await page.body?.cancel();
    return page.status === 200;
  });
});
