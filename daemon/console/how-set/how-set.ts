/**
 * How a register is configured, as one list. `fiscald doctor`, `fiscald status` and the operator's page show the list,
 * and warnings are made from it.
 */
import type { Capabilities, DeviceState, Identity } from "@fiscald/drivers/fiscal-driver.js";
import { levelOf, type ReceiptSetting } from "@fiscald/drivers/receipt-setting.js";
import type { FaultText } from "@fiscald/shared/fault-codes.js";
import type { SiteId } from "@fiscald/shared/ids.js";
import { asItIs } from "@fiscald/shared/texts.js";
import type { Config } from "../../config/config-schema.js";
import { taxSystemBits } from "../../config/register-schema.js";
import type { SiteConfig } from "../../config/site-schema.js";
import { messagesIn } from "../../messages/messages.js";
import type { RegisterSettings } from "../../registers/register-settings.js";
import { clockRows, driveRows, type SetRow } from "./state-rows.js";

/** Whether documents have shown that a feature works; `off`: the config forbids the feature. */
export type FeatureProof = "confirmed" | "unconfirmed" | "refuted" | "off";

export interface SetFacts {
  readonly settings: Pick<RegisterSettings, "id" | "timeZone" | "taxSystem">;
  readonly identity: Identity | null;
  readonly capabilities: Pick<Capabilities, "unconfirmedTags" | "fiscal"> | null;
  readonly receiptSettings: readonly ReceiptSetting[];
  readonly state: Pick<DeviceState, "clock" | "unsent" | "fnDaysLeft" | "fnDocumentsLeft" | "fnWarnings"> | null;
  /** When the state was read, in milliseconds since 1970. */
  readonly stateAt: number | null;
  readonly limits: Config["warnings"];
  /** Tag 1125 (internet receipt); null: the maker's documentation confirms the tag, or nothing is known. */
  readonly internetSign: FeatureProof | null;
  /** These sites of the register sell for another taxpayer than the register's. */
  readonly otherTaxpayers: readonly Pick<SiteConfig, "id" | "inn">[];
  /** The last list of these sites has other tax rows of this register than the register has now. */
  readonly untoldSites: readonly SiteId[];
}

export function howSet(facts: SetFacts): readonly SetRow[] {
  const { receiptSettings, identity, settings, internetSign, untoldSites, otherTaxpayers, state, stateAt, limits } =
    facts;
  return [
    ...receiptSettings.map(settingRow),
    ...(identity === null
      ? []
      : [innRow(identity, otherTaxpayers), taxSystemRow(identity, settings), formatRow(identity)]),
    ...(internetSign === null ? [] : [signRow(internetSign, settings.id)]),
    ...untoldSites.map(untoldRow),
    ...(state === null || stateAt === null ? [] : clockRows(state, settings.timeZone, stateAt)),
    ...(state === null ? [] : driveRows(state, limits, settings.id)),
  ];
}

function settingRow(setting: ReceiptSetting): SetRow {
  const { place, value, right, effect, changes } = setting;
  const found = levelOf(setting);
  const level = { ok: "ok", note: "note", unreadable: "unproven", wrong: changes === null ? "look" : "wrong" } as const;
  const shown = value === null ? { en: "cannot be read", ru: "не читается" } : asItIs(value);
  const wanted = right.length === 0 ? null : { en: right.join(" or "), ru: right.join(" или ") };
  const row = { place, value: shown, right: wanted, level: level[found], effect: found === "ok" ? null : effect };
  return { check: "settings", ...row };
}

function innRow({ inn }: Identity, others: SetFacts["otherTaxpayers"]): SetRow {
  const place = { en: "taxpayer of the registration (INN)", ru: "налогоплательщик по регистрации (ИНН)" };
  const row = { check: "settings", place, value: asItIs(inn) } as const;
  if (others.length === 0) {
    const effect = {
      en: "An order that names another taxpayer is refused.",
      ru: "Заказ, в котором назван другой налогоплательщик, отклоняется.",
    };
    return { ...row, right: null, level: "note", effect };
  }
  const sites = others.map(({ id }) => id).join(", ");
  const effect = {
    en: `Receipts of ${sites} are registered for another taxpayer than the site's. Give these orders a register of their own taxpayer (\`registers[].sites\`), or correct \`sites[].inn\`.`,
    ru: `Чеки ${sites} регистрируются на другого налогоплательщика, чем указан для сайта. Отдайте эти заказы кассе своего налогоплательщика (\`registers[].sites\`) или исправьте \`sites[].inn\`.`,
  };
  return { ...row, right: asItIs([...new Set(others.map((site) => site.inn))].join(", ")), level: "wrong", effect };
}

