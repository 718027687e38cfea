import { givenFields } from "@fiscald/shared/receipt/receipt.js";
import type { Application, Router } from "express";
import { throwIfWrongOptions } from "../print-server/check-options.js";
import type { Backend } from "./backend/backend.js";
import { checkApp, type MountDeliveryOptions, mountOptions } from "./check-options.js";
import { identifyCourier } from "./couriers/courier-auth.js";
import { courierOperations, deliveryOperations } from "./endpoints/all-endpoints.js";
import { createFiscalRouter } from "./fiscal-router.js";
import { identifyShop } from "./http/callers.js";
import { type ApiLimits, answerHostFaults, mountApi } from "./http/mount-api.js";
import { openDelivery } from "./open-delivery.js";
import { createDocsRouter } from "./openapi/docs-page.js";

export interface DeliveryApi {
  /** Stops the callbacks, and closes the database unless the caller has given an open one. */
  close(): Promise<void>;
}

/**
 * Opens the database and adds to the app: `/v1` for the shop's systems, `/courier/v1` for the couriers' application,
 * `/fiscal/{resource}` for print servers, `/openapi.json` and `/docs`. Add the app's handler of unknown paths after
 * this call.
 */
export async function mountDelivery(app: Application, options: MountDeliveryOptions): Promise<DeliveryApi> {
  checkApp(app);
  throwIfWrongOptions(mountOptions, options);
  const { path = "", bodyLimitBytes, requestsPerMinute, ...opened } = options;
  const { publicUrl } = options;
  const limits = givenFields({ bodyLimitBytes, requestsPerMinute });
  const base = path.replace(/\/+$/, "");
  // The path is read at each call, because the app itself may be mounted below a path later.
  const at = (below: string) => `${app.path()}${base}${below}`;
  const { backend, bridge, close } = await openDelivery(opened, () => at("/fiscal"));
  app.use(`${base}/v1`, createDeliveryRouter({ backend, ...limits }), answerHostFaults);
  app.use(`${base}/courier/v1`, createCourierRouter({ backend, ...limits }), answerHostFaults);
  app.use(`${base}/fiscal`, createFiscalRouter({ backend, bridge }));
  const places = () => ({ deliveryPath: at("/v1"), courierPath: at("/courier/v1"), ...givenFields({ publicUrl }) });
  app.use(base === "" ? "/" : base, createDocsRouter(places));
  return { close };
}

export interface DeliveryRouterOptions extends ApiLimits {
  readonly backend: Backend;
}

export function createDeliveryRouter(options: DeliveryRouterOptions): Router {
  const { store } = options.backend;
  return mountApi({
    ...options,
    operations: deliveryOperations,
    identify: (request) => identifyShop(store, request),
  });
}

export function createCourierRouter(options: DeliveryRouterOptions): Router {
  const { backend } = options;
  return mountApi({
    ...options,
    operations: courierOperations,
    identify: (request) => identifyCourier(backend, request),
  });
}
