/**
 * The tables of the delivery API's document as data, with its names. The OpenAPI document is compared with them.
 * `id` = numeric id, number or string; `sum` = roubles or a quantity: a number, in requests its decimal text too;
 * `flag` = 1 or 0, in requests also true and "1".
 */
const types = ["id", "string", "number", "sum", "flag", "boolean", "object", "array", "any"] as const;
export type SpecType = (typeof types)[number];
export type SpecTable = Readonly<Record<string, SpecType>>;

export interface RequestTable {
  readonly required: SpecTable;
  readonly optional: SpecTable;
}

/** Field names, separated by blanks, for each type. */
function of(fields: { readonly [Type in SpecType]?: string }): SpecTable {
  const table: Record<string, SpecType> = {};
  for (const type of types) for (const name of fields[type]?.split(" ") ?? []) table[name] = type;
  return table;
}

const placeOfClient: SpecTable = of({ string: "postindex city street home apartment latitude longitude" });
const address: SpecTable = { ...placeOfClient, ...of({ any: "isUseExternalGeo" }) };

const warehouse: SpecTable = of({
  id: "warehouseId",
  string: "title firstname lastname phone city street house apartment latitude longitude description updatedAt",
  flag: "isActive",
});

const specificity: SpecTable = of({
  id: "specificityId parentId",
  string: "title value imageUrl imageBigUrl article",
  number: "price",
  flag: "isActive",
});

const buyer: SpecTable = of({ string: "firstname lastname email inn" });

const order: SpecTable = of({
  id: "orderId returnReasonId courierId clientId supplierId paymentId returnedOrderId originalPaymentId frUsedPaymentId",
  string: "codeAlias internetPaymentUrl phone deliveryTimeFrom deliveryTimeTo description addressFrom addressTo",
  flag: "isInternetPayment",
  number: "statusId deliveryStatusId amountToPay prePaymentSum cash receiptStatusId frReceiptStatusId",
  boolean: "isAgreed isRefund isReturned isEdited",
  object: "client addressFromEntity addressToEntity returnedOrder",
  array: "goods payments",
});

const orderItem: SpecTable = of({
  id: "goodId taxId parentId returnReasonId",
  number: "count price total discountTotal position weight calcId multiplicity",
  string:
    "unit vedCode countryCode customDeclarationCode markValue markBinaryValue description title article imageUrl imageBigUrl",
  array: "warehouses specificities canceledItems",
  flag: "isActive",
});

const period: SpecTable = of({ id: "returnReasonId", number: "count", string: "createdAt" });

const logFields: SpecTable = of({ id: "courierId orderId", string: "errorCode errorText serialNumber amount" });

