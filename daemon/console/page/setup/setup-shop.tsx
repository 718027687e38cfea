import type { SetupView } from "../../setup/setup-api.js";
import { Field, Select } from "./setup-fields.js";
import { innDoubt, setupWords as words } from "./setup-words.js";

const CASHIER = "Кассир";

export function shopOf({ timeZone, closeShiftAt }: SetupView) {
  return { cashier: CASHIER, cashierInn: "", timeZone: timeZone ?? "", closeShiftAt };
}
export type ShopRow = ReturnType<typeof shopOf>;

interface ShopProps {
  readonly shop: ShopRow;
  readonly view: SetupView;
  /** At least one register names a cashier on all its documents. */
  readonly needsCashier: boolean;
  onChange(shop: ShopRow): void;
}

export function ShopQuestions({ shop, view, needsCashier, onChange }: ShopProps) {
  const set = (change: Partial<ShopRow>) => onChange({ ...shop, ...change });
  const { timeZone: suggested, computerZone } = view;
  const zones = Object.entries(words.zones);
  return (
    <section aria-labelledby="shop">
      <h2 id="shop" tabIndex={-1}>
        {words.shop}
      </h2>
      <Field
        label={words.cashier}
        value={shop.cashier}
        isRequired={needsCashier}
        onChange={(cashier) => set({ cashier })}
      />
      <Field label={words.cashierInn} value={shop.cashierInn} onChange={(cashierInn) => set({ cashierInn })} />
      <p role="status">{innDoubt(shop.cashierInn)}</p>
      <Select
        label={words.timeZone}
        value={shop.timeZone}
        choices={suggested === null ? [["", words.choose], ...zones] : zones}
        isRequired
        onChange={(timeZone) => set({ timeZone })}
      />
      <p>{suggested === null ? words.zoneUnknown({ zone: computerZone }) : words.zoneFromComputer}</p>
      <Field
        label={words.closeShiftAt}
        value={shop.closeShiftAt}
        type="time"
        onChange={(closeShiftAt) => set({ closeShiftAt })}
      />
    </section>
  );
}
