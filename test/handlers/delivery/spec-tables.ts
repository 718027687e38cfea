/**
 * The tables of the delivery API's document as data: what the OpenAPI document is held against. Names are spelt as there.
 * `id` = numeric id, number or string; `sum` = roubles or a quantity: a number, in requests its decimal text too;
 * `flag` = 1 or 0, in requests also true and "1".
 */
export type SpecType = "id" | "string" | "number" | "sum" | "flag" | "boolean" | "object" | "array" | "any";
export type SpecTable = Readonly<Record<string, SpecType>>;

export interface RequestTable {
  readonly required: SpecTable;
  readonly optional: SpecTable;
}

const placeOfClient: SpecTable = {
  postindex: "string",
  city: "string",
  street: "string",
  home: "string",
  apartment: "string",
  latitude: "string",
  longitude: "string",
};
const address: SpecTable = { ...placeOfClient, isUseExternalGeo: "any" };

const warehouse: SpecTable = {
  warehouseId: "id",
  title: "string",
  firstname: "string",
  lastname: "string",
  phone: "string",
  city: "string",
  street: "string",
  house: "string",
  apartment: "string",
  latitude: "string",
  longitude: "string",
  description: "string",
  updatedAt: "string",
  isActive: "flag",
};

const specificity: SpecTable = {
  specificityId: "id",
  parentId: "id",
  title: "string",
  value: "string",
  price: "number",
  imageUrl: "string",
  imageBigUrl: "string",
  article: "string",
  isActive: "flag",
};

const buyer: SpecTable = { firstname: "string", lastname: "string", email: "string", inn: "string" };

const order: SpecTable = {
  orderId: "id",
  codeAlias: "string",
  isInternetPayment: "flag",
  internetPaymentUrl: "string",
  statusId: "number",
  deliveryStatusId: "number",
  isAgreed: "boolean",
  returnReasonId: "id",
  courierId: "id",
  clientId: "id",
  supplierId: "id",
  client: "object",
  paymentId: "id",
  amountToPay: "number",
  prePaymentSum: "number",
  cash: "number",
  addressFromEntity: "object",
  addressToEntity: "object",
  phone: "string",
  deliveryTimeFrom: "string",
  deliveryTimeTo: "string",
  description: "string",
  goods: "array",
  isRefund: "boolean",
  returnedOrderId: "id",
  payments: "array",
  receiptStatusId: "number",
  frReceiptStatusId: "number",
  originalPaymentId: "id",
  frUsedPaymentId: "id",
  addressFrom: "string",
  addressTo: "string",
  isReturned: "boolean",
  isEdited: "boolean",
  returnedOrder: "object",
};

const orderItem: SpecTable = {
  goodId: "id",
  count: "number",
  price: "number",
  total: "number",
  discountTotal: "number",
  taxId: "id",
  position: "number",
  unit: "string",
  vedCode: "string",
  countryCode: "string",
  customDeclarationCode: "string",
  markValue: "string",
  markBinaryValue: "string",
  weight: "number",
  description: "string",
  warehouses: "array",
  specificities: "array",
  title: "string",
  article: "string",
  calcId: "number",
  multiplicity: "number",
  imageUrl: "string",
  imageBigUrl: "string",
  isActive: "flag",
  parentId: "id",
  returnReasonId: "id",
  canceledItems: "array",
};

const period: SpecTable = { returnReasonId: "id", count: "number", createdAt: "string" };

const logFields: SpecTable = {
  courierId: "id",
  errorCode: "string",
  errorText: "string",
  serialNumber: "string",
  amount: "string",
  orderId: "id",
};

