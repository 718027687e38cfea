import type { DeliveryOperation } from "../backend/backend.js";
import { callbackOperations } from "./callbacks.js";
import { catalogOperations } from "./catalog.js";
import { courierListOperations } from "./courier-lists.js";
import { courierLogOperations } from "./courier-logs.js";
import { courierOrderOperations } from "./courier-orders.js";
import { courierSessionOperations } from "./courier-sessions.js";
import { dictionaryOperations } from "./dictionaries.js";
import { fiscalRecordOperations } from "./fiscal-records.js";
import { historyOperations } from "./history.js";
import { licenseOperations } from "./licenses.js";
import { orderAccountOperation } from "./order-accounts.js";
import { orderEndpoints } from "./orders.js";
import { permissionOperations } from "./permissions.js";
import { settingsOperations } from "./settings.js";

export const deliveryOperations: readonly DeliveryOperation[] = [
  ...orderEndpoints,
  ...historyOperations,
  ...fiscalRecordOperations,
  orderAccountOperation,
  ...settingsOperations,
  ...catalogOperations,
  ...permissionOperations,
  ...licenseOperations,
  ...callbackOperations,
  ...dictionaryOperations,
];

export const courierOperations: readonly DeliveryOperation[] = [
  ...courierSessionOperations,
  ...courierListOperations,
  ...courierOrderOperations,
  ...courierLogOperations,
];
