import { orderOf, pickDueJobs } from "@fiscald/daemon/dispatch/pick-jobs.js";
import type { BriefJob } from "@fiscald/daemon/store/job.js";
import { toOrderId, toRegisterId, toSiteId } from "@fiscald/shared/ids.js";

function waiting(
  id: number,
  site: string | null,
  orderId: string | null,
  state: BriefJob["state"] = "queued",
  forced = false,
): BriefJob {
  const rest = {
    forced,
    register: toRegisterId("till"),
    source: site === null ? "operator" : "site",
    doneParts: 0,
    tries: 0,
    fault: null,
    createdAt: 0,
    updatedAt: 0,
  } as const;
  return {
    ...rest,
    id,
    state,
    site: site === null ? null : toSiteId(site),
    orderId: orderId === null ? null : toOrderId(orderId),
  };
}

test.each(["shop", null])(
  "receipts of one order of the site %p are printed one at a time, and a later receipt waits for a held one",
  (site) => {
    const jobs = [
      waiting(1, site, "A-1"),
      waiting(2, site, "A-1"),
      waiting(3, site, "B-2", "held"),
      waiting(4, site, "B-2"),
    ];
    const pick = (ordersInHand: ReadonlySet<string>) =>
      pickDueJobs({ waiting: jobs, ordersInHand, isDue: () => true }).map(({ id }) => id);
    expect(pick(new Set())).toEqual([1]);
    expect(pick(new Set([JSON.stringify([site, "A-1"])]))).toEqual([]);
  },
);

test.each([
  ["waits for that receipt", false, []],
  ["is printed when a person has forced it", true, [2]],
] as const)("a later receipt of an order with an unsure receipt %s", (_, forced, picked) => {
  const jobs = [waiting(1, "shop", "A-1", "unsure"), waiting(2, "shop", "A-1", "queued", forced)];
  const due = pickDueJobs({ waiting: jobs, ordersInHand: new Set(), isDue: () => true });
  expect(due.map(({ id }) => id)).toEqual(picked);
});

test("reports and slips do not wait for each other, because they belong to no order", () => {
  const jobs = [waiting(1, null, null), waiting(2, null, null)];
  expect(jobs.map(orderOf)).toEqual([null, null]);
  expect(pickDueJobs({ waiting: jobs, ordersInHand: new Set(), isDue: () => true })).toEqual(jobs);
});
