/** Tables of the register by the maker's papers; unknown fields in between have one byte. */
import type { Registration } from "../memory/registration.js";
import { fixedText, integer } from "./bytes.js";
import type { ShtrihModel } from "./models.js";

export interface TableField {
  readonly name: string;
  readonly type: "BIN" | "CHAR";
  readonly size: number;
  readonly readOnly: boolean;
  readonly initial: (row: number) => Uint8Array;
}

export interface Table {
  readonly name: string;
  readonly rows: number;
  readonly fields: readonly TableField[];
}

function bin(name: string, size: number, initial: number | ((row: number) => number) = 0): TableField {
  return {
    name,
    type: "BIN",
    size,
    readOnly: false,
    initial: (row) => integer(typeof initial === "number" ? initial : initial(row), size),
  };
}

function char(name: string, size: number, initial: string | ((row: number) => string) = ""): TableField {
  return {
    name,
    type: "CHAR",
    size,
    readOnly: false,
    initial: (row) => fixedText(typeof initial === "string" ? initial : initial(row), size),
  };
}

function fixed(field: TableField): TableField {
  return { ...field, readOnly: true };
}

/** A field whose number is not in `known` is a byte without meaning. */
function fieldsOf(known: Readonly<Record<number, TableField>>): readonly TableField[] {
  const highest = Math.max(...Object.keys(known).map(Number));
  return Array.from({ length: highest }, (_, index) => known[index + 1] ?? bin(`РЕЗЕРВ ${index + 1}`, 1));
}

/** Percentages in hundredths, by row of table 6. */
const taxPercents = [2000, 1000, 0, 0, 2000, 1000, 500, 700, 500, 700, 2200, 2200];

export function tablesOf(model: ShtrihModel, registration: Registration): ReadonlyMap<number, Table> {
  const cashier = (row: number) => (row === 30 ? "СИС. АДМИНИСТРАТОР" : row === 29 ? "АДМИНИСТРАТОР" : `КАССИР ${row}`);
  const ffdVersion = bin("ФОРМАТ ФД", 1, registration.ffd);
  const printSwitchIn = (wanted: number): Readonly<Record<number, TableField>> => {
    const { table: place, field } = model.printSwitch;
    return place === wanted ? { [field]: bin("НЕ ПЕЧАТАТЬ ДОКУМЕНТ", 1) } : {};
  };
  return new Map<number, Table>([
    table(1, "ТИП И РЕЖИМ КАССЫ", 1, fieldsOf({ ...mode, ...printSwitchIn(1) })),
    table(2, "ПАРОЛИ", 30, [bin("ПАРОЛЬ", 4, (row) => row), char("ИМЯ", 64, cashier)]),
    table(4, "ТЕКСТ В ЧЕКЕ", 14, [char("ТЕКСТ", 64, (row) => (row === 4 ? registration.user : ""))]),
    table(5, "НАИМЕНОВАНИЯ ТИПОВ ОПЛАТЫ", 16, [
      char("НАИМЕНОВАНИЕ", 64, (row) => registration.paymentNames[row - 1] ?? ""),
    ]),
    table(6, "НАЛОГОВЫЕ СТАВКИ", registration.taxes.length, [
      bin("ВЕЛИЧИНА НАЛОГА", 2, (row) => taxPercents[row - 1] ?? 0),
      char("НАЗВАНИЕ НАЛОГА", 64, (row) => registration.taxes[row - 1]?.name ?? ""),
    ]),
    table(7, "НАИМЕНОВАНИЯ ОТДЕЛОВ", 16, [char("НАИМЕНОВАНИЕ", 64, (row) => `${row} ОТДЕЛ`)]),
    table(17, "РЕГИОНАЛЬНЫЕ НАСТРОЙКИ", 1, fieldsOf({ ...regional(registration, model), ...printSwitchIn(17) })),
    table(model.driveTable, "FISCAL STORAGE", 1, driveFields(registration)),
    table(model.ofdTable, "ПАРАМЕТРЫ ОФД", 1, ofdFields),
    table(21, "СЕТЕВЫЕ ИНТЕРФЕЙСЫ", 1, interfaces),
    // Cash-core devices have a field of their own for the format version; F7h (model parameters) names its place in
    // bytes 36 and 37 (Shtrih-M protocol, 6.4).
    ...(model.cashCore ? [table(10, "СИСТЕМНЫЕ НАСТРОЙКИ", 1, fieldsOf({ 29: ffdVersion }))] : []),
  ]);
}