/** By schema and field; an array stands for its elements. */
export const responseTables: Readonly<Record<string, SpecTable>> = {
  Order: order,
  OrderItem: orderItem,
  AddressView: address,
  Payment: of({ string: "paymentId paymentTypeId paidIn cardMask rrn cardAuth", number: "price" }),
  ReturnedOrder: of({
    id: "returnedOrderId returnReasonId",
    string: "createdAt",
    array: "returnedPayments returnedGoods",
  }),
  Location: of({
    id: "orderId returnReasonId courierId",
    number: "deliveryStatusId orderStatusId accuracy",
    string: "longitude latitude createdAt",
  }),
  DeliveryStatusChange: of({
    number: "statusId accuracy",
    id: "returnReasonId",
    string: "longitude latitude createdAt",
  }),
  JournalRecord: of({ string: "event source courierId createdAt", object: "beforeItem afterItem" }),
  // `fiscalDocument` is our own extension of the API.
  JournalItem: of({
    number: "statusId deliveryStatusId frReceiptStatusId amountToPay",
    boolean: "isAgreed isReturned isEdited isRefund",
    id: "returnReasonId courierId clientId supplierId paymentId",
    string: "phone deliveryTimeFrom deliveryTimeTo description",
    object: "client addressToEntity fiscalDocument",
  }),
  OrderReceipt: of({
    id: "orderId",
    string: "serialNumber shiftNumber fn fdNumber receiptNumber fiscalSign dateTimeReceipt",
  }),
  CorrectionReceipt: of({ id: "correctionReceiptId", string: "courierId serialNumber amount commandExecutedAt" }),
  BankTerminalLog: {
    ...logFields,
    ...of({ id: "terminalLogId", string: "cardNumber paymentSystem transactionCreatedAt" }),
  },
  FiscalRegistratorLog: { ...logFields, ...of({ id: "frId", string: "commandExecutedAt" }) },
  OnlineSettings: of({ id: "settingId isProduction", string: "login kktGroup", object: "company agent" }),
  PrintServerSettings: of({ string: "url" }),
  Good: of({
    id: "goodId parentId taxId",
    string: "article title unit weight description imageUrl imageBigUrl",
    number: "calcId multiplicity price",
    array: "warehouses",
    flag: "isActive",
  }),
  Specificity: specificity,
  Warehouse: warehouse,
  Courier: of({ id: "courierId roleId", string: "title email phone inn updatedAt" }),
  Role: of({ id: "roleId", string: "title", flag: "isActive" }),
  AccessSetting: of({ id: "roleId", string: "actionId roleTitle isAllowed description updatedAt" }),
  Client: of({
    id: "clientId",
    string: "title firstname lastname birthday inn phone email description updatedAt",
    object: "addressEntity",
  }),
  Supplier: of({ id: "supplierId taxId", string: "title inn phone address description" }),
  CancellationReason: of({ id: "reasonId", string: "title type" }),
  PaymentType: of({ id: "paymentTypeId closeTypeId", string: "title" }),
  TaxRate: of({ id: "taxId", string: "title" }),
  LicenseList: of({ number: "licenseUse licenseTotal", array: "licenses" }),
  Callback: of({ string: "url", flag: "isActive" }),
  OrderCallback: of({ array: "items" }),
  SessionCallback: of({
    number: "sessionId",
    id: "courierId",
    string: "deviceId deviceTitle sessionStartAt sessionFinishAt",
  }),
  Error: of({ boolean: "error", string: "message" }),
  "Order.client": buyer,
  "JournalItem.client": buyer,
  "OrderItem.canceledItems": period,
  "OrderItem.warehouses": { ...warehouse, ...of({ number: "count tookCount" }) },
  "OrderItem.specificities": { ...specificity, ...of({ number: "count" }) },
  "ReturnedOrder.returnedPayments": of({ string: "paymentId paymentTypeId createdAt", number: "sum" }),
  "ReturnedOrder.returnedGoods": { ...period, ...of({ id: "goodId", number: "sum" }) },
  "Good.warehouses": of({ string: "warehouseId", number: "count" }),
  "Client.addressEntity": placeOfClient,
  "LicenseList.licenses": of({ id: "courierId", string: "deviceId deviceTitle sessionStartAt" }),
  "OnlineSettings.company": of({ string: "inn taxSystem" }),
  "OnlineSettings.agent": of({ string: "type" }),
};

/** Allowed values by schema and field. */
export const enumerations: Readonly<Record<string, readonly (string | number)[]>> = {
  "Order.statusId": [0, 1],
  "JournalRecord.event": ["create", "update"],
  "OnlineSettings.company.taxSystem": ["osn", "usn_income", "usn_income_outcome", "envd", "esn", "patent"],
  "OnlineSettings.agent.type": [
    "bank_paying_agent",
    "bank_paying_subagent",
    "paying_agent",
    "paying_subagent",
    "attorney",
    "commission_agent",
    "another",
  ],
};

/** Fields of the dictionaries' elements. The document shows the first dictionary, 54-fz 15 decides the others. */
export const dictionaryTables: Readonly<Record<string, SpecTable>> = {
  orderStatuses: of({ number: "statusId", string: "title" }),
  orderDeliveryStatuses: of({ number: "statusId", string: "title" }),
  closeTypes: of({ number: "closeTypeId", string: "title" }),
  taxTypes: of({ number: "taxTypeId", string: "title" }),
  goodCalcTypes: of({ number: "calcId", string: "title" }),
  permissions: of({ string: "actionId description" }),
};