/** By the name of the schema in the document, and by its field; an array stands for its elements. */
export const responseTables: Readonly<Record<string, SpecTable>> = {
  Order: order,
  OrderItem: orderItem,
  AddressView: address,
  Payment: {
    paymentId: "string",
    paymentTypeId: "string",
    price: "number",
    paidIn: "string",
    cardMask: "string",
    rrn: "string",
    cardAuth: "string",
  },
  ReturnedOrder: {
    returnedOrderId: "id",
    returnReasonId: "id",
    createdAt: "string",
    returnedPayments: "array",
    returnedGoods: "array",
  },
  Location: {
    orderId: "id",
    deliveryStatusId: "number",
    returnReasonId: "id",
    orderStatusId: "number",
    courierId: "id",
    longitude: "string",
    latitude: "string",
    accuracy: "number",
    createdAt: "string",
  },
  DeliveryStatusChange: {
    statusId: "number",
    returnReasonId: "id",
    longitude: "string",
    latitude: "string",
    accuracy: "number",
    createdAt: "string",
  },
  JournalRecord: {
    event: "string",
    source: "string",
    courierId: "string",
    createdAt: "string",
    beforeItem: "object",
    afterItem: "object",
  },
  JournalItem: {
    statusId: "number",
    deliveryStatusId: "number",
    isAgreed: "boolean",
    returnReasonId: "id",
    frReceiptStatusId: "number",
    courierId: "id",
    clientId: "id",
    supplierId: "id",
    paymentId: "id",
    amountToPay: "number",
    phone: "string",
    deliveryTimeFrom: "string",
    deliveryTimeTo: "string",
    client: "object",
    addressToEntity: "object",
    isReturned: "boolean",
    isEdited: "boolean",
    isRefund: "boolean",
    description: "string",
    // Our own extension of the API.
    fiscalDocument: "object",
  },
  OrderReceipt: {
    orderId: "id",
    serialNumber: "string",
    shiftNumber: "string",
    fn: "string",
    fdNumber: "string",
    receiptNumber: "string",
    fiscalSign: "string",
    dateTimeReceipt: "string",
  },
  CorrectionReceipt: {
    correctionReceiptId: "id",
    courierId: "string",
    serialNumber: "string",
    amount: "string",
    commandExecutedAt: "string",
  },
  BankTerminalLog: {
    terminalLogId: "id",
    ...logFields,
    cardNumber: "string",
    paymentSystem: "string",
    transactionCreatedAt: "string",
  },
  FiscalRegistratorLog: { frId: "id", ...logFields, commandExecutedAt: "string" },
  OnlineSettings: {
    settingId: "id",
    login: "string",
    kktGroup: "string",
    isProduction: "id",
    company: "object",
    agent: "object",
  },
  PrintServerSettings: { url: "string" },
  Good: {
    goodId: "id",
    article: "string",
    parentId: "id",
    taxId: "id",
    calcId: "number",
    title: "string",
    unit: "string",
    weight: "string",
    multiplicity: "number",
    price: "number",
    description: "string",
    imageUrl: "string",
    imageBigUrl: "string",
    warehouses: "array",
    isActive: "flag",
  },
  Specificity: specificity,
  Warehouse: warehouse,
  Courier: {
    courierId: "id",
    title: "string",
    email: "string",
    phone: "string",
    roleId: "id",
    inn: "string",
    updatedAt: "string",
  },
  Role: { roleId: "id", title: "string", isActive: "flag" },
  AccessSetting: {
    roleId: "id",
    actionId: "string",
    roleTitle: "string",
    isAllowed: "string",
    description: "string",
    updatedAt: "string",
  },
  Client: {
    clientId: "id",
    title: "string",
    firstname: "string",
    lastname: "string",
    birthday: "string",
    addressEntity: "object",
    inn: "string",
    phone: "string",
    email: "string",
    description: "string",
    updatedAt: "string",
  },
  Supplier: {
    supplierId: "id",
    title: "string",
    taxId: "id",
    inn: "string",
    phone: "string",
    address: "string",
    description: "string",
  },
  CancellationReason: { reasonId: "id", title: "string", type: "string" },
  PaymentType: { paymentTypeId: "id", title: "string", closeTypeId: "id" },
  TaxRate: { taxId: "id", title: "string" },
  LicenseList: { licenseUse: "number", licenseTotal: "number", licenses: "array" },
  Callback: { url: "string", isActive: "flag" },
  OrderCallback: { items: "array" },
  SessionCallback: {
    sessionId: "number",
    courierId: "id",
    deviceId: "string",
    deviceTitle: "string",
    sessionStartAt: "string",
    sessionFinishAt: "string",
  },
  Error: { error: "boolean", message: "string" },
  "Order.client": buyer,
  "JournalItem.client": buyer,
  "OrderItem.canceledItems": period,
  "OrderItem.warehouses": { ...warehouse, count: "number", tookCount: "number" },
  "OrderItem.specificities": { ...specificity, count: "number" },
  "ReturnedOrder.returnedPayments": {
    paymentId: "string",
    paymentTypeId: "string",
    sum: "number",
    createdAt: "string",
  },
  "ReturnedOrder.returnedGoods": { goodId: "id", sum: "number", ...period },
  "Good.warehouses": { warehouseId: "string", count: "number" },
  "Client.addressEntity": placeOfClient,
  "LicenseList.licenses": {
    courierId: "id",
    deviceId: "string",
    deviceTitle: "string",
    sessionStartAt: "string",
  },
  "OnlineSettings.company": { inn: "string", taxSystem: "string" },
  "OnlineSettings.agent": { type: "string" },
};

