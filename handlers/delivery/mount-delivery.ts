/** The whole delivery API on a shop's app, in one call. */
import type { Application } from "express";
import { checkOptions } from "./check-options.js";
import { createCourierRouter, createDeliveryRouter } from "./create-router.js";
import type { DeliveryStoreHandle } from "./delivery-handle.js";
import { createFiscalRouter } from "./fiscal-router.js";
import type { ApiLimits } from "./http/mount-api.js";
import { type OpenDeliveryOptions, openDeliveryStore } from "./open-delivery.js";
import { createDocsRouter } from "./openapi/docs-page.js";

export interface MountDeliveryOptions extends OpenDeliveryOptions, ApiLimits {
  /** Below which path of the app everything is, such as `/delivery`; default: at its root. */
  readonly path?: string;
}

/**
 * Opens the database and puts onto the app: `/v1` for the shop's systems, `/courier/v1` for the couriers' application,
 * `/fiscal/{resource}` for print servers, `/openapi.json` and `/docs`. What the app answers to all other paths comes
 * after it.
 */
export async function mountDelivery(app: Application, options: MountDeliveryOptions): Promise<DeliveryStoreHandle> {
  checkOptions(options);
  const { path = "", bodyLimitBytes, requestsPerMinute, ...store } = options;
  const delivery = await openDeliveryStore(store);
  const limits = {
    ...(bodyLimitBytes === undefined ? {} : { bodyLimitBytes }),
    ...(requestsPerMinute === undefined ? {} : { requestsPerMinute }),
  };
  const base = path.replace(/\/+$/, "");
  app.use(`${base}/v1`, createDeliveryRouter({ delivery, ...limits }));
  app.use(`${base}/courier/v1`, createCourierRouter({ delivery, ...limits }));
  app.use(`${base}/fiscal`, createFiscalRouter({ delivery }));
  app.use(
    base === "" ? "/" : base,
    createDocsRouter({
      // The app may itself be put below a path later.
      get deliveryPath() {
        return `${app.path()}${base}/v1`;
      },
      get courierPath() {
        return `${app.path()}${base}/courier/v1`;
      },
      ...(options.publicUrl === undefined ? {} : { publicUrl: options.publicUrl }),
    }),
  );
  return delivery;
}