/** By schema and field: required and optional fields of an element. */
export const requestTables: Readonly<Record<string, RequestTable>> = {
  OrderCreate: {
    required: of({
      id: "orderId courierId paymentId",
      number: "statusId deliveryStatusId",
      sum: "amountToPay",
      string: "deliveryTimeFrom deliveryTimeTo",
    }),
    optional: of({
      string: "codeAlias internetPaymentUrl addressFrom addressTo phone description",
      flag: "isInternetPayment isAgreed isRefund",
      id: "returnReasonId clientId supplierId returnedOrderId",
      object: "client addressFromEntity addressToEntity",
      sum: "prePaymentSum cash",
      array: "goods payments",
    }),
  },
  OrderItemRequest: {
    required: of({ sum: "count total discountTotal", number: "price" }),
    optional: of({
      id: "goodId taxId",
      number: "position weight",
      string: "unit vedCode countryCode customDeclarationCode markValue markBinaryValue description",
      array: "warehouses specificities",
    }),
  },
  Address: {
    required: of({ string: "city street home", any: "isUseExternalGeo" }),
    optional: of({ string: "postindex apartment latitude longitude" }),
  },
  PaymentRequest: {
    required: of({ id: "paymentId paymentTypeId", sum: "price", string: "paidIn" }),
    optional: of({ string: "cardMask rrn cardAuth" }),
  },
  MultipleUpdate: { required: of({ array: "orderIds", object: "attributes" }), optional: {} },
  CallbackRequest: { required: of({ flag: "isActive" }), optional: of({ string: "url" }) },
  AccessSettingRequest: { required: of({ id: "roleId", string: "actionId", flag: "isAllowed" }), optional: {} },
  "OrderCreate.client": { required: {}, optional: of({ string: "firstname lastname email" }) },
  "OrderItemRequest.warehouses": { required: of({ id: "warehouseId", sum: "count" }), optional: {} },
  "OrderItemRequest.specificities": { required: of({ id: "specificityId", sum: "price count" }), optional: {} },
  "MultipleUpdate.attributes": {
    required: {},
    optional: of({
      number: "statusId deliveryStatusId",
      id: "returnReasonId courierId",
      string: "addressTo deliveryTimeFrom deliveryTimeTo",
    }),
  },
  OnlineSettingsRequest: {
    required: of({ id: "settingId", flag: "isProduction", string: "login password", object: "company" }),
    optional: of({ string: "kktGroup", object: "agent" }),
  },
  "OnlineSettingsRequest.company": { required: of({ string: "inn taxSystem" }), optional: {} },
  "OnlineSettingsRequest.agent": { required: of({ string: "type" }), optional: {} },
};

export const catalogRequests: Readonly<Record<string, RequestTable>> = {
  goods: {
    required: of({ id: "goodId parentId taxId", string: "title", sum: "price" }),
    optional: of({
      string: "article unit weight description imageUrl imageBigUrl",
      number: "calcId",
      sum: "multiplicity",
      array: "warehouses",
      flag: "isActive",
    }),
  },
  specificities: {
    required: of({ id: "specificityId parentId", string: "title", sum: "price" }),
    optional: of({ string: "value imageUrl imageBigUrl article", flag: "isActive" }),
  },
  warehouses: {
    required: of({ id: "warehouseId", string: "title" }),
    optional: of({
      string: "firstname lastname phone city street house apartment latitude longitude description",
      flag: "isActive",
    }),
  },
  couriers: {
    required: of({ id: "courierId", string: "title" }),
    optional: of({ string: "email phone sourcePassword inn", id: "roleId" }),
  },
  userRoles: { required: of({ id: "roleId", string: "title" }), optional: of({ flag: "isActive" }) },
  clients: {
    required: of({ id: "clientId" }),
    optional: of({ string: "title firstname lastname birthday inn phone email description", object: "addressEntity" }),
  },
  suppliers: {
    required: of({ id: "supplierId", string: "title" }),
    optional: of({ id: "taxId", string: "inn phone address description" }),
  },
  orderReturnReasons: { required: of({ id: "reasonId", string: "title" }), optional: of({ string: "type" }) },
  paymentTypes: { required: of({ id: "paymentTypeId", string: "title" }), optional: of({ id: "closeTypeId" }) },
  taxes: { required: of({ id: "taxId", string: "title" }), optional: {} },
};

export const nestedCatalogRequests: Readonly<Record<string, RequestTable>> = {
  "goods.warehouses": { required: of({ id: "warehouseId", sum: "count" }), optional: {} },
  "clients.addressEntity": {
    required: {},
    optional: of({ string: "postindex city street home apartment latitude longitude" }),
  },
};

interface Fields {
  readonly required: readonly string[];
  readonly optional: readonly string[];
}

