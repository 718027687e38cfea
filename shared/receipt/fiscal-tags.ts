/**
 * The tags of a receipt (FNS order ED-7-20/662), one row each: how every entrance spells it and what becomes of it. No key
 * with a fiscal meaning is dropped: it is carried, or refused with a reason. `docs/FISCAL-TAGS.md` is made from this table,
 * and a test sends every carried tag through every entrance to every maker.
 */

export interface FiscalTagRow {
  readonly tag: number;
  readonly name: string;
  readonly type: "byte" | "u32" | "time" | "money" | "quantity" | "text" | "bytes" | "container";
  /** Characters or bytes; null = the type tells. */
  readonly max: number | null;
  readonly fate: TagFate;
}

export type TagFate =
  | CarriedTag
  /** The register makes it, or has it from its registration. */
  | { readonly kind: "register" }
  /** `key`: as a cloud service spells it. */
  | { readonly kind: "refused"; readonly key: string; readonly reason: string };

export interface CarriedTag {
  readonly kind: "carried";
  /** Own key of both formats: `item.unit` of a position, `root.taxSystem` of the order. */
  readonly own: string;
  /** Key of cloud services, below `receipt`; null = they have none. */
  readonly cloud: string | null;
  /** Option of the builders; null = the builders set it. */
  readonly builder: string | null;
  /** Field of the delivery API; null = it has none. */
  readonly delivery: string | null;
  readonly since12?: boolean;
  readonly until11?: boolean;
  /** Makers whose protocol has no place for it: such a receipt is refused there. */
  readonly refusedBy?: readonly string[];
}

type Type = FiscalTagRow["type"];

function carried(
  tag: number,
  name: string,
  [type, max]: readonly [Type, number | null],
  keys: Omit<CarriedTag, "kind">,
): FiscalTagRow {
  return { tag, name, type, max, fate: { kind: "carried", ...keys } };
}

function byRegister(tag: number, name: string, type: Type): FiscalTagRow {
  return { tag, name, type, max: null, fate: { kind: "register" } };
}

function refused(tag: number, name: string, type: Type, key: string, reason: string): FiscalTagRow {
  return { tag, name, type, max: null, fate: { kind: "refused", key, reason } };
}

const text = (max: number) => ["text", max] as const;
const byte = ["byte", null] as const;
const money = ["money", null] as const;

/** Parts of tag 1223. */
const agentParts: readonly FiscalTagRow[] = [
  carried(1044, "операция платёжного агента", text(24), agentKey("operation", "paying_agent.operation")),
  carried(1073, "телефон платёжного агента", text(19), agentKey("agentPhones", "paying_agent.phones")),
  carried(
    1074,
    "телефон оператора по приёму платежей",
    text(19),
    agentKey("operatorPhones", "receive_payments_operator.phones"),
  ),
  carried(1075, "телефон оператора перевода", text(19), agentKey("transferPhones", "money_transfer_operator.phones")),
  carried(1026, "наименование оператора перевода", text(64), agentKey("transferName", "money_transfer_operator.name")),
  carried(1005, "адрес оператора перевода", text(256), agentKey("transferAddress", "money_transfer_operator.address")),
  carried(1016, "ИНН оператора перевода", text(12), agentKey("transferInn", "money_transfer_operator.inn")),
];

function agentKey(own: string, cloud: string): Omit<CarriedTag, "kind"> {
  return {
    own: `item.agentData.${own}`,
    cloud: `items[].agent_info.${cloud}`,
    builder: `item.agent.data.${own}`,
    delivery: null,
  };
}

function buyerKey(own: string, cloud: string, option: string, since12 = true): Omit<CarriedTag, "kind"> {
  return {
    own: `root.${own}`,
    cloud: `client.${cloud}`,
    builder: `buyer.${option}`,
    delivery: null,
    ...(since12 ? { since12 } : {}),
  };
}

function itemKey(
  own: string,
  cloud: string | null,
  builder: string,
  delivery: string | null,
  more: Partial<CarriedTag> = {},
): Omit<CarriedTag, "kind"> {
  return {
    own: `item.${own}`,
    cloud: cloud === null ? null : `items[].${cloud}`,
    builder: `item.${builder}`,
    delivery,
    ...more,
  };
}

const paid = "the register's own payment kinds: `typeClose`, `payments[].type`";

