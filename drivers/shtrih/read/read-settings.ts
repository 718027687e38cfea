/** Tables of the register that change receipts (Shtrih-M protocol, 7.2): read, never written. */
import type { FaultText } from "@fiscald/shared/fault-codes.js";
import { type RegisterTables, successors } from "@fiscald/shared/receipt/vat.js";
import type { ChangedReceipts, ReceiptSetting } from "../../receipt-setting.js";
import { commands } from "../protocol/commands.js";
import type { Conversation } from "../protocol/conversation.js";
import type { RegisterFacts } from "../protocol/models.js";
import { printSettings } from "../protocol/models.js";
import type { TableField } from "../protocol/status-commands.js";
import { DESKTOP_FN_TABLE, readFfdField, readNumber, readText } from "./read-facts.js";

const RATE_SUBSTITUTION: TableField = { table: 17, row: 1, field: 71 };
const PLACE_FIELD = 14;
const SUBSTITUTES = "1";
/** 22 % in tag 1199 (VAT rate). */
const MAIN_RATE = 11;
/** Row of 22 % VAT in the tax table; it comes with the licence. */
const MAIN_ROW = 11;

interface Row {
  readonly field: TableField;
  readonly right: readonly string[];
  /** The value that changes receipts, which therefore wait. Any other value that is not right is only shown. */
  readonly wrong: string;
  readonly effect: FaultText;
  readonly changes: ChangedReceipts | null;
  readonly isUsual?: boolean;
}

/** Fields of desktop models; on a cash core these tables have other content. */
const desktopRows: readonly Row[] = [
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
    field: { table: 1, row: 1, field: 14 },
    right: ["0"],
    wrong: "1",
    effect: {
      en: "The register expects the tax sums from the program, which sends none. Set it to 0.",
      ru: "Касса ждёт суммы налогов от программы, а та их не передаёт. Установите 0.",
    },
    changes: { kind: "all" },
  },
  {
    field: { table: 1, row: 1, field: 23 },
    right: ["0"],
    wrong: "1",
    effect: {
      en: "The register refuses a receipt of 0.00; a gift of 0.00 is printed in the receipt of what was bought with it.",
      ru: "Касса не пробивает чек на 0,00; подарок за 0,00 печатается в чеке той покупки, к которой он приложен.",
    },
    changes: null,
    isUsual: true,
  },
  {
    field: { table: 21, row: 1, field: 2 },
    right: ["1"],
    wrong: "0",
    effect: {
      en: "Documents go to the OFD through the maker's driver alone, which cannot run beside fiscald: they wait until the drive stops. Set it to 1 and give the register a network, its own or that of this computer (RNDIS).",
      ru: "Документы уходят в ОФД только через драйвер изготовителя, а рядом с fiscald он не работает: они ждут, пока накопитель не остановится. Установите 1 и дайте кассе сеть: её собственную или этого компьютера (RNDIS).",
    },
    changes: null,
  },
];

const substitutionUnread: ReceiptSetting = {
  place: { en: "substitution of 20 % by 22 %", ru: "замена ставки 20 % на 22 %" },
  value: null,
  right: [],
  effect: {
    en: "Whether this model registers 22 % where 20 % is sent cannot be read: its first document at 20 % is compared.",
    ru: "Заменяет ли эта модель 20 % на 22 %, прочитать нельзя: сверяется её первый документ со ставкой 20 %.",
  },
  changes: null,
};

const unknownEffect: FaultText = {
  en: "This value is unknown: what it does to receipts stands in the maker's manual. Nothing waits for it.",
  ru: "Это значение неизвестно: что оно делает с чеками, сказано в руководстве изготовителя. Чеки из-за него не ждут.",
};

const printEffects: Readonly<Record<number, FaultText>> = {
  [printSettings.nextNot]: {
    en: "The next document is not printed. fiscald sets it back before a receipt that belongs on paper.",
    ru: "Следующий документ не печатается. fiscald сам вернёт значение перед чеком, который нужен на бумаге.",
  },
  [printSettings.nothing]: {
    en: "The register prints no receipt on paper: a buyer without an e-mail or phone gets nothing. Set it to 0.",
    ru: "Касса не печатает чеки на бумаге: покупатель без почты и телефона не получает ничего. Установите 0.",
  },
  [printSettings.memoryCard]: {
    en: "Documents of the shift go to the register's memory card instead of the paper: a buyer without an e-mail or phone gets nothing. Set it to 0.",
    ru: "Документы смены пишутся на карту памяти кассы, а не на бумагу: покупатель без почты и телефона не получает ничего. Установите 0.",
  },
};
const withoutPaper: readonly (number | null)[] = [printSettings.nothing, printSettings.memoryCard];

