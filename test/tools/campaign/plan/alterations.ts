/**
 * Additions to a case of the random part, as data: orders with more fields than names and sums, and registers that
 * alter receipts. They follow from the seed alone. Pure.
 */
import type { FaultInput } from "@fiscald/emulators/faults/fault-spec.js";
import { type Seeded, seeded } from "../../../support/seeded.js";
import type { MakerRow } from "../processes/makers.js";
import { type Action, alwaysWritesMarks, type CasePlan, inOrder, type Step } from "./case-plan.js";
import { type CampaignOrder, makeOrder, type OrderFacts, plainFacts } from "./orders.js";
import { planRepeatingCase } from "./plan-repeats.js";
import { losesDatabase } from "./undecidable.js";

/** A random sequence of its own, so that the rest of the case stays the same. */
const ALTERATION_CHOICES = 0x3c6ef372;
const ALTERING_SHARE = 0.6;

const factChoices: readonly OrderFacts[] = [
  plainFacts,
  { rates: [11, 2, 6], subjects: [1, 4], method: 4, contact: null, place: null, cash: null },
  { rates: [11], subjects: [1], method: 4, contact: "b@shop.example", place: "https://shop.example", cash: 0 },
  { rates: [2, 11], subjects: [4, 1], method: 4, contact: "+79990000001", place: null, cash: 5 },
];

type AlterInput = Extract<FaultInput, { readonly effect: "alter" }>;

/**
 * Tags that recovery does not compare: a receipt that is altered in them is recognised even without its mark. Another
 * total, direction or kind of payment is left out, because the judge computes totals and drawers from the documents.
 */
const identityKept: readonly AlterInput[] = [
  { effect: "alter", change: [{ tag: 1199, from: 11, to: 1 }] },
  { effect: "alter", change: [{ tag: 1199, from: 2, to: 6 }] },
  { effect: "alter", change: [{ tag: 1214, from: 4, to: 1 }] },
  { effect: "alter", change: [{ tag: 1212, from: 4, to: 1 }] },
  { effect: "alter", change: [{ tag: 1055, from: 1, to: 2 }] },
  { effect: "alter", departmentRates: { 0: 1, 1: 1 } },
  { effect: "alter", drop: [1008] },
  { effect: "alter", drop: [1125, 1187] },
];

export function planAlteringCase(seed: number, makers: readonly MakerRow[]): CasePlan {
  const random = seeded(seed ^ ALTERATION_CHOICES);
  const plan = withFacts(planRepeatingCase(seed, makers), random);
  return mayAlter(plan) && random.chance(ALTERING_SHARE) ? withAlterations(plan, random) : plan;
}

export function alters(plan: Pick<CasePlan, "steps">): boolean {
  return hasFault(plan, "alter");
}

export function hasFault({ steps }: Pick<CasePlan, "steps">, name: FaultInput["effect"]): boolean {
  return steps.some(({ action }) => action.do === "fault" && action.faults.some(({ effect }) => effect === name));
}

/** A lost database compares nothing any more, and a drive that was removed cannot be read. */
function mayAlter(plan: CasePlan): boolean {
  return !losesDatabase(plan) && plan.steps.every(({ action }) => action.do !== "swap-drive");
}

/** A return has the same fields of its goods as its sale. */
function withFacts(plan: CasePlan, random: Seeded): CasePlan {
  const known = new Map<string, OrderFacts>();
  const told = (order: CampaignOrder): CampaignOrder => {
    const facts = known.get(order.orderId) ?? random.pickOf(factChoices) ?? plainFacts;
    known.set(order.orderId, facts);
    return makeOrder({ ...order, facts });
  };
  const orders = plan.orders.map((planned) => ({
    ...planned,
    order: told(planned.order),
    changed: planned.changed === null ? null : told(planned.changed),
  }));
  return { ...plan, orders };
}

function withAlterations(plan: CasePlan, random: Seeded): CasePlan {
  const alterations = plan.registers.flatMap((planned, register): Step[] => {
    if (register > 0 && random.chance(0.5)) return [];
    const fault = random.pickOf([...identityKept, ...(alwaysWritesMarks(plan, planned) ? withMark(plan) : [])]);
    if (fault === undefined) return [];
    const action: Action = { do: "fault", register, faults: [fault], forMs: random.int(800, 2_000) };
    return [{ afterResults: random.int(0, 2), action }];
  });
  return { ...plan, steps: inOrder([...alterations, ...plan.steps]) };
}

/** Without a mark a receipt is recognised by names and sums only. A cut name still begins with its label. */
function withMark({ orders, stories }: CasePlan): readonly AlterInput[] {
  const labels = [...orders, ...stories.flatMap(({ requests }) => requests)].map(({ order }) => order.label.length);
  return [
    { effect: "alter", nameLength: Math.max(...labels) + " с".length },
    { effect: "alter", rounding: "lines" },
  ];
}
