/**
 * The tags of a receipt (FNS order ED-7-20/662@), one row each: how every entrance spells the tag, and what becomes of
 * it. No key with a fiscal meaning is dropped: it is carried, or refused with a reason. `docs/FISCAL-TAGS.md` is made
 * from this table, and a test sends every carried tag through every entrance to every maker's driver.
 */

interface FiscalTagRow {
  readonly tag: number;
  readonly name: string;
  readonly type: Type;
  readonly fate: TagFate;
}

/** The type of a tag's value. A number is the most characters of a text, or the most bytes of another type. */
type Type =
  | "byte"
  | "u32"
  | "time"
  | "money"
  | "quantity"
  | "text"
  | "bytes"
  | "container"
  | `${"text" | "bytes"} ${number}`;

type TagFate =
  | CarriedTag
  /** The register makes the value, or has it from its registration. */
  | { readonly kind: "register" }
  /** The order is refused with the reason. `key`: the key in the body of a cloud service. */
  | { readonly kind: "refused"; readonly key: string; readonly reason: string };

export interface CarriedTag {
  readonly kind: "carried";
  /** The key in our two formats: `item.unit` of a position, `root.taxSystem` of the order. */
  readonly own: string;
  /** The key in bodies of cloud services, below `receipt`. */
  readonly cloud: string;
  /** The option's name in the kit's builders. */
  readonly builder: string;
  /** The field of the delivery API; null = the API has none. */
  readonly delivery: string | null;
  readonly since12?: boolean;
  readonly until11?: boolean;
  /** The protocols of these makers have no place for the tag, so their drivers refuse such a receipt. */
  readonly refusedBy?: readonly string[];
}

/** Without `builder` the option has the name of the own key. */
type Keys = readonly [own: string, cloud: string, builder?: string, delivery?: string];
type More = Pick<CarriedTag, "since12" | "until11" | "refusedBy">;

function root(tag: number, name: string, type: Type, keys: Keys, more: More = {}): FiscalTagRow {
  const [own, cloud, builder = own, delivery = null] = keys;
  return { tag, name, type, fate: { kind: "carried", own: `root.${own}`, cloud, builder, delivery, ...more } };
}

function item(tag: number, name: string, type: Type, keys: Keys, more: More = {}): FiscalTagRow {
  const [own, cloud, builder = own, delivery = null] = keys;
  const below = { own: `item.${own}`, cloud: `items[].${cloud}`, builder: `item.${builder}` };
  return { tag, name, type, fate: { kind: "carried", ...below, delivery, ...more } };
}

function agent(tag: number, name: string, type: Type, own: string, cloud: string): FiscalTagRow {
  return item(tag, name, type, [`agentData.${own}`, `agent_info.${cloud}`, `agent.data.${own}`]);
}

function buyer(tag: number, name: string, type: Type, own: string, cloud: string, option: string): FiscalTagRow {
  return root(tag, name, type, [own, `client.${cloud}`, `buyer.${option}`], since12);
}

function byRegister(tag: number, name: string, type: Type): FiscalTagRow {
  return { tag, name, type, fate: { kind: "register" } };
}

function refused(tag: number, name: string, type: Type, key: string, reason: string): FiscalTagRow {
  return { tag, name, type, fate: { kind: "refused", key, reason } };
}

const paid = "the register's own payment kinds: `typeClose`, `payments[].type`";
const since12 = { since12: true };
const until11 = { until11: true };
const ofPosition = "is sent with the position that it is about";
const markPart = "a part of a marked piece cannot be sold";
const undecided = "optional, and its filling is not decided yet";