function taxSystemRow(
  { taxSystems: bits }: Identity,
  { id, taxSystem }: Pick<RegisterSettings, "id" | "taxSystem">,
): SetRow {
  const place = { en: "tax systems of the registration", ru: "системы налогообложения по регистрации" };
  const row = { check: "settings", place } as const;
  if (bits === 0) {
    const effect = {
      en: "An order or a `taxSystem` of the config may name one that the register refuses.",
      ru: "Заказ или `taxSystem` в настройках может назвать такую, которую касса отвергнет.",
    };
    return { ...row, value: { en: "cannot be read", ru: "не читаются" }, right: null, level: "unproven", effect };
  }
  const value = namesOf(bits);
  if (taxSystem === null && (bits & (bits - 1)) === 0) {
    const effect = {
      en: "An order that names another tax system (1055) is refused.",
      ru: "Заказ с другой системой налогообложения (1055) отклоняется.",
    };
    return { ...row, value, right: null, level: "note", effect };
  }
  const isRight = taxSystem !== null && (bits & taxSystem) !== 0;
  const effect = {
    en: `Receipts that name no tax system are not printed: set \`taxSystem\` of ${id} to one of those registered.`,
    ru: `Чеки без системы налогообложения не печатаются: укажите в \`taxSystem\` кассы ${id} одну из зарегистрированных.`,
  };
  const right = taxSystem === null || isRight ? null : namesOf(taxSystem);
  return { ...row, value, right, level: isRight ? "ok" : "wrong", effect: isRight ? null : effect };
}

const systemNames = ["osn", "usn-income", "usn-income-expense", "eshn", "patent"] as const;

/** The bits are those of tag 1062. English names are the config's, Russian names are those on receipts. */
function namesOf(bits: number): FaultText {
  const places = [...bits.toString(2)].toReversed().flatMap((digit, place) => (digit === "1" ? [place] : []));
  const nameOf = (place: number) => systemNames.find((name) => taxSystemBits[name] === 2 ** place);
  const { taxSystems: russian } = messagesIn("ru").setup;
  const names = (of: (place: number) => string) => places.map(of).join(", ");
  return {
    en: names((place) => nameOf(place) ?? `unknown (bit ${place})`),
    ru: names((place) => {
      const name = nameOf(place);
      return name === undefined ? `неизвестная (бит ${place})` : russian[name];
    }),
  };
}

function formatRow({ ffd }: Identity): SetRow {
  const row = { check: "settings", place: { en: "format (FFD)", ru: "формат (ФФД)" }, right: null } as const;
  if (ffd === null) {
    const effect = {
      en: "Receipts are made in the form that all formats share; orders with marking codes are refused.",
      ru: "Чеки составляются в виде, общем для всех форматов; заказы с кодами маркировки отклоняются.",
    };
    return { ...row, value: { en: "cannot be read", ru: "не читается" }, level: "unproven", effect };
  }
  if (ffd === "1.2") return { ...row, value: asItIs(ffd), level: "ok", effect: null };
  const effect = {
    en: "Orders with marking codes are refused: they need format 1.2, which a re-registration brings.",
    ru: "Заказы с кодами маркировки отклоняются: для них нужен формат 1.2, он меняется перерегистрацией.",
  };
  return { ...row, value: asItIs(ffd), level: "note", effect };
}

const proofs: Readonly<Record<FeatureProof, Pick<SetRow, "value" | "level">>> = {
  confirmed: { value: { en: "confirmed by a document", ru: "подтверждён документом" }, level: "ok" },
  unconfirmed: { value: { en: "unconfirmed", ru: "не подтверждён" }, level: "unproven" },
  refuted: { value: { en: "refuted", ru: "опровергнут" }, level: "wrong" },
  off: { value: { en: "off in the config", ru: "выключен в настройках" }, level: "note" },
};

export function proofText(proof: FeatureProof, register: string): FaultText {
  switch (proof) {
    case "confirmed":
      return {
        en: "Internet receipts are registered with their sign.",
        ru: "Признак есть в документах интернет-чеков.",
      };
    case "unconfirmed":
      return {
        en: "No reference of the maker confirms how the sign is sent: the document of the first internet receipt is compared.",
        ru: "Документы изготовителя не подтверждают, как передать признак: сверяется документ первого интернет-чека.",
      };
    case "refuted":
      return {
        en: `The register leaves the sign out or refuses it: internet receipts wait on it. Print them on another register, or accept it: \`fiscald accept-differences ${register} 1125\`.`,
        ru: `Касса не пишет признак или отвергает чек с ним: интернет-чеки на ней ждут. Печатайте их на другой кассе или примите это: \`fiscald accept-differences ${register} 1125\`.`,
      };
    case "off":
      return {
        en: "Internet receipts are refused on this register. The register's `options` switch the sign on.",
        ru: "Интернет-чеки на этой кассе отклоняются. Признак включается в `options` кассы.",
      };
  }
}

export const signPlace: FaultText = {
  en: "sign of internet receipts (tag 1125)",
  ru: "признак интернет-чеков (тег 1125)",
};

function signRow(proof: FeatureProof, register: string): SetRow {
  const effect = proof === "confirmed" ? null : proofText(proof, register);
  return { check: "settings", place: signPlace, ...proofs[proof], right: null, effect };
}

function untoldRow(site: SiteId): SetRow {
  return {
    check: "settings",
    place: { en: `tax rows, as ${site} knows them`, ru: `строки налогов, как их знает ${site}` },
    value: { en: "other than the register's", ru: "не те, что в кассе" },
    right: null,
    level: "look",
    effect: {
      en: "An order may name a row that means another rate now. The new list goes to the site by itself: see that it takes it, and by which rows it sends orders.",
      ru: "Заказ может назвать строку, которая теперь означает другую ставку. Новый список уйдёт сайту сам: проверьте, что сайт его принял и какие строки он присылает.",
    },
  };
}
