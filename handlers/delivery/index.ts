/** `@fiscald/handlers/delivery`: the delivery API on a shop's app. */
export { type DeliveryApi, type MountDeliveryOptions, mountDelivery } from "./mount-delivery.js";