export async function readSettings(
  talk: Conversation,
  facts: RegisterFacts,
  tables: RegisterTables,
  signal: AbortSignal,
): Promise<readonly ReceiptSetting[]> {
  const found: ReceiptSetting[] = [];
  for (const { field, wrong, changes, ...row } of hasRateSubstitution(facts) ? desktopRows : []) {
    const number = await readNumber(talk, field, signal);
    // Firmware without the field does not do what the field is for, except that it may substitute rates.
    if (number === null && field !== RATE_SUBSTITUTION) continue;
    const value = number === null ? null : String(number);
    const setting = { place: placeOf(field), value, right: row.right };
    if (value === null || value === wrong)
      found.push({ ...setting, ...row, changes: value === wrong ? changes : null });
    else found.push({ ...setting, effect: unknownEffect, changes: null });
  }
  if (!hasRateSubstitution(facts)) found.push(substitutionUnread);
  found.push(...(await readFormat(talk, facts, signal)));
  found.push(...(await readPrintSwitch(talk, facts, signal)));
  found.push(await readPlace(talk, facts, signal));
  return [...found, ...unlawfulRates(tables)];
}

/** Empty where the drive does not report its format: no value is then known as right. */
async function readFormat(
  talk: Conversation,
  { parameters }: RegisterFacts,
  signal: AbortSignal,
): Promise<readonly ReceiptSetting[]> {
  const set = await readFfdField(talk, parameters, signal);
  const registered = await talk.askOptional(commands.registeredFormat, talk.admin, signal);
  if (set === null || registered === null) return [];
  const setting: ReceiptSetting = {
    place: placeOf(set.field),
    value: String(set.value),
    right: [String(registered)],
    effect: {
      en: `The register makes its documents by another format (FFD) than the one that its fiscal drive is registered for. Set it to ${registered} while the shift is closed, or have the register registered for the new format.`,
      ru: `Касса составляет документы не по тому формату (ФФД), по которому зарегистрирован накопитель. Установите ${registered} при закрытой смене или перерегистрируйте кассу на новый формат.`,
    },
    // No paper of the maker says what such a register does: the comparison of each document shows it.
    changes: null,
  };
  return [setting];
}

async function readPrintSwitch(
  talk: Conversation,
  { printSwitch }: RegisterFacts,
  signal: AbortSignal,
): Promise<readonly ReceiptSetting[]> {
  if (printSwitch === null) return [];
  const number = await readNumber(talk, printSwitch.field, signal);
  const setting: ReceiptSetting = {
    place: placeOf(printSwitch.field),
    value: number === null ? null : String(number),
    right: [String(printSettings.printed)],
    effect: printEffects[number ?? printSettings.nothing] ?? unknownEffect,
    changes: withoutPaper.includes(number) ? { kind: "without-contact" } : null,
    // An electronic receipt sets this value for a moment.
    isUsual: number === printSettings.nextNot,
  };
  return [setting];
}

/** Tag 1187 (place) of the registration: where it is set, some registers refuse an order's own place at the close. */
async function readPlace(
  talk: Conversation,
  { parameters }: RegisterFacts,
  signal: AbortSignal,
): Promise<ReceiptSetting> {
  const field = { table: parameters.fnTable ?? DESKTOP_FN_TABLE, row: 1, field: PLACE_FIELD };
  return {
    place: placeOf(field),
    value: (await readText(talk, field, signal)) || NOTHING,
    right: [NOTHING],
    effect: {
      en: "Registered with a place of settlement (1187): the register may refuse a receipt that names a place of its own. Only a registration with an empty place takes it.",
      ru: "При регистрации указано место расчётов (1187): чек со своим местом касса может отвергнуть. Его примет касса, зарегистрированная с пустым местом.",
    },
    changes: null,
    isUsual: true,
  };
}

const NOTHING = "—";

/**
 * False on a cash core, whose table 17 has other content. There the field has another number, which the answer to F7h
 * (model parameters) has at a byte that no paper of the maker names: only the comparison of a document shows a
 * substitution.
 */
function hasRateSubstitution({ tagsBeforeItem }: Pick<RegisterFacts, "tagsBeforeItem">): boolean {
  return !tagsBeforeItem;
}

/** Rows of the tax table with a rate that the law does not have, and a missing row of 22 %. */
function unlawfulRates({ taxes }: RegisterTables): readonly ReceiptSetting[] {
  const wrong = taxes
    .filter(({ vat }) => vat === null)
    .map(({ id, title }) => ({
      place: { en: `table 6, row ${id}`, ru: `таблица 6, строка ${id}` },
      value: title,
      effect: {
        en: "Its rate is none of those in force. A service engineer sets the rate of the row.",
        ru: "Такой ставки нет среди действующих. Ставку строки устанавливает сервисный инженер.",
      },
    }));
  const missing = {
    place: { en: "table 6, row 11", ru: "таблица 6, строка 11" },
    value: NOTHING,
    effect: {
      en: "The register has no rate of 22 %: it needs the licence for 22 %.",
      ru: "В кассе нет ставки 22 %: нужна лицензия на 22 %.",
    },
  };
  const isThere = taxes.some(({ id, vat }) => vat === MAIN_RATE || (vat === null && id === MAIN_ROW));
  const found = isThere ? wrong : [...wrong, missing];
  return found.map((setting) => ({ ...setting, right: [], changes: null }));
}

function placeOf({ table, field }: TableField): FaultText {
  return { en: `table ${table}, field ${field}`, ru: `таблица ${table}, поле ${field}` };
}

/** Tax rows with their meaning in a sale on a register that substitutes rates. */
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
    const inSale = row.vat === null ? undefined : successors[row.vat];
    return inSale === undefined ? row : { ...row, inSale };
  });
  return { ...tables, taxes };
}