/** Values of the closed lists, by schema and field. */
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

/** Elements of the dictionaries; the document shows the first, 54-fz 15 decides the others. */
export const dictionaryTables: Readonly<Record<string, SpecTable>> = {
  orderStatuses: { statusId: "number", title: "string" },
  orderDeliveryStatuses: { statusId: "number", title: "string" },
  closeTypes: { closeTypeId: "number", title: "string" },
  taxTypes: { taxTypeId: "number", title: "string" },
  goodCalcTypes: { calcId: "number", title: "string" },
  permissions: { actionId: "string", description: "string" },
};

/** Requests by the name of their schema, and by its field: what an element has to have, and what it may have. */
export const requestTables: Readonly<Record<string, RequestTable>> = {
  OrderCreate: {
    required: {
      orderId: "id",
      statusId: "id",
      deliveryStatusId: "id",
      courierId: "id",
      paymentId: "id",
      amountToPay: "sum",
      deliveryTimeFrom: "string",
      deliveryTimeTo: "string",
    },
    optional: {
      codeAlias: "string",
      isInternetPayment: "flag",
      internetPaymentUrl: "string",
      isAgreed: "flag",
      returnReasonId: "id",
      clientId: "id",
      supplierId: "id",
      client: "object",
      prePaymentSum: "sum",
      cash: "sum",
      addressFrom: "string",
      addressTo: "string",
      addressFromEntity: "object",
      addressToEntity: "object",
      phone: "string",
      description: "string",
      goods: "array",
      isRefund: "flag",
      payments: "array",
      returnedOrderId: "id",
    },
  },
  OrderItemRequest: {
    required: { count: "sum", price: "number", total: "sum", discountTotal: "sum" },
    optional: {
      goodId: "id",
      taxId: "id",
      position: "number",
      unit: "string",
      vedCode: "string",
      countryCode: "string",
      customDeclarationCode: "string",
      markValue: "string",
      markBinaryValue: "string",
      weight: "number",
      description: "string",
      warehouses: "array",
      specificities: "array",
    },
  },
  Address: {
    required: { city: "string", street: "string", home: "string", isUseExternalGeo: "any" },
    optional: { postindex: "string", apartment: "string", latitude: "string", longitude: "string" },
  },
  PaymentRequest: {
    required: { paymentId: "id", paymentTypeId: "id", price: "sum", paidIn: "string" },
    optional: { cardMask: "string", rrn: "string", cardAuth: "string" },
  },
  MultipleUpdate: { required: { orderIds: "array", attributes: "object" }, optional: {} },
  CallbackRequest: { required: { isActive: "flag" }, optional: { url: "string" } },
  AccessSettingRequest: { required: { roleId: "id", actionId: "string", isAllowed: "flag" }, optional: {} },
  "OrderCreate.client": { required: {}, optional: { firstname: "string", lastname: "string", email: "string" } },
  "OrderItemRequest.warehouses": { required: { warehouseId: "id", count: "sum" }, optional: {} },
  "OrderItemRequest.specificities": { required: { specificityId: "id", price: "sum", count: "sum" }, optional: {} },
  "MultipleUpdate.attributes": {
    required: {},
    optional: {
      statusId: "id",
      deliveryStatusId: "id",
      returnReasonId: "id",
      courierId: "id",
      addressTo: "string",
      deliveryTimeFrom: "string",
      deliveryTimeTo: "string",
    },
  },
  OnlineSettingsRequest: {
    required: { settingId: "id", login: "string", password: "string", isProduction: "id", company: "object" },
    optional: { kktGroup: "string", agent: "object" },
  },
  "OnlineSettingsRequest.company": { required: { inn: "string", taxSystem: "string" }, optional: {} },
  "OnlineSettingsRequest.agent": { required: { type: "string" }, optional: {} },
};

