/**
 * Additions to a case of the random part, as data: equal order numbers of several shops on one register, sites that
 * write windows-1251, an operator who settles unsure receipts. They follow from the seed alone. Pure.
 */
import type { FaultInput } from "@fiscald/emulators/faults/fault-spec.js";
import { type Seeded, seeded } from "../../../support/seeded.js";
import type { MakerRow } from "../processes/makers.js";
import {
  type Action,
  alwaysWritesMarks,
  type CasePlan,
  inOrder,
  offerOf,
  type PlannedOrder,
  planCase,
  priceChoices,
  type Step,
} from "./case-plan.js";
import { isReadable, makeOrder, spellings } from "./orders.js";
import { losesDatabase } from "./undecidable.js";

/** A random sequence of its own, so that the rest of the case stays the same. */
const FEATURE_CHOICES = 0x2545f491;

/** Percent of the cases without the kit. */
const PLAIN_SHARE = 35;
const SHARED_SHARE = 40;

export function planFeaturedCase(seed: number, makers: readonly MakerRow[]): CasePlan {
  const plan = planCase(seed, makers);
  const random = seeded(seed ^ FEATURE_CHOICES);
  const kind = random.int(1, 100);
  if (plan.kit || kind <= PLAIN_SHARE) return plan;
  const isShared = kind <= PLAIN_SHARE + SHARED_SHARE;
  const features: readonly (readonly [number, Feature])[] = [
    [isShared ? 1 : 0, shareRegisters],
    [isShared ? 1 : 0.7, meetNumbers],
    [isShared ? 0.2 : 0.6, spellOtherwise],
    [0.4, callOperator],
  ];
  return features.reduce((before, [share, feature]) => (random.chance(share) ? feature(before, random) : before), plan);
}

type Feature = (plan: CasePlan, random: Seeded) => CasePlan;

const DAEMONS = 2;
const RESTS = 4;

/** Adds a second daemon with a site of its own at the same registers. */
function shareRegisters(plan: CasePlan, random: Seeded): CasePlan {
  const ownSite = new Map<string, number>();
  const atSomeSite = <T extends { readonly site: number }>(planned: T, orderId: string): T => {
    const site = ownSite.get(orderId) ?? random.int(0, DAEMONS - 1);
    ownSite.set(orderId, site);
    return { ...planned, site };
  };
  const loser = random.int(0, DAEMONS - 1);
  const rests = Array.from({ length: RESTS }, (_, index): Step => {
    const action = { do: "rest", daemon: index % DAEMONS, forMs: random.int(150, 500) } as const;
    return { afterResults: random.int(0, plan.orders.length - 1), action };
  });
  return {
    ...plan,
    shared: { copiedConfig: random.chance(0.4) },
    daemons: DAEMONS,
    sites: DAEMONS,
    orders: plan.orders.map((planned) => atSomeSite(planned, planned.order.orderId)),
    cash: plan.cash.map((planned) => atSomeSite(planned, planned.job.orderId)),
    steps: inOrder([
      ...plan.steps.flatMap(({ afterResults, action }): readonly Step[] => {
        // Changing one of the two configs alone would be another case.
        if (action.do === "switch-marks-on") return [];
        if ("daemon" in action) {
          const daemon = isOfLoss(action) ? loser : random.int(0, DAEMONS - 1);
          return [{ afterResults, action: { ...action, daemon } }];
        }
        if ("site" in action) return [{ afterResults, action: { ...action, site: random.int(0, DAEMONS - 1) } }];
        return [{ afterResults, action }];
      }),
      ...rests,
    ]),
  };
}

/** A copy must be put back into the database that it was made of. */
function isOfLoss(action: Action): boolean {
  return action.do === "copy-database" || (action.do === "kill" && action.database !== "kept");
}

