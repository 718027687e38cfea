/** The stream of server-sent events, over real HTTP. */
import { type AddressInfo, connect, type Socket } from "node:net";
import { createLiveStream, createLiveUpdates, type LiveUpdates } from "@fiscald/daemon/console/live-updates.js";
import { createLogTail, type LogTail } from "@fiscald/daemon/logging/log-tail.js";
import express from "express";
import { createFakeClock, type FakeClock } from "../../support/fake-clock.js";
import { waitFor } from "../../support/wait-for.js";

let clock: FakeClock;
let live: LiveUpdates;
let logTail: LogTail;
let port: number;
let close: () => Promise<void>;
let openStreams: () => Promise<number>;
const sockets: Socket[] = [];

beforeEach(async () => {
  clock = createFakeClock();
  live = createLiveUpdates(clock);
  logTail = createLogTail();
  const stream = createLiveStream({ live, logTail, clock });
  const server = express().get("/api/live", stream.handle).listen(0, "127.0.0.1");
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

async function open(query = ""): Promise<Reader> {
  let heard = "";
  const socket = connect(port, "127.0.0.1");
  sockets.push(socket);
  socket.setEncoding("utf8").on("data", (text: string) => (heard += text));
  socket.write(`GET /api/live${query} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`);
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

test("log lines come only to pages that ask for them", async () => {
  const [page, tail] = [await open(), await open("?log=1")];
  logTail.stream.write("2026-11-20 INFO daemon hello\n");
  await clock.advance(2_000);
  await waitFor("both hear the next sign", () => count(page, "alive") === 2 && count(tail, "alive") === 2);
  expect([count(page, "log"), count(tail, "log")]).toEqual([0, 1]);
});

test("a page that reads nothing is disconnected before it fills the memory, and the other pages stay connected", async () => {
  const [slow, quick] = [await open("?log=1"), await open("?log=1")];
  slow.socket.pause();
  const line = "x".repeat(200_000);
  let bytes = 0;
  quick.socket.on("data", (text: string) => {
    bytes += text.length;
  });
  for (let written = 1; (await openStreams()) === 2; written += 1) {
    expect(written).toBeLessThan(200);
    logTail.stream.write(`${line}\n`);
    await waitFor("the quick page has it", () => bytes > written * line.length);
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
