import { createFakeClock } from "./fake-clock.js";

test("the fake clock runs due timers in the sequence of their times, and equal ones in the sequence of their setting", async () => {
  const clock = createFakeClock();
  const ran: string[] = [];
  clock.setTimer(20, () => ran.push("20"));
  clock.setTimer(10, () => ran.push("10 a"));
  clock.setTimer(10, () => ran.push("10 b"));
  clock.setTimer(30, () => ran.push("30"));
  await clock.advance(20);
  expect(ran).toEqual(["10 a", "10 b", "20"]);
  expect([clock.pending, clock.nextDueMs]).toEqual([1, 10]);
});

test("the fake clock runs what a timer wakes before the next timer, even if the woken code sets timers itself", async () => {
  const clock = createFakeClock();
  const times: number[] = [];
  const loop = async () => {
    for (let round = 0; round < 3; round += 1) {
      await clock.sleep(10);
      times.push(clock.monotonic());
    }
  };
  const done = loop();
  await clock.advance(30);
  await done;
  expect(times).toEqual([10, 20, 30]);
});

test("a cancelled timer of the fake clock never runs, and an aborted sleep rejects with the abort's reason", async () => {
  const clock = createFakeClock();
  let ran = false;
  clock
    .setTimer(10, () => {
      ran = true;
    })
    .cancel();
  const abort = new AbortController();
  const sleeping = clock.sleep(10, abort.signal);
  abort.abort(new Error("enough"));
  await expect(sleeping).rejects.toThrow("enough");
  await expect(clock.sleep(10, abort.signal)).rejects.toThrow("enough");
  await clock.advance(100);
  expect([ran, clock.pending]).toEqual([false, 0]);
});

test("the fake clock's wall clock can be set without moving a timer", async () => {
  const clock = createFakeClock({ now: 1_000 });
  clock.setTimer(10, () => {});
  clock.setWallClock(500_000);
  expect([clock.now(), clock.monotonic(), clock.nextDueMs]).toEqual([500_000, 0, 10]);
  await clock.advance(10);
  expect([clock.now(), clock.monotonic(), clock.pending]).toEqual([500_010, 10, 0]);
});