/** Some sales get an equal order id at another site: another sale, or one of the same goods. */
function meetNumbers(plan: CasePlan, random: Seeded): CasePlan {
  const sites = Math.max(2, plan.sites);
  // Without marks nothing distinguishes equal receipts of two daemons.
  const mayBeEqual = plan.shared === null || plan.registers.every((register) => alwaysWritesMarks(plan, register));
  const met = plan.orders.flatMap(({ order, site, changed }): PlannedOrder[] => {
    if (order.operation !== "sale" || !random.chance(0.5)) return [];
    const { key, orderId, operation, prices, kkm } = order;
    const isEqual = mayBeEqual && changed === null && random.chance(0.5);
    const other = makeOrder({
      ...{ orderId, operation, kkm, key: `${key}-of-another` },
      ...(isEqual ? { label: order.label, prices } : { prices: random.pick(priceChoices) }),
    });
    return [{ order: other, site: (site + 1) % sites, changed: null }];
  });
  const first = plan.orders.length;
  const offers = met.flatMap((_, index): Step[] => {
    const afterResults = random.int(0, plan.orders.length - 1);
    const again = random.chance(0.3) ? [offerOf(first + index, "own", afterResults + random.int(1, 4))] : [];
    return [offerOf(first + index, "own", afterResults), ...again];
  });
  return { ...plan, sites, orders: [...plan.orders, ...met], steps: inOrder([...plan.steps, ...offers]) };
}

/** An unreadable answer is reported once per site and shape, so each site has at most one of them. */
function spellOtherwise(plan: CasePlan, random: Seeded): CasePlan {
  const readable = spellings.filter(isReadable);
  const unreadable = spellings.filter((spelling) => !isReadable(spelling));
  const spoilt = new Set<number>();
  const orders = plan.orders.map((planned): PlannedOrder => {
    const { site, changed } = planned;
    // A refusal names the order id only, so nobody knows whether the sale or the return is unreadable.
    const isAlone = plan.orders.every((other) => other === planned || !isMixedUp(planned, other));
    if (isAlone && changed === null && !spoilt.has(site) && random.chance(0.2)) {
      spoilt.add(site);
      return { ...planned, spelling: random.pickOf(unreadable) ?? "utf-8" };
    }
    return random.chance(0.6) ? { ...planned, spelling: random.pickOf(readable) ?? "utf-8" } : planned;
  });
  return { ...plan, orders };
}

function isMixedUp(one: PlannedOrder, other: PlannedOrder): boolean {
  const isSameId = one.site === other.site && one.order.orderId === other.order.orderId;
  return isSameId || one.order.label === other.order.label;
}

/** A receipt is interrupted at its close while no document can be read, and a person settles it. */
function callOperator(plan: CasePlan, random: Seeded): CasePlan {
  const has = (fits: (action: Action) => boolean) => plan.steps.some(({ action }) => fits(action));
  // Where nothing on the register could contradict the operator, his answer counts.
  const mayBeHasty =
    plan.registers.every((register) => alwaysWritesMarks(plan, register)) &&
    !losesDatabase(plan) &&
    !has((action) => action.do === "swap-drive");
  const afterResults = random.int(0, plan.orders.length - 1);
  const register = random.int(0, plan.registers.length - 1);
  const when = { command: "close-receipt", nth: 1 } as const;
  const ms = random.int(20, 200);
  const atItsEnd = random.pick<FaultInput>([
    { effect: "drop-answer", when },
    { effect: "unplug", ms, when },
    { effect: "late-execution", ms, when },
    { effect: "power-cut", ms, when },
  ]);
  const faults: readonly FaultInput[] = [atItsEnd, { effect: "documents-unreadable", when: "now" }];
  const cut: Step = { afterResults, action: { do: "fault", register, faults, forMs: random.int(600, 1_500) } };
  const operators = Array.from({ length: plan.daemons }, (_, daemon): Step => {
    const word = mayBeHasty && random.chance(0.6) ? "hasty" : "honest";
    return { afterResults, action: { do: "operator", daemon, word, forMs: random.int(800, 2_500) } };
  });
  return { ...plan, steps: inOrder([...plan.steps, cut, ...operators]) };
}
