import { unconfirmedTags } from "@fiscald/drivers/capabilities.js";
import type { RegisterId, SiteId } from "@fiscald/shared/ids.js";
import type { TaxRow } from "@fiscald/shared/receipt/vat.js";
import type { Config } from "../../config/config-schema.js";
import { provenModelOf } from "../../registers/connected-register.js";
import type { RegisterSettings } from "../../registers/register-settings.js";
import type { RegisterSnapshot } from "../../registers/register-snapshot.js";
import type { CheckStore } from "../../store/document-checks.js";
import type { OutboxStore } from "../../store/outbox-store.js";
import type { ReportedModel } from "../../store/register-store.js";
import { type FeatureProof, howSet, type SetFacts } from "./how-set.js";
import type { SetRow } from "./state-rows.js";

export interface SetStores {
  readonly checks: Pick<CheckStore, "agreedTags" | "open">;
  readonly outbox: Pick<OutboxStore, "syncedTaxes">;
}

export interface KnownRegister
  extends Pick<RegisterSnapshot, "identity" | "capabilities" | "receiptSettings" | "tables" | "state" | "stateAt"> {
  readonly settings: Pick<RegisterSettings, "id" | "timeZone" | "taxSystem" | "sites">;
}

export function howSetNow(
  register: KnownRegister,
  { warnings: limits, sites }: Pick<Config, "warnings" | "sites">,
  stores: SetStores,
  now: number,
): readonly SetRow[] {
  const { settings, identity, capabilities } = register;
  const isOpenQuestion = capabilities?.unconfirmedTags?.includes(INTERNET_SIGN) === true;
  const model = identity === null || capabilities === null ? null : provenModelOf({ identity, capabilities });
  const facts: SetFacts = {
    ...register,
    limits,
    otherTaxpayers: sites.filter(({ id, inn }) => inn !== null && settings.sites.includes(id) && inn !== identity?.inn),
    internetSign: isOpenQuestion
      ? proofOfSign(stores.checks, { register: settings.id, model, isOn: capabilities.fiscal.internet })
      : null,
    untoldSites: settings.sites.filter((site) => isUntold(register, site, stores.outbox, now)),
  };
  return howSet(facts);
}

const INTERNET_SIGN = 1125;

export interface SignFacts {
  readonly register: RegisterId;
  readonly model: ReportedModel | null;
  readonly isOn: boolean;
}

export function proofOfSign(
  checks: Pick<CheckStore, "agreedTags" | "open">,
  { register, model, isOn }: SignFacts,
): FeatureProof {
  if (!isOn) return "off";
  const isRefuted = checks.open().some((found) => found.register === register && found.tag === INTERNET_SIGN);
  if (isRefuted) return "refuted";
  return model !== null && checks.agreedTags(model).has(INTERNET_SIGN) ? "confirmed" : "unconfirmed";
}

/** True: the maker's documentation does not confirm the sign of internet receipts (tag 1125). */
export function hasUnconfirmedSign(driver: string): driver is keyof typeof unconfirmedTags {
  return Object.hasOwn(unconfirmedTags, driver);
}

/** True: the last list that the site has accepted names this register with other tax rows. */
function isUntold(
  { identity, tables }: Pick<KnownRegister, "identity" | "tables">,
  site: SiteId,
  outbox: Pick<OutboxStore, "syncedTaxes">,
  now: number,
): boolean {
  if (identity === null || tables === null) return false;
  const told = outbox
    .syncedTaxes(site, now)
    .at(-1)
    ?.find(({ kkm }) => kkm === identity.kkm);
  return told !== undefined && rowsOf(told.taxes) !== rowsOf(tables.taxes);
}

function rowsOf(taxes: readonly TaxRow[]): string {
  return JSON.stringify(taxes.map(({ id, title, vat, inSale }) => [id, title, vat, inSale ?? vat]));
}
