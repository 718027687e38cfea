/** Warns before a register shows the signs of risk by which tax offices choose whom to visit (54-fz 19). Pure. */
import type { RegisterId } from "@fiscald/shared/ids.js";
import { filled } from "../../messages/fault-words.js";
import type { RegisterMonth } from "../../store/day-facts.js";
import { type Found, found } from "./found.js";

/**
 * Percentages of returns in sales, and of corrections in receipts. From the first one a person is warned, from the
 * second one tax offices see a risk.
 */
export const WARNED_PERCENT = 20;
export const RISK_PERCENT = 30;
const WARNED_DAYS = 45;
const DAY_MS = 24 * 3_600_000;
/** With fewer receipts a share says little: one return of three sales is 33 percent. */
const FEWEST_RECEIPTS = 10;

export interface RiskShare {
  readonly returns: number;
  readonly corrections: number;
}

/** Whole percent. */
export function shareOfRisk({ receipts, corrections, sales, returns }: RegisterMonth): RiskShare {
  const percent = (part: number, whole: number) => (whole === 0 ? 0 : Math.round((100 * part) / whole));
  return { returns: percent(returns, sales), corrections: percent(corrections, receipts) };
}

export interface RiskQuestion {
  readonly months: readonly RegisterMonth[];
  /** Registers that printed no receipt in the month, with the time of their last document. */
  readonly idle: readonly { readonly register: RegisterId; readonly lastAt: number }[];
  readonly now: number;
}

export function riskTroubles({ months, idle, now }: RiskQuestion): readonly Found[] {
  return [
    ...months.filter(({ receipts }) => receipts >= FEWEST_RECEIPTS).flatMap(shareTroubles),
    ...idle.flatMap(({ register, lastAt }) => {
      const days = Math.floor((now - lastAt) / DAY_MS);
      if (days < WARNED_DAYS) return [];
      return found({
        ...{ kind: "register-idle", needs: "look", register },
        say: (_, { troubles }) => filled(troubles.registerIdle, { days }),
      });
    }),
  ];
}

function shareTroubles(month: RegisterMonth): readonly Found[] {
  const { returns, corrections } = shareOfRisk(month);
  const { register } = month;
  const many = (kind: "returns-many" | "corrections-many", percent: number): readonly Found[] =>
    percent < WARNED_PERCENT
      ? []
      : [
          found({
            ...{ kind, needs: "look", register },
            say: (_, { troubles: { returnsMany, correctionsMany } }) =>
              filled(kind === "returns-many" ? returnsMany : correctionsMany, { percent, risk: RISK_PERCENT }),
          }),
        ];
  return [...many("returns-many", returns), ...many("corrections-many", corrections)];
}
