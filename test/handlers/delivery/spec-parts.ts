/** What the document says inside its tables: objects within objects, closed lists of values, parameters of addresses. */
import type { SpecTable } from "./spec-tables.js";

const period: SpecTable = { returnReasonId: "id", count: "number", createdAt: "string" };

/** By schema and field; an array stands for its elements. */
export const nestedTables: Readonly<Record<string, SpecTable>> = {
  "Order.client": { firstname: "string", lastname: "string", email: "string", inn: "string" },
  "JournalItem.client": { firstname: "string", lastname: "string", email: "string", inn: "string" },
  "OrderItem.canceledItems": period,
  "OrderItem.warehouses": {
    warehouseId: "id",
    count: "number",
    tookCount: "number",
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
  },
  "OrderItem.specificities": {
    specificityId: "id",
    price: "number",
    count: "number",
    parentId: "id",
    title: "string",
    value: "string",
    imageUrl: "string",
    imageBigUrl: "string",
    article: "string",
    isActive: "flag",
  },
  "ReturnedOrder.returnedPayments": {
    paymentId: "string",
    paymentTypeId: "string",
    sum: "number",
    createdAt: "string",
  },
  "ReturnedOrder.returnedGoods": { goodId: "id", sum: "number", ...period },
  "Good.warehouses": { warehouseId: "string", count: "number" },
  "Client.addressEntity": {
    postindex: "string",
    city: "string",
    street: "string",
    home: "string",
    apartment: "string",
    latitude: "string",
    longitude: "string",
  },
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

/** Elements of the dictionaries; the document shows the first, domain 8.5 decides the others. */
export const dictionaryTables: Readonly<Record<string, SpecTable>> = {
  orderStatuses: { statusId: "number", title: "string" },
  orderDeliveryStatuses: { statusId: "number", title: "string" },
  closeTypes: { closeTypeId: "number", title: "string" },
  taxTypes: { taxTypeId: "number", title: "string" },
  goodCalcTypes: { calcId: "number", title: "string" },
  permissions: { actionId: "string", description: "string" },
};

interface Fields {
  readonly required: readonly string[];
  readonly optional: readonly string[];
}

/** One element of a creation in the catalog: what has to be there, and what may. */
export const catalogRequests: Readonly<Record<string, Fields>> = {
  goods: {
    required: ["goodId", "parentId", "taxId", "title", "price"],
    optional: [
      "article",
      "calcId",
      "unit",
      "weight",
      "multiplicity",
      "description",
      "imageUrl",
      "imageBigUrl",
      "warehouses",
      "isActive",
    ],
  },
  specificities: {
    required: ["specificityId", "parentId", "title", "price"],
    optional: ["value", "imageUrl", "imageBigUrl", "article", "isActive"],
  },
  warehouses: {
    required: ["warehouseId", "title"],
    optional: [
      "firstname",
      "lastname",
      "phone",
      "city",
      "street",
      "house",
      "apartment",
      "latitude",
      "longitude",
      "description",
      "isActive",
    ],
  },
  couriers: { required: ["courierId", "title"], optional: ["email", "phone", "roleId", "sourcePassword", "inn"] },
  userRoles: { required: ["roleId", "title"], optional: ["isActive"] },
  clients: {
    required: ["clientId"],
    optional: ["title", "firstname", "lastname", "birthday", "addressEntity", "inn", "phone", "email", "description"],
  },
  suppliers: { required: ["supplierId", "title"], optional: ["taxId", "inn", "phone", "address", "description"] },
  orderReturnReasons: { required: ["reasonId", "title"], optional: ["type"] },
  paymentTypes: { required: ["paymentTypeId", "title"], optional: ["closeTypeId"] },
  taxes: { required: ["taxId", "title"], optional: [] },
};

/** Objects inside requests, by schema and field. */
export const nestedRequests: Readonly<Record<string, Fields>> = {
  "OrderCreate.client": { required: [], optional: ["firstname", "lastname", "email"] },
  "OrderItemRequest.warehouses": { required: ["warehouseId", "count"], optional: [] },
  "OrderItemRequest.specificities": { required: ["specificityId", "price", "count"], optional: [] },
  "MultipleUpdate.attributes": {
    required: [],
    optional: [
      "statusId",
      "deliveryStatusId",
      "returnReasonId",
      "courierId",
      "addressTo",
      "deliveryTimeFrom",
      "deliveryTimeTo",
    ],
  },
  OnlineSettingsRequest: {
    required: ["settingId", "login", "password", "isProduction", "company"],
    optional: ["kktGroup", "agent"],
  },
  "OnlineSettingsRequest.company": { required: ["inn", "taxSystem"], optional: [] },
  "OnlineSettingsRequest.agent": { required: ["type"], optional: [] },
};

/** Parameters in the address, by method and path. */
export const parameters: Readonly<Record<string, Fields>> = {
  "get /locations": { required: ["courierId", "page", "count"], optional: ["createdAt"] },
  "get /journal": { required: ["entityId", "page", "count"], optional: ["startedAt"] },
  "get /orders/journalStatuses": { required: ["orderId"], optional: [] },
  "get /orderReceipts": { required: ["orderId"], optional: [] },
  "get /orderReturnReceipts": { required: ["orderId"], optional: [] },
  "get /correctionReceipts": { required: ["page", "count"], optional: ["courierId", "orderId"] },
  "get /bankTerminalLogs": { required: [], optional: ["orderId", "courierId", "page", "count"] },
  "get /fiscalRegistratorLogs": { required: [], optional: ["orderId", "courierId", "page", "count"] },
  "get /permissions": { required: [], optional: ["roleId", "permissionId"] },
  "post /licenses/close": { required: ["deviceId"], optional: [] },
  // isRefund is ours: a sale and its refund may share an id.
  "post /orders": { required: [], optional: ["isRefund"] },
  "put /orders": { required: ["orderId"], optional: ["isRefund"] },
  "delete /orders": { required: ["orderId"], optional: ["isRefund"] },
  ...Object.fromEntries(
    [
      ["goods", "goodId"],
      ["specificities", "specificityId"],
      ["warehouses", "warehouseId"],
      ["couriers", "courierId"],
      ["userRoles", "roleId"],
      ["clients", "clientId"],
      ["suppliers", "supplierId"],
      ["orderReturnReasons", "reasonId"],
      ["paymentTypes", "paymentTypeId"],
      ["taxes", "taxId"],
    ].flatMap(([kind, id = ""]) => [
      [`get /${kind}`, { required: [], optional: [id, "page", "count"] }],
      [`put /${kind}`, { required: [id], optional: [] }],
      [`delete /${kind}`, { required: [id], optional: [] }],
    ]),
  ),
};
