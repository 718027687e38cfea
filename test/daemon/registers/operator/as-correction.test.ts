import { correctionOf, paidDay } from "@fiscald/daemon/registers/operator/as-correction.js";
import { makeReceipt, newJob } from "../../../support/make-job.js";
import { local, makeSnapshot } from "../../../support/make-snapshot.js";
import { useStores } from "../../../support/use-stores.js";

const { open } = useStores();

function heldOrder(paidAt?: number) {
  const { jobs, clock } = open();
  const receipt = makeReceipt(paidAt === undefined ? {} : { paidAt });
  const job = jobs.insertJob(newJob({ receipt, state: "held" }));
  const { settings, ...register } = makeSnapshot({ clock: local("2026-11-22T00:05:00") }, { id: job.register });
  return { job, now: clock.now(), snapshots: [{ ...register, settings: { ...settings, timeZone: "Asia/Kamchatka" } }] };
}

test("the correction of an order may have today's date by the register's clock, and no later date", () => {
  const { job, ...given } = heldOrder();
  expect(correctionOf(job, "2026-11-22", given).correction?.date).toBe("2026-11-22");
  expect(() => correctionOf(job, "2026-11-23", given)).toThrow(expect.objectContaining({ code: "order.wrong-value" }));
});

test("an order paid in the evening by Moscow's time counts as paid on the next day on a register in Kamchatka", () => {
  const { job, snapshots, now } = heldOrder(Date.UTC(2026, 10, 18, 18));
  expect(paidDay(job, snapshots, now)).toBe("2026-11-19");
});
