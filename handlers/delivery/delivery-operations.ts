import { callbackOperations } from "./callback-operations.js";
import { catalogOperations } from "./catalog-operations.js";
import { dictionaryOperations } from "./dictionaries.js";
import { fiscalRecordOperations } from "./fiscal-record-operations.js";
import { historyOperations } from "./history-operations.js";
import { licenseOperations } from "./license-operations.js";
import type { Operation } from "./operation.js";
import { orderOperations } from "./order-operations.js";
import { permissionOperations } from "./permission-operations.js";
import { settingsOperations } from "./settings-operations.js";

/** Every row of the document's endpoint tables. */
export function deliveryOperations(): readonly Operation[] {
  return [
    ...orderOperations(),
    ...historyOperations(),
    ...fiscalRecordOperations(),
    ...settingsOperations(),
    ...catalogOperations(),
    ...permissionOperations(),
    ...licenseOperations(),
    ...callbackOperations(),
    ...dictionaryOperations(),
  ];
}