export const fiscalTags: readonly FiscalTagRow[] = [
  root(1008, "телефон или e-mail покупателя", "text 64", [
    "clientContact",
    "client.email",
    "contact",
    "client.email, phone",
  ]),
  root(1021, "кассир", "text 64", ["cashierName", "cashier", "cashier.name"]),
  root(1203, "ИНН кассира", "text 12", ["cashierINN", "cashier_inn", "cashier.inn"]),
  root(1055, "система налогообложения", "byte", ["taxSystem", "company.sno", "taxSystem", "company.taxSystem"]),
  root(1192, "дополнительный реквизит чека", "text 16", ["additionalCheckProps", "additional_check_props"]),
  root(1084, "дополнительный реквизит пользователя", "container", ["additionalUserProps", "additional_user_props"]),
  root(1227, "покупатель", "text 256", ["buyerName", "client.name", "buyer.name"]),
  root(1228, "ИНН покупателя", "text 12", ["buyerINN", "client.inn", "buyer.inn"]),
  buyer(1243, "дата рождения покупателя", "text 10", "buyerBirthDate", "birthdate", "birthDate"),
  buyer(1244, "гражданство", "text 3", "buyerCitizenship", "citizenship", "citizenship"),
  buyer(1245, "код вида документа", "text 2", "buyerDocumentCode", "document_code", "documentCode"),
  buyer(1246, "данные документа", "text 64", "buyerDocumentData", "document_data", "documentData"),
  buyer(1254, "адрес покупателя", "text 256", "buyerAddress", "address", "address"),
  root(1270, "операционный реквизит чека", "container", ["operatingCheckProps", "operating_check_props"], {
    ...since12,
    refusedBy: ["pirit"],
  }),
  // Tags of the position.
  item(1212, "предмет расчёта", "byte", ["itemType", "payment_object", "subject", "good.calcId"]),
  item(1214, "способ расчёта", "byte", ["paymentMode", "payment_method", "method"]),
  item(1222, "признак агента", "byte", ["agentType", "agent_info.type", "agent.type", "supplierId"]),
  agent(1044, "операция платёжного агента", "text 24", "operation", "paying_agent.operation"),
  agent(1073, "телефон платёжного агента", "text 19", "agentPhones", "paying_agent.phones"),
  agent(1074, "телефон оператора по приёму платежей", "text 19", "operatorPhones", "receive_payments_operator.phones"),
  agent(1075, "телефон оператора перевода", "text 19", "transferPhones", "money_transfer_operator.phones"),
  agent(1026, "наименование оператора перевода", "text 64", "transferName", "money_transfer_operator.name"),
  agent(1005, "адрес оператора перевода", "text 256", "transferAddress", "money_transfer_operator.address"),
  agent(1016, "ИНН оператора перевода", "text 12", "transferInn", "money_transfer_operator.inn"),
  item(1225, "поставщик", "text 256", ["supplierName", "supplier_info.name", "agent.supplierName", "supplier.title"]),
  item(1171, "телефон поставщика", "text 19", [
    "supplierPhone",
    "supplier_info.phones",
    "agent.supplierPhones",
    "supplier.phone",
  ]),
  item(1226, "ИНН поставщика", "text 12", ["supplierInn", "supplier_info.inn", "agent.supplierInn", "supplier.inn"]),
  item(1162, "код товара", "bytes 32", ["goodsCode", "nomenclature_code", "goodsCode", "goods[].vedCode"], until11),
  item(
    1163,
    "код маркировки",
    "bytes 256",
    ["markingCode", "mark_code.gs1m", "markingCode", "goods[].markValue"],
    since12,
  ),
  item(1191, "дополнительный реквизит предмета расчёта", "text 64", ["additionalProps", "user_data"]),
  item(1197, "единица измерения", "text 16", ["unit", "measurement_unit", "unit", "goods[].unit"], until11),
  item(2108, "мера количества", "byte", ["measure", "measure", "measure", "goods[].unit"], since12),
  item(1229, "акциз", "money", ["excise", "excise"]),
  item(1230, "страна происхождения", "text 3", ["countryCode", "country_code", "countryCode", "goods[].countryCode"]),
  item(1231, "номер таможенной декларации", "text 32", [
    "customDeclarationCode",
    "declaration_number",
    "customsDeclaration",
    "goods[].customDeclarationCode",
  ]),
  item(1260, "отраслевой реквизит предмета расчёта", "container", ["industryProps", "sectoral_item_props"], since12),
  // The orders with these tags are refused with a reason.
  refused(1261, "отраслевой реквизит чека", "container", "receipt.sectoral_check_props", ofPosition),
  refused(1291, "дробное количество маркированного товара", "container", "items[].mark_quantity", markPart),
  refused(1057, "признак агента чека", "byte", "receipt.agent_info", ofPosition),
  refused(1234, "сведения об оплате безналичными", "container", "receipt.cashless_payments", undecided),
  // The register makes these tags, has them from its registration, or gets them by the form of the order itself.
  byRegister(1000, "наименование документа", "text"),
  byRegister(1001, "автоматический режим", "byte"),
  byRegister(1002, "автономный режим", "byte"),
  byRegister(1009, "адрес расчётов", "text"),
  byRegister(1012, "дата и время", "time"),
  byRegister(1013, "заводской номер ККТ", "text"),
  byRegister(1017, "ИНН ОФД", "text"),
  byRegister(1018, "ИНН пользователя", "text"),
  byRegister(1020, "сумма чека", "money"),
  byRegister(1023, "количество", "quantity"),
  byRegister(1030, "наименование предмета расчёта", "text"),
  byRegister(1031, paid, "money"),
  byRegister(1036, "номер автомата (`device_number` не читается)", "text"),
  byRegister(1037, "регистрационный номер ККТ", "text"),
  byRegister(1038, "номер смены", "u32"),
  byRegister(1040, "номер ФД", "u32"),
  byRegister(1041, "номер ФН", "text"),
  byRegister(1042, "номер чека за смену", "u32"),
  byRegister(1043, "стоимость предмета расчёта", "money"),
  byRegister(1054, "признак расчёта", "byte"),
  byRegister(1059, "предмет расчёта", "container"),
  byRegister(1077, "фискальный признак", "bytes"),
  byRegister(1079, "цена за единицу", "money"),
  ...[1081, 1215, 1216, 1217].map((tag) => byRegister(tag, paid, "money")),
  ...[1102, 1103, 1104, 1105, 1106, 1107].map((tag) => byRegister(tag, "сумма по ставке НДС", "money")),
  byRegister(1115, "суммы НДС чека", "container"),
  byRegister(1117, "e-mail отправителя чека (`company.email` не читается)", "text"),
  byRegister(1125, "расчёты в интернете: `isInternetPayment`, `receipt.internet`", "byte"),
  byRegister(1173, "тип коррекции: `correctionInfo.type`", "byte"),
  byRegister(1174, "основание для коррекции: `correctionInfo`", "container"),
  byRegister(1178, "дата исправляемого расчёта: `correctionInfo.base_date`", "time"),
  byRegister(1179, "номер предписания: `correctionInfo.base_number`", "text 32"),
  byRegister(
    1187,
    "место расчётов: `internetPaymentUrl`, `paymentPlace`, `company.payment_address` (`service.payment_address` не читается)",
    "text",
  ),
  byRegister(1198, "НДС за единицу", "money"),
  byRegister(1199, "ставка НДС: `tax`, `vat`", "byte"),
  byRegister(1200, "НДС предмета расчёта", "money"),
  byRegister(1209, "версия ФФД", "byte"),
  byRegister(2102, "режим обработки кода маркировки", "byte"),
  byRegister(2106, "результат проверки кода маркировки", "byte"),
  byRegister(2115, "контрольный код кода маркировки", "text"),
];