export const fiscalTags: readonly FiscalTagRow[] = [
  carried(1008, "телефон или e-mail покупателя", text(64), {
    ...{ own: "root.clientContact", cloud: "client.email", builder: "contact", delivery: "client.email, phone" },
  }),
  carried(1021, "кассир", text(64), {
    ...{ own: "root.cashierName", cloud: "cashier", builder: "cashier.name", delivery: null },
  }),
  carried(1203, "ИНН кассира", text(12), {
    ...{ own: "root.cashierINN", cloud: "cashier_inn", builder: "cashier.inn", delivery: null },
  }),
  carried(1055, "система налогообложения", byte, {
    ...{ own: "root.taxSystem", cloud: "company.sno", builder: "taxSystem", delivery: "company.taxSystem" },
  }),
  carried(1192, "дополнительный реквизит чека", text(16), {
    ...{ own: "root.additionalCheckProps", cloud: "additional_check_props", builder: "additionalCheckProps" },
    delivery: null,
  }),
  carried(1084, "дополнительный реквизит пользователя", ["container", null], {
    ...{ own: "root.additionalUserProps", cloud: "additional_user_props", builder: "additionalUserProps" },
    delivery: null,
  }),
  carried(1227, "покупатель", text(256), buyerKey("buyerName", "name", "name", false)),
  carried(1228, "ИНН покупателя", text(12), buyerKey("buyerINN", "inn", "inn", false)),
  carried(1243, "дата рождения покупателя", text(10), buyerKey("buyerBirthDate", "birthdate", "birthDate")),
  carried(1244, "гражданство", text(3), buyerKey("buyerCitizenship", "citizenship", "citizenship")),
  carried(1245, "код вида документа", text(2), buyerKey("buyerDocumentCode", "document_code", "documentCode")),
  carried(1246, "данные документа", text(64), buyerKey("buyerDocumentData", "document_data", "documentData")),
  carried(1254, "адрес покупателя", text(256), buyerKey("buyerAddress", "address", "address")),
  carried(1270, "операционный реквизит чека", ["container", null], {
    ...{ own: "root.operatingCheckProps", cloud: "operating_check_props", builder: "operatingCheckProps" },
    ...{ delivery: null, since12: true, refusedBy: ["pirit"] },
  }),
  // The position.
  carried(1212, "предмет расчёта", byte, itemKey("itemType", "payment_object", "subject", "good.calcId")),
  carried(1214, "способ расчёта", byte, itemKey("paymentMode", "payment_method", "method", null)),
  carried(1222, "признак агента", byte, itemKey("agentType", "agent_info.type", "agent.type", "supplierId")),
  ...agentParts,
  carried(
    1225,
    "поставщик",
    text(256),
    itemKey("supplierName", "supplier_info.name", "agent.supplierName", "supplier.title"),
  ),
  carried(
    1171,
    "телефон поставщика",
    text(19),
    itemKey("supplierPhone", "supplier_info.phones", "agent.supplierPhones", "supplier.phone"),
  ),
  carried(
    1226,
    "ИНН поставщика",
    text(12),
    itemKey("supplierInn", "supplier_info.inn", "agent.supplierInn", "supplier.inn"),
  ),
  carried(
    1162,
    "код товара",
    ["bytes", 32],
    itemKey("goodsCode", "nomenclature_code", "goodsCode", "goods[].vedCode", { until11: true }),
  ),
  carried(
    1163,
    "код маркировки",
    ["bytes", 256],
    itemKey("markingCode", "mark_code.gs1m", "markingCode", "goods[].markValue", { since12: true }),
  ),
  carried(
    1191,
    "дополнительный реквизит предмета расчёта",
    text(64),
    itemKey("additionalProps", "user_data", "additionalProps", null),
  ),
  carried(
    1197,
    "единица измерения",
    text(16),
    itemKey("unit", "measurement_unit", "unit", "goods[].unit", { until11: true }),
  ),
  carried(2108, "мера количества", byte, itemKey("measure", "measure", "measure", "goods[].unit", { since12: true })),
  carried(1229, "акциз", money, itemKey("excise", "excise", "excise", null)),
  carried(
    1230,
    "страна происхождения",
    text(3),
    itemKey("countryCode", "country_code", "countryCode", "goods[].countryCode"),
  ),
  carried(
    1231,
    "номер таможенной декларации",
    text(32),
    itemKey("customDeclarationCode", "declaration_number", "customsDeclaration", "goods[].customDeclarationCode"),
  ),
  carried(
    1260,
    "отраслевой реквизит предмета расчёта",
    ["container", null],
    itemKey("industryProps", "sectoral_item_props", "industryProps", null, { since12: true }),
  ),
  // Refused with a reason.
  refused(
    1261,
    "отраслевой реквизит чека",
    "container",
    "receipt.sectoral_check_props",
    "is sent with the position that it is about",
  ),
  refused(
    1291,
    "дробное количество маркированного товара",
    "container",
    "items[].mark_quantity",
    "a part of a marked piece cannot be sold",
  ),
  refused(1057, "признак агента чека", "byte", "receipt.agent_info", "is sent with the positions that it is about"),
  refused(1173, "тип коррекции", "byte", "correction", "corrections are made by a person on the register"),
  refused(
    1174,
    "основание для коррекции",
    "container",
    "correction",
    "corrections are made by a person on the register",
  ),
  refused(
    1234,
    "сведения об оплате безналичными",
    "container",
    "receipt.cashless_payments",
    "optional, and its filling is not decided yet",
  ),
  // What the register makes, has from its registration, or gets by the form of the order itself.
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
  byRegister(1036, "номер автомата", "text"),
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
  byRegister(1117, "e-mail отправителя чека", "text"),
  byRegister(1125, "расчёты в интернете: `isInternetPayment`, `receipt.internet`", "byte"),
  byRegister(1187, "место расчётов: `internetPaymentUrl`, `paymentPlace`, `company.payment_address`", "text"),
  byRegister(1198, "НДС за единицу", "money"),
  byRegister(1199, "ставка НДС: `tax`, `vat`", "byte"),
  byRegister(1200, "НДС предмета расчёта", "money"),
  byRegister(1209, "версия ФФД", "byte"),
  byRegister(2102, "режим обработки кода маркировки", "byte"),
  byRegister(2106, "результат проверки кода маркировки", "byte"),
  byRegister(2115, "контрольный код кода маркировки", "text"),
];

/** `docs/FISCAL-TAGS.md`, by `npm run docs`. */
export function fiscalTagsPage(): string {
  const rows = fiscalTags.map(({ tag, name, type, max, fate }) => {
    const length = max === null ? type : `${type} ${max}`;
    return `| ${tag} | ${name} | ${length} | ${cellsOf(fate).join(" | ")} |`;
  });
  return [
    "# Tags of a receipt",
    "",
    "Made from `shared/receipt/fiscal-tags.ts` by `npm run docs`. A key with a fiscal meaning is carried into the",
    "document, or refused with its reason; it is never dropped. A task table takes the cloud keys too: at its root, on its",
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