/** One element of a creation in the catalog. */
export const catalogRequests: Readonly<Record<string, RequestTable>> = {
  goods: {
    required: { goodId: "id", parentId: "id", taxId: "id", title: "string", price: "sum" },
    optional: {
      article: "string",
      calcId: "id",
      unit: "string",
      weight: "string",
      multiplicity: "sum",
      description: "string",
      imageUrl: "string",
      imageBigUrl: "string",
      warehouses: "array",
      isActive: "flag",
    },
  },
  specificities: {
    required: { specificityId: "id", parentId: "id", title: "string", price: "sum" },
    optional: { value: "string", imageUrl: "string", imageBigUrl: "string", article: "string", isActive: "flag" },
  },
  warehouses: {
    required: { warehouseId: "id", title: "string" },
    optional: {
      firstname: "string",
      lastname: "string",
      phone: "string",
      city: "string",
      street: "string",
      house: "string",
      apartment: "string",
      latitude: "string",
      longitude: "string",
      description: "string",
      isActive: "flag",
    },
  },
  couriers: {
    required: { courierId: "id", title: "string" },
    optional: { email: "string", phone: "string", roleId: "id", sourcePassword: "string", inn: "string" },
  },
  userRoles: { required: { roleId: "id", title: "string" }, optional: { isActive: "flag" } },
  clients: {
    required: { clientId: "id" },
    optional: {
      title: "string",
      firstname: "string",
      lastname: "string",
      birthday: "string",
      addressEntity: "object",
      inn: "string",
      phone: "string",
      email: "string",
      description: "string",
    },
  },
  suppliers: {
    required: { supplierId: "id", title: "string" },
    optional: { taxId: "id", inn: "string", phone: "string", address: "string", description: "string" },
  },
  orderReturnReasons: { required: { reasonId: "id", title: "string" }, optional: { type: "string" } },
  paymentTypes: { required: { paymentTypeId: "id", title: "string" }, optional: { closeTypeId: "id" } },
  taxes: { required: { taxId: "id", title: "string" }, optional: {} },
};

/** Objects inside those, by resource and field. */
export const nestedCatalogRequests: Readonly<Record<string, RequestTable>> = {
  "goods.warehouses": { required: { warehouseId: "id", count: "sum" }, optional: {} },
  "clients.addressEntity": {
    required: {},
    optional: {
      postindex: "string",
      city: "string",
      street: "string",
      home: "string",
      apartment: "string",
      latitude: "string",
      longitude: "string",
    },
  },
};

interface Fields {
  readonly required: readonly string[];
  readonly optional: readonly string[];
}

/** The ten resources, and what each is named by. */
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

/** Parameters in the address, by method and path. */
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
  // isRefund is ours: a sale and its refund may share an id.
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

/** Method, path and success code of every row of the endpoint tables. */
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

/** Our own extension, which the document does not have. */
export const ownRows: typeof endpointRows = [["get", "/orderAccounts", 200]];

/** "List paging" of the ten resources. */
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