/** The text of `docs/FISCAL-TAGS.md`, which `npm run docs` writes. */
export function fiscalTagsPage(): string {
  const rows = fiscalTags.map(
    ({ tag, name, type, fate }) => `| ${tag} | ${name} | ${type} | ${cellsOf(fate).join(" | ")} |`,
  );
  return [
    "# Tags of a receipt",
    "",
    "Made from `test/support/fiscal-tags.ts` by `npm run docs`. A key with a fiscal meaning is carried into the",
    "document, or refused with its reason. Of `attributes.sno` and `service.payment_address`, which the online format has and",
    "a print server does not read, the site is warned. A task table takes the cloud keys too: at its root, on its",
    "opening line, in the `param` of a position. `payment_method` may be spelt `paymentMethod`, `company.sno` as `taxation`.",
    "",
    "| Tag | Name | Type | Own key | Cloud key | Builder | Delivery API | |",
    "| --- | --- | --- | --- | --- | --- | --- | --- |",
    ...rows,
    "",
  ].join("\n");
}

function cellsOf(fate: TagFate): readonly string[] {
  if (fate.kind === "register") return ["", "", "", "", "the register's, or the form of the order"];
  if (fate.kind === "refused") return ["", code(fate.key), "", "", `refused: ${fate.reason}`];
  const { own, cloud, builder, delivery, since12 = false, until11 = false, refusedBy = [] } = fate;
  const notes = [
    ...(since12 ? ["from format 1.2 on"] : []),
    ...(until11 ? ["up to format 1.1"] : []),
    ...(refusedBy.length > 0 ? [`refused by ${refusedBy.join(", ")}`] : []),
  ];
  return [code(own), code(cloud), code(builder), code(delivery), notes.join("; ")];
}

function code(key: string | null): string {
  return key === null ? "" : `\`${key}\``;
}
