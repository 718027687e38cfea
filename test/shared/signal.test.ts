import { Signal } from "@fiscald/shared/signal.js";

const forever = new AbortController().signal;

test("a notify before anybody waits for the signal is not lost, and two such calls count once", async () => {
  const signal = new Signal();
  signal.notify();
  signal.notify();
  await signal.wait(forever);
  const abort = new AbortController();
  const second = signal.wait(abort.signal);
  abort.abort(new Error("nothing came"));
  await expect(second).rejects.toThrow("aborted");
});

test("a notify of a signal wakes the waiting caller", async () => {
  const signal = new Signal();
  const waiting = signal.wait(forever);
  signal.notify();
  await expect(waiting).resolves.toBeUndefined();
});

test("a notify that was cleared wakes no caller, and a later notify wakes the caller", async () => {
  const signal = new Signal();
  signal.notify();
  signal.clear();
  let isAwake = false;
  const waiting = signal.wait(forever).then(() => {
    isAwake = true;
  });
  await Promise.resolve();
  expect(isAwake).toBe(false);
  signal.notify();
  await waiting;
});

test("after an aborted wait for a signal the next wait works", async () => {
  const signal = new Signal();
  const abort = new AbortController();
  const first = signal.wait(abort.signal);
  abort.abort(new Error("stop"));
  await expect(first).rejects.toThrow("aborted");
  await expect(signal.wait(abort.signal)).rejects.toThrow("stop");
  const next = signal.wait(forever);
  signal.notify();
  await next;
});
