/** The operations of both routers, built once. */
import { callbackOperations } from "./callbacks.js";
import { catalogOperations } from "./catalog.js";
import { courierLogOperations } from "./courier-logs.js";
import { courierOrderOperations } from "./courier-orders.js";
import { courierSessionOperations } from "./courier-sessions.js";
import { dictionaryOperations } from "./dictionaries.js";
import { fiscalRecordOperations } from "./fiscal-records.js";
import { historyOperations } from "./history.js";
import { licenseOperations } from "./licenses.js";
import type { Operation } from "./operation.js";
import { orderAccountOperations } from "./order-accounts.js";
import { orderOperations } from "./orders.js";
import { permissionOperations } from "./permissions.js";
import { settingsOperations } from "./settings.js";

let ofShops: readonly Operation[] | null = null;
let ofCouriers: readonly Operation[] | null = null;

/** Every row of the document's endpoint tables. */
export function deliveryOperations(): readonly Operation[] {
  ofShops ??= [
    ...orderOperations(),
    ...historyOperations(),
    ...fiscalRecordOperations(),
    ...orderAccountOperations(),
    ...settingsOperations(),
    ...catalogOperations(),
    ...permissionOperations(),
    ...licenseOperations(),
    ...callbackOperations(),
    ...dictionaryOperations(),
  ];
  return ofShops;
}

/** What the couriers' application reads and writes. */
export function courierOperations(): readonly Operation[] {
  ofCouriers ??= [...courierSessionOperations(), ...courierOrderOperations(), ...courierLogOperations()];
  return ofCouriers;
}
