import { driverNeedsCashier } from "@fiscald/drivers/registry.js";
import type { ConfigProblem } from "./config-problem.js";
import type { Config } from "./config-schema.js";

/** What is no mistake of the config, and will be missed in the shop. */
export function configAdvice({ registers }: Pick<Config, "registers">): readonly ConfigProblem[] {
  return registers.flatMap(({ driver, cashier }, index) => {
    if (cashier !== null || !driverNeedsCashier(driver)) return [];
    const message = `without it ${driver} registers refuse each order that names no cashier, and their shift cannot be closed`;
    return [{ path: `registers[${index}].cashier`, message }];
  });
}
