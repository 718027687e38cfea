import { PRINT_ANYWAY, RETRIED, TRIED_AGAIN, wasRetried } from "@fiscald/daemon/store/journal.js";

const story = (...facts: readonly string[]) => ({
  ofJob: () =>
    facts.map((what, id) => ({
      ...{ id, at: 0, actor: "daemon" as const, what, details: {} },
      ...{ job: 1, register: null, site: null, event: null, raw: null },
    })),
});

test.each([RETRIED, PRINT_ANYWAY, TRIED_AGAIN])("a failed order counts as tried again after: %s", (what) => {
  expect(wasRetried(story("order accepted", what), { id: 1 })).toBe(true);
});

test("a copy made by print-anyway counts as tried again only when the copy fails and is retried", () => {
  expect(wasRetried(story(PRINT_ANYWAY, "printed"), { id: 1 })).toBe(false);
  expect(wasRetried(story(PRINT_ANYWAY, "failed", RETRIED), { id: 1 })).toBe(true);
});

test("an order that was only accepted does not count as tried again", () => {
  expect(wasRetried(story("order accepted", "printed"), { id: 1 })).toBe(false);
});
