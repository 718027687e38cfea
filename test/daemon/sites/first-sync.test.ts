import { createFirstSync } from "@fiscald/daemon/sites/first-sync.js";
import { Fault } from "@fiscald/shared/fault.js";
import { createFakeClock } from "../../support/fake-clock.js";
import { createTestLogger } from "../../support/test-logger.js";

function open() {
  const clock = createFakeClock();
  const registers = { answered: false, isBusy: false, mistake: false };
  const errors: string[] = [];
  const times: number[] = [];
  const send = () => {
    if (registers.isBusy) throw new Fault("store.busy");
    if (registers.mistake) throw new TypeError("a mistake");
    times.push(clock.now());
  };
  const log = createTestLogger((line) => errors.push(line));
  const sync = createFirstSync({ allAnswered: () => registers.answered, send, clock, log });
  return { clock, registers, sync, errors, sent: () => times.length };
}

test("the first list of registers is sent after all registers have answered, and only once", async () => {
  const { clock, registers, sync, sent } = open();
  sync.look();
  expect([sync.isHeld, sent()]).toEqual([true, 0]);
  registers.answered = true;
  sync.look();
  sync.look();
  await clock.advance(60_000);
  expect([sync.isHeld, sent()]).toEqual([false, 1]);
});

test("the first list of registers waits at most half a minute for a register that does not answer", async () => {
  const { clock, sync, sent } = open();
  await clock.advance(29_999);
  expect([sync.isHeld, sent()]).toEqual([true, 0]);
  await clock.advance(1);
  expect([sync.isHeld, sent()]).toEqual([false, 1]);
});

test("a busy database delays the first list of registers, and a programming error is logged", async () => {
  const { clock, registers, sync, sent, errors } = open();
  registers.isBusy = true;
  await clock.advance(34_000);
  expect([sync.isHeld, sent()]).toEqual([true, 0]);
  registers.isBusy = false;
  registers.mistake = true;
  expect(errors).toEqual([]);
  await clock.advance(1_000);
  expect(errors).toMatchObject([expect.stringContaining("a mistake")]);
  registers.mistake = false;
  await clock.advance(5_000);
  expect([sync.isHeld, sent()]).toEqual([false, 1]);
});

test("a daemon that is stopped sends no list of registers any more", async () => {
  const { clock, sync, sent } = open();
  sync.stop();
  await clock.advance(60_000);
  expect(sent()).toBe(0);
});
