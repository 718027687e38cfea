import { refuseClockJump } from "@fiscald/daemon/registers/printing/compile-job.js";
import { makeJob, makeService } from "../../../support/make-job.js";
import { local } from "../../../support/make-snapshot.js";

const syncTime = makeJob({ receipt: makeService([{ type: "sync-time" }]) });
const noon = local("2026-11-21T12:00:00");

test.each([
  ["2026-11-21T11:50:00", null],
  ["2026-11-21T12:10:00", null],
  ["2026-11-21T12:10:01", "device.clock-jump"],
  ["2026-11-20T12:00:00", "device.clock-jump"],
  ["2027-11-21T12:00:00", "device.clock-jump"],
])("a register whose clock says noon is asked to be set to %s: %s", (ours, code) => {
  const act = () => refuseClockJump(syncTime, noon, local(ours));
  if (code === null) expect(act).not.toThrow();
  else expect(act).toThrow(expect.objectContaining({ code }));
});

test("a clock jump is allowed for a person, for a receipt, and for a register that tells no time", () => {
  const far = local("2030-01-01T00:00:00");
  expect(() => refuseClockJump({ ...syncTime, forced: true }, noon, far)).not.toThrow();
  expect(() => refuseClockJump(makeJob(), noon, far)).not.toThrow();
  expect(() => refuseClockJump(syncTime, null, far)).not.toThrow();
});
