import { Deliveries } from "@fiscald/daemon/sites/deliveries.js";

test("an event counts as delivered after the polls that were sent before its delivery, and before all later polls", () => {
  const deliveries = new Deliveries();
  const before = deliveries.count;
  deliveries.note(7);
  expect(deliveries.isAfter(before, 7)).toBe(true);
  expect(deliveries.isAfter(deliveries.count, 7)).toBe(false);
});

test("an event of an earlier run counts as delivered before every poll of this run", () => {
  expect(new Deliveries().isAfter(0, 7)).toBe(false);
});

test("an event that is delivered again counts by its last delivery", () => {
  const deliveries = new Deliveries();
  deliveries.note(7);
  const between = deliveries.count;
  deliveries.note(7);
  expect(deliveries.isAfter(between, 7)).toBe(true);
});
