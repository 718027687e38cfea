import { driverNeedsCashier } from "@fiscald/drivers/registry.js";
import type { ConfigProblem } from "./config-problem.js";
import type { Config } from "./config-schema.js";
import { parametersLeftOut } from "./issuer.js";

/** What is no mistake of the config, and may be missed in the shop. */
export function configAdvice({ sites }: Pick<Config, "sites">): readonly ConfigProblem[] {
  return adviceOnIssuers(sites);
}

function adviceOnIssuers(sites: Config["sites"]): readonly ConfigProblem[] {
  return sites.flatMap((site, index) =>
    parametersLeftOut(site).map((name) => ({
      path: `sites[${index}].urls.orders`,
      message: `"${name}" is taken for a secret and does not tell this shop from others; if it does, set \`issuer\``,
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
