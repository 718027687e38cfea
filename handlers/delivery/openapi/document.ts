import { z } from "zod";
import { courierOperations, deliveryOperations } from "../endpoints/all-endpoints.js";
import { idOut, timeOut } from "../http/wire-types.js";
import { orderOut } from "../orders/view-schema.js";
import { buildDocument, type JsonObject, type OpenApiDocument } from "./build-document.js";

export type { OpenApiDocument } from "./build-document.js";

export interface OpenApiOptions {
  /** Where the delivery API is mounted; default `/v1`. */
  readonly deliveryPath?: string;
  /** Where the couriers' feed is mounted; default `/courier/v1`. */
  readonly courierPath?: string;
  /** The site's address; default: the site that serves the document. */
  readonly publicUrl?: string;
}

export function createOpenApiDocument(options: OpenApiOptions = {}): OpenApiDocument {
  const { deliveryPath = "/v1", courierPath = "/courier/v1", publicUrl = "/" } = options;
  return buildDocument({
    title: "Courier delivery service: integration API",
    description:
      "Times are GMT, YYYY-MM-DD HH:MM:SS. Ids are compared as trimmed text. A text may be sent as a number, a number as " +
      "decimal text, nothing as an empty text, an empty object as an empty list, and a list as an object with numbers as keys.",
    publicUrl,
    parts: [
      { base: deliveryPath, operations: deliveryOperations, security: "shopToken" },
      { base: courierPath, operations: courierOperations, security: "courierSession" },
    ],
    securitySchemes: {
      shopToken,
      courierSession: { type: "http", scheme: "bearer", description: "From POST /sessions of the couriers' feed." },
    },
    tagDescriptions,
    webhooks: describeCallbacks,
  });
}

export const shopToken = { type: "http", scheme: "bearer", description: "Made with `fiscald-site token create`." };

const tagDescriptions: Readonly<Record<string, string>> = {
  orders: "Orders and their refunds",
  journal: "What changed, and where couriers were",
  receipts: "Fiscal documents of the orders",
  settings: "Accounts and addresses for printing",
};

export const orderCallbackBody = z.strictObject({ items: z.array(orderOut) }).meta({ id: "OrderCallback" });
export const sessionCallbackBody = z
  .strictObject({
    sessionId: z.int(),
    courierId: idOut,
    deviceId: z.string(),
    deviceTitle: z.string(),
    sessionStartAt: timeOut,
    sessionFinishAt: timeOut,
  })
  .meta({ id: "SessionCallback" });

function describeCallbacks(bodyOf: (schema: z.ZodType) => JsonObject): JsonObject {
  const callback = (operationId: string, summary: string, body: z.ZodType) => ({
    post: {
      operationId,
      summary,
      description: "Signed by the Standard Webhooks headers webhook-id, webhook-timestamp and webhook-signature.",
      security: [],
      requestBody: { required: true, content: bodyOf(body) },
      responses: { "2XX": { description: "Taken" } },
    },
  });
  return {
    orderChanged: callback(
      "orderChanged",
      "An order has changed; X-Order-Sequence counts its callbacks, X-Order-Is-Refund says whether it is a refund order",
      orderCallbackBody,
    ),
    sessionClosed: callback("sessionClosed", "A courier's session was closed", sessionCallbackBody),
  };
}
