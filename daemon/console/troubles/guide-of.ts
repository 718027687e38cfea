import type { FaultCode } from "@fiscald/shared/fault-codes.js";
import type { Trouble, TroubleKind } from "./trouble.js";

const guides: Partial<Record<FaultCode | TroubleKind, string>> = {
  ...{ "drive-days": "drive-ends", "drive-documents": "drive-ends", "drive-flag": "drive-ends" },
  ...{ "device.fn-expired": "drive-ends", "register.foreign-identity": "change-register" },
  "job.held-old": "old-orders",
  ...{ "printed-twice": "wrong-receipt", "printed-after-all": "wrong-receipt" },
  ...{ "receipt-altered": "wrong-receipt", "receipt-differs": "wrong-receipt" },
  ...{ "returns-many": "wrong-receipt", "corrections-many": "wrong-receipt" },
};

export function guideOf({ code, kind }: Pick<Trouble, "code" | "kind">): string | null {
  return (code === null ? undefined : guides[code]) ?? guides[kind] ?? null;
}
