/**
 * Further additions to a case of the random part, as data: shops that request more receipts for one order number, and
 * power cuts. They follow from the seed alone. Pure.
 */

import { type Seeded, seeded } from "../../../support/seeded.js";
import { kkmOf, type MakerRow } from "../processes/makers.js";
import { planFeaturedCase } from "./case-features.js";
import { type Action, type CasePlan, inOrder, type Step } from "./case-plan.js";
import { planStory } from "./story.js";
import { losesDatabase } from "./undecidable.js";

/** A random sequence of its own, so that the rest of the case stays the same. */
const REPEAT_CHOICES = 0x7f4a7c15;

/**
 * A case with a lost database gets no additions: the daemon has forgotten the requests and results, so an equal request
 * may be any of them.
 */
export function planRepeatingCase(seed: number, makers: readonly MakerRow[]): CasePlan {
  const plan = planFeaturedCase(seed, makers);
  if (losesDatabase(plan)) return plan;
  const random = seeded(seed ^ REPEAT_CHOICES);
  const cut = random.chance(0.6) ? cutPower(plan, random) : plan;
  return plan.shared === null && random.chance(0.8) ? tellStories(cut, random) : cut;
}

function cutPower(plan: CasePlan, random: Seeded): CasePlan {
  const cuts = Array.from({ length: random.int(1, 2) }, (): Step => {
    const action: Action = {
      do: "power-cut",
      daemon: random.int(0, plan.daemons - 1),
      number: random.pick(["before", "before", "empty", "missing"]),
    };
    return { afterResults: random.int(1, plan.orders.length), action };
  });
  return { ...plan, steps: inOrder([...plan.steps, ...cuts]) };
}

function tellStories(plan: CasePlan, random: Seeded): CasePlan {
  const stories = Array.from({ length: random.int(1, 2) }, (_, index) => {
    const kkm = random.chance(0.4) ? kkmOf(random.int(1, plan.registers.length)) : undefined;
    return planStory(random, { number: index + 1, site: random.int(0, plan.sites - 1), isKit: plan.kit, kkm });
  });
  const begins = stories.map((_, story): Step => {
    return { afterResults: random.int(0, 2), action: { do: "story", story } };
  });
  return { ...plan, stories, steps: inOrder([...begins, ...plan.steps]) };
}
