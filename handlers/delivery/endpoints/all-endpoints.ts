import { callbackOperations } from "./callbacks.js";
import { catalogOperations } from "./catalog.js";
import { dictionaryOperations } from "./dictionaries.js";
import { fiscalRecordOperations } from "./fiscal-records.js";
import { historyOperations } from "./history.js";
import { licenseOperations } from "./licenses.js";
import type { Operation } from "./operation.js";
import { orderAccountOperations } from "./order-accounts.js";
import { orderOperations } from "./orders.js";
import { permissionOperations } from "./permissions.js";
import { settingsOperations } from "./settings.js";

let operations: readonly Operation[] | null = null;

/** Every row of the document's endpoint tables, built once for all routers. */
export function deliveryOperations(): readonly Operation[] {
  operations ??= [
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
  return operations;
}
