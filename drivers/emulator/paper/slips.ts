/** Non-fiscal prints of a register: cash in and out, X reports, copies. */
import { type Kopecks, kopecks } from "@fiscald/shared/amounts.js";
import type { PaperRow } from "@fiscald/shared/paper/layout.js";
import { type CoreAnswer, done, refused } from "../memory/refusals.js";
import type { RegisterMemory } from "../memory/register-memory.js";

export class NonFiscalSlips {
  constructor(private readonly memory: RegisterMemory) {}

  /** A slip and the drawer's counters. */
  moveCash(direction: "in" | "out", sum: Kopecks, rows: readonly PaperRow[]): CoreAnswer<number> {
    const { state, printer } = this.memory;
    if (state.receipt !== null) return refused("receipt-open");
    if (sum <= 0) return refused("value-out-of-range");
    if (direction === "out" && this.memory.lacksCash(kopecks(-sum))) return refused("not-enough-cash");
    const ready = printer.check();
    if (!ready.ok) return ready;
    const { shift } = state;
    state.cash = kopecks(state.cash + (direction === "in" ? sum : -sum));
    if (direction === "in") {
      shift.cashIn = kopecks(shift.cashIn + sum);
      shift.cashInCount += 1;
    } else {
      shift.cashOut = kopecks(shift.cashOut + sum);
      shift.cashOutCount += 1;
    }
    return this.print(rows);
  }

  /** Returns the through number. */
  print(rows: readonly PaperRow[]): CoreAnswer<number> {
    const { state, printer } = this.memory;
    const ready = printer.check();
    if (!ready.ok) return ready;
    state.through += 1;
    this.memory.save();
    printer.print(rows, 0);
    return done(state.through);
  }
}
