/** `@fiscald/handlers/delivery`: the delivery API on a shop's app. */

export type { MountDeliveryOptions } from "./check-options.js";
export { answerClientError } from "./client-errors.js";
export { type DeliveryApi, mountDelivery } from "./mount-delivery.js";
