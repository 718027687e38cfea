import { driverNeedsCashier } from "@fiscald/drivers/registry.js";
import type { ConfigProblem } from "./config-problem.js";
import type { Config } from "./config-schema.js";
import { parametersLeftOut } from "./issuer.js";

/** What is no mistake of the config, and will be missed in the shop. */
export function configAdvice({ sites, registers }: Pick<Config, "sites" | "registers">): readonly ConfigProblem[] {
  return [...adviceOnIssuers(sites), ...adviceOnCashiers(registers)];
}

function adviceOnIssuers(sites: Config["sites"]): readonly ConfigProblem[] {
  return sites.flatMap((site, index) =>
    parametersLeftOut(site).map((name) => ({
      path: `sites[${index}].urls.orders`,
      message: `"${name}" is taken for a secret and does not tell this shop from others; if it does, set \`issuer\``,
    })),
  );
}

function adviceOnCashiers(registers: Config["registers"]): readonly ConfigProblem[] {
  return registers.flatMap(({ driver, cashier }, index) => {
    if (cashier !== null || !driverNeedsCashier(driver)) return [];
    const message = `without it ${driver} registers refuse each order that names no cashier, and their shift cannot be closed`;
    return [{ path: `registers[${index}].cashier`, message }];
  });
}