function table(number: number, name: string, rows: number, fields: readonly TableField[]): readonly [number, Table] {
  return [number, { name, rows, fields }];
}

const mode: Readonly<Record<number, TableField>> = {
  1: bin("НОМЕР В МАГАЗИНЕ", 1, 1),
  2: bin("АВТООБНУЛЕНИЕ НАЛИЧНОСТИ", 1),
  6: bin("ОТКРЫВАТЬ ДЕНЕЖНЫЙ ЯЩИК", 1),
  7: bin("ОТРЕЗКА", 1, 2),
  14: bin("РАСЧЕТ НАЛОГОВ", 1),
  16: bin("ПЕЧАТЬ НАЛОГОВ", 1, 2),
  19: bin("СОХРАНЯТЬ СТРОКИ В БУФЕРЕ", 1, 1),
  20: bin("ПЕЧАТЬ ПО ЗАКРЫТИЮ", 1, 1),
  23: bin("ЗАПРЕТ НУЛЕВОГО ЧЕКА", 1, 1),
  27: bin("КОНТРОЛЬ ВРЕМЕНИ", 1),
  28: bin("БЕЗ ЗВУКА", 1),
  29: bin("МЕЖСТРОЧНЫЙ ИНТЕРВАЛ", 1),
  39: bin("ЗАГОЛОВОК ПОСЛЕ ДОКУМЕНТА", 1),
  41: bin("QR-КОД", 1, 1),
};

function regional(
  registration: Registration,
  { substitutesRates = false }: Pick<ShtrihModel, "substitutesRates">,
): Readonly<Record<number, TableField>> {
  return {
    3: bin("РЕЖИМ СКИДОК", 1),
    9: bin("ПЕЧАТЬ СКВОЗНОГО НОМЕРА", 1),
    15: bin("ПЕЧАТЬ АННУЛИРОВАННОГО ЧЕКА", 1),
    17: bin("ФОРМАТ ФД", 1, registration.ffd),
    25: bin("АВТОПЕЧАТЬ РЕКВИЗИТОВ", 1),
    27: bin("ПОДВАЛ", 1),
    35: bin("СТРОГИЙ ФЛК", 1),
    71: bin("ЗАМЕНА СТАВКИ 20 НА 22", 1, substitutesRates ? 1 : 2),
  };
}

function driveFields(registration: Registration): readonly TableField[] {
  return [
    fixed(char("ЗАВОДСКОЙ НОМЕР", 21, registration.serial)),
    fixed(char("ИНН", 17, registration.inn)),
    fixed(char("РНМ", 21, registration.kkm)),
    // The serial number of the present drive, filled in when the field is read.
    fixed(char("НОМЕР ФН", 17)),
    fixed(bin("СНО", 1, registration.taxSystems)),
    fixed(bin("РЕЖИМ РАБОТЫ", 1)),
    char("ПОЛЬЗОВАТЕЛЬ", 128, registration.user),
    char("ОПЕРАТОР", 64),
    char("АДРЕС РАСЧЕТОВ", 128, registration.address),
    char("ОФД", 64, registration.ofd.name),
    char("САЙТ ОФД", 64),
    char("ИНН ОФД", 13, registration.ofd.inn),
    char("САЙТ ФНС", 64, "www.nalog.gov.ru"),
    char("МЕСТО РАСЧЕТОВ", 128, registration.place),
    char("E-MAIL ОТПРАВИТЕЛЯ", 64),
    bin("АГЕНТ", 1),
    char("АДРЕС 2", 128),
    char("МЕСТО 2", 128),
    char("ПОЛЬЗОВАТЕЛЬ 2", 128),
    char("РЕЗЕРВ 20", 128),
    bin("РАСШИРЕННЫЕ ПРИЗНАКИ", 2),
    bin("КОД ПРИЧИНЫ", 4),
    char("ИНН КАССИРА", 13),
  ];
}

const ofdFields: readonly TableField[] = [
  char("СЕРВЕР", 64, "ofd.example"),
  bin("ПОРТ", 2, 7777),
  bin("ТАЙМАУТ", 2, 30),
  bin("ЗАДЕРЖКА", 4, 1000),
];

const interfaces: readonly TableField[] = fieldsOf({
  1: bin("PPP", 1),
  2: bin("ОБМЕН С ОФД", 1, 1),
  3: bin("TCP СЕРВЕР", 1, 1),
  4: bin("ПОРТ TCP", 2, 7778),
  9: bin("RNDIS", 1),
});
