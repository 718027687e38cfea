import { createOnceAMinute } from "@fiscald/daemon/console/once-a-minute.js";
import { Fault } from "@fiscald/shared/fault.js";
import { createFakeClock } from "../../support/fake-clock.js";

const refused = expect.objectContaining({ code: "usage.repeated" });

test("an action is refused for a minute after the same action on the same object, and not on another object", async () => {
  const clock = createFakeClock();
  const once = createOnceAMinute(clock);
  expect(await once("print-anyway 1", () => "done")).toBe("done");
  await expect(once("print-anyway 1", () => "done")).rejects.toEqual(refused);
  expect(await once("print-anyway 2", () => "done")).toBe("done");
  await clock.advance(59_999);
  await expect(once("print-anyway 1", () => "done")).rejects.toEqual(refused);
  await clock.advance(1);
  expect(await once("print-anyway 1", () => "done")).toBe("done");
});

test("a second request for an action is refused while the first one still waits for the register", async () => {
  const once = createOnceAMinute(createFakeClock());
  let end = () => {};
  const first = once("not-printed 1", () => new Promise<void>((resolve) => (end = resolve)));
  await expect(once("not-printed 1", () => "done")).rejects.toEqual(refused);
  end();
  await first;
});

test("an action that failed may be repeated at once", async () => {
  const once = createOnceAMinute(createFakeClock());
  const fail = () => {
    throw new Fault("register.offline");
  };
  await expect(once("not-printed 1", fail)).rejects.toEqual(expect.objectContaining({ code: "register.offline" }));
  expect(await once("not-printed 1", () => "done")).toBe("done");
});