const catalogIds = {
  goods: "goodId",
  specificities: "specificityId",
  warehouses: "warehouseId",
  couriers: "courierId",
  userRoles: "roleId",
  clients: "clientId",
  suppliers: "supplierId",
  orderReturnReasons: "reasonId",
  paymentTypes: "paymentTypeId",
  taxes: "taxId",
};

/** Parameters of the address, by method and path. */
export const parameters: Readonly<Record<string, Fields>> = {
  "get /locations": { required: ["courierId", "page", "count"], optional: ["createdAt"] },
  "get /orderReceipts": { required: ["orderId"], optional: [] },
  "get /orderReturnReceipts": { required: ["orderId"], optional: [] },
  "get /orderAccounts": { required: ["orderId"], optional: [] },
  "get /correctionReceipts": { required: ["page", "count"], optional: ["courierId", "orderId"] },
  "get /bankTerminalLogs": { required: [], optional: ["orderId", "courierId", "page", "count"] },
  "get /fiscalRegistratorLogs": { required: [], optional: ["orderId", "courierId", "page", "count"] },
  "get /permissions": { required: [], optional: ["roleId", "permissionId"] },
  "post /licenses/close": { required: ["deviceId"], optional: [] },
  // `isRefund` is our own extension: a sale and its refund may share an id.
  "post /orders": { required: [], optional: ["isRefund"] },
  "get /journal": { required: ["entityId", "page", "count"], optional: ["startedAt", "isRefund"] },
  "get /orders/journalStatuses": { required: ["orderId"], optional: ["isRefund"] },
  "put /orders": { required: ["orderId"], optional: ["isRefund"] },
  "delete /orders": { required: ["orderId"], optional: ["isRefund"] },
  ...Object.fromEntries(
    Object.entries(catalogIds).flatMap(([kind, id]) => [
      [`get /${kind}`, { required: [], optional: [id, "page", "count"] }],
      [`put /${kind}`, { required: [id], optional: [] }],
      [`delete /${kind}`, { required: [id], optional: [] }],
    ]),
  ),
};

/** Method, path and status of success of each row of the endpoint tables. */
export const endpointRows: readonly (readonly [method: string, path: string, success: number])[] = [
  ["get", "/locations", 200],
  ["post", "/orders", 201],
  ["get", "/orders", 200],
  ["put", "/orders", 201],
  ["put", "/orders/multipleUpdate", 204],
  ["post", "/orders/replace", 201],
  ["delete", "/orders", 204],
  ["post", "/orders/callback", 201],
  ["get", "/orders/journalStatuses", 200],
  ["get", "/journal", 200],
  ["get", "/orderReceipts", 200],
  ["get", "/orderReturnReceipts", 200],
  ["get", "/correctionReceipts", 200],
  ["get", "/bankTerminalLogs", 200],
  ["get", "/fiscalRegistratorLogs", 200],
  ["post", "/partnerOnlineSettings/replace", 201],
  ["get", "/printServerSettings", 200],
  ...Object.keys(catalogIds).flatMap(
    (kind) =>
      [
        ["get", `/${kind}`, 200],
        ["post", `/${kind}`, 201],
        ["put", `/${kind}`, 204],
        ["post", `/${kind}/replace`, 204],
        ["delete", `/${kind}`, 204],
      ] as const,
  ),
  ["get", "/permissions", 200],
  ["post", "/permissions/replace", 204],
  ["get", "/licenses", 200],
  ["post", "/licenses/close", 204],
  ["post", "/licenses/callback", 201],
  ...["orderStatuses", "orderDeliveryStatuses", "closeTypes", "taxTypes", "goodCalcTypes", "permissions"].map(
    (name) => ["get", `/dictionary/${name}`, 200] as const,
  ),
];

/** Our own extension of the API. */
export const ownRows: typeof endpointRows = [["get", "/orderAccounts", 200]];

/** The document's chapter "List paging" for the ten resources. */
export const listPaging: Readonly<Record<string, "page, count" | "none">> = {
  goods: "page, count",
  specificities: "page, count",
  warehouses: "page, count",
  couriers: "none",
  userRoles: "none",
  clients: "none",
  suppliers: "page, count",
  orderReturnReasons: "none",
  paymentTypes: "none",
  taxes: "none",
};
