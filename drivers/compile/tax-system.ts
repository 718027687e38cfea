import { Fault } from "@fiscald/shared/fault.js";
import type { SaleReceipt, TaxSystem } from "@fiscald/shared/receipt/receipt.js";
import type { CompileContext, Identity } from "../fiscal-driver.js";

const single = [1, 2, 4, 8, 16, 32] as const satisfies readonly TaxSystem[];

/**
 * Tag 1055 of a receipt: the one that it names, or its register's setting, or the only one that the register has.
 * Without one a register would silently use its first. Fault `receipt.unsupported` where there are several and none
 * is named, or the register is not registered for it.
 */
export function requireTaxSystem(
  { taxSystem }: Pick<SaleReceipt, "taxSystem">,
  context: Pick<CompileContext, "taxSystem">,
  { taxSystems: registered }: Pick<Identity, "taxSystems">,
): TaxSystem {
  const chosen = taxSystem ?? context.taxSystem ?? single.find((system) => system === registered);
  if (chosen === undefined) {
    throw new Fault("receipt.unsupported", {
      message: "the register has several tax systems: the order must name one",
    });
  }
  if (registered !== 0 && (registered & chosen) === 0) {
    throw new Fault("receipt.unsupported", { message: `the register is not registered for tax system ${chosen}` });
  }
  return chosen;
}
