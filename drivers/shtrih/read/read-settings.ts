/** Tables of the register that change receipts (reference, section 7.2): read, never written. */
import type { FaultText } from "@fiscald/shared/fault-codes.js";
import type { RegisterTables, VatCode } from "@fiscald/shared/receipt/vat.js";
import type { ChangedReceipts, ReceiptSetting } from "../../receipt-setting.js";
import type { Conversation } from "../protocol/conversation.js";
import { printSettings } from "../protocol/models.js";
import type { TableField } from "../protocol/status-commands.js";
import type { RegisterFacts } from "./read-facts.js";
import { readNumber } from "./read-facts.js";

const RATE_SUBSTITUTION: TableField = { table: 17, row: 1, field: 71 };
const TAXES_BY_HOST: TableField = { table: 1, row: 1, field: 14 };
const SUBSTITUTES = "1";
/** Tag 1199 of 22 %. */
const MAIN_RATE = 11;
/** From 2026 on the register registers the second where the first is sent. */
const substitutes: Readonly<Partial<Record<VatCode, VatCode>>> = { 1: 11, 3: 12 };

interface Row {
  readonly field: TableField;
  readonly right: readonly string[];
  /** The value that is known to change receipts: they wait. Any other that is not right is only shown. */
  readonly wrong: string;
  readonly effect: FaultText;
  readonly changes: ChangedReceipts;
}

const rows: readonly Row[] = [
  {
    field: RATE_SUBSTITUTION,
    right: ["0", "2"],
    wrong: SUBSTITUTES,
    effect: {
      en: "The register registers 22 % where 20 % is sent, in returns too. Set it to 2 while the shift is closed.",
      ru: "Касса регистрирует 22 % вместо переданных 20 %, в том числе в возвратах. Установите 2 при закрытой смене.",
    },
    changes: { kind: "rates", rates: [1, 3] },
  },
  {
    field: TAXES_BY_HOST,
    right: ["0"],
    wrong: "1",
    effect: {
      en: "The register expects the tax sums from the program, which sends none. Set it to 0.",
      ru: "Касса ждёт суммы налогов от программы, а та их не передаёт. Установите 0.",
    },
    changes: { kind: "all" },
  },
];

const nothingPrinted: Omit<Row, "field"> = {
  right: ["1", "3", "0"],
  wrong: "2",
  effect: {
    en: "The register prints no receipt on paper: a buyer without an e-mail or phone gets nothing. Set it to 0.",
    ru: "Касса не печатает чеки на бумаге: покупатель без почты и телефона не получает ничего. Установите 0.",
  },
  changes: { kind: "without-contact" },
};

/** `tables`: as they were read on this connection. */
export async function readSettings(
  talk: Conversation,
  facts: RegisterFacts,
  tables: RegisterTables,
  signal: AbortSignal,
): Promise<readonly ReceiptSetting[]> {
  const { printSwitch } = facts;
  const asked: readonly Row[] = [
    // On a cash core these tables have other content.
    ...(hasRateSubstitution(facts) ? rows : []),
    ...(printSwitch === null ? [] : [{ ...nothingPrinted, field: printSwitch.field }]),
  ];
  const found: ReceiptSetting[] = [];
  for (const { field, wrong, changes, ...row } of asked) {
    const number = await readNumber(talk, field, signal);
    // An electronic receipt of ours sets it to "not the next document" for a moment.
    const isOurs = field === printSwitch?.field && number === printSettings.nextNot;
    if (number === null) continue;
    const value = String(isOurs ? printSwitch.owner : number);
    found.push({ ...row, place: placeOf(field), value, changes: value === wrong ? changes : null });
  }
  return [...found, ...unlawfulRates(tables)];
}

function hasRateSubstitution({ tagsBeforeItem }: Pick<RegisterFacts, "tagsBeforeItem">): boolean {
  return !tagsBeforeItem;
}

/** Rows of the tax table whose rate is none of the law's, and the missing row of the main rate. */
function unlawfulRates({ taxes }: RegisterTables): readonly ReceiptSetting[] {
  const wrong = taxes
    .filter(({ vat }) => vat === null)
    .map(({ id, title }) => ({
      place: { en: `table 6, row ${id}`, ru: `таблица 6, ряд ${id}` },
      // Its name and its rate.
      value: title,
      effect: {
        en: "Its rate is none of those in force. A service engineer sets the rate of the row.",
        ru: "Такой ставки нет среди действующих. Ставку ряда устанавливает сервисный инженер.",
      },
    }));
  const missing = {
    place: { en: "table 6, row 11", ru: "таблица 6, ряд 11" },
    value: "—",
    effect: {
      en: "The register has no rate of 22 %: it needs the licence for 22 %.",
      ru: "В кассе нет ставки 22 %: нужна лицензия на 22 %.",
    },
  };
  const found = taxes.some(({ vat }) => vat === MAIN_RATE) ? wrong : [...wrong, missing];
  return found.map((setting) => ({ ...setting, right: [], changes: null }));
}

function placeOf({ table, field }: TableField): FaultText {
  return { en: `table ${table}, field ${field}`, ru: `таблица ${table}, поле ${field}` };
}

/** The rows with what they mean in a sale, where the register substitutes rates. */
export async function withSubstitutedRates(
  talk: Conversation,
  facts: RegisterFacts,
  tables: RegisterTables,
  signal: AbortSignal,
): Promise<RegisterTables> {
  if (!hasRateSubstitution(facts)) return tables;
  const value = await readNumber(talk, RATE_SUBSTITUTION, signal);
  if (String(value) !== SUBSTITUTES) return tables;
  const taxes = tables.taxes.map((row) => {
    const inSale = row.vat === null ? undefined : substitutes[row.vat];
    return inSale === undefined ? row : { ...row, inSale };
  });
  return { ...tables, taxes };
}
