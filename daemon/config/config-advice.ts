import { driverNeedsCashier } from "@fiscald/drivers/registry.js";
import type { ConfigProblem } from "./config-problem.js";
import type { Config } from "./config-schema.js";
import { parametersLeftOut } from "./issuer.js";

/** What is right in the config, but may be missed in the shop. */
export function configAdvice({ sites }: Pick<Config, "sites">): readonly ConfigProblem[] {
  return adviceOnIssuers(sites);
}

function adviceOnIssuers(sites: Config["sites"]): readonly ConfigProblem[] {
  return sites.flatMap((site, index) =>
    parametersLeftOut(site).map((name) => ({
      path: `sites[${index}].urls.orders`,
      message: `"${name}" looks like a secret and is left out of the issuer; if it distinguishes this shop from others, set \`issuer\``,
    })),
  );
}

/** Registers that could print nothing: the daemon starts without them, and `check-config` calls it an error. */
export function findUnusableRegisters({ registers }: Pick<Config, "registers">): readonly ConfigProblem[] {
  return registers.flatMap(({ driver, cashier }, index) => {
    if (cashier !== null || !driverNeedsCashier(driver)) return [];
    const message = `is missing: documents of ${driver} registers all name a cashier, so this one prints nothing`;
    return [{ path: `registers[${index}].cashier`, message }];
  });
}
