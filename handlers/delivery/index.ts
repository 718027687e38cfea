/** `@fiscald/handlers/delivery`: the delivery API as Express routers. */

export {
  type CourierRouterOptions,
  createCourierRouter,
  createDeliveryRouter,
  type DeliveryRouterOptions,
} from "./create-router.js";
export type { DeliveryStoreHandle } from "./delivery-handle.js";
export { createFiscalRouter } from "./fiscal-router.js";
export { type MountDeliveryOptions, mountDelivery } from "./mount-delivery.js";
export { type OpenDeliveryOptions, openDeliveryStore } from "./open-delivery.js";
export { createDocsRouter } from "./openapi/docs-page.js";
export { createOpenApiDocument, type OpenApiDocument, type OpenApiOptions } from "./openapi/document.js";
