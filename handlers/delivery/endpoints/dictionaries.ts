import { z } from "zod";
import {
  closeTypes,
  deliveryStatuses,
  goodCalcTypes,
  orderStatuses,
  permissions,
  taxTypes,
} from "../catalog/dictionaries.js";
import { type Operation, readOperation } from "./operation.js";

export function dictionaryOperations(): readonly Operation[] {
  return [
    dictionary("orderStatuses", "Order (payment) statuses", { statusId: z.int(), title: z.string() }, orderStatuses),
    dictionary(
      "orderDeliveryStatuses",
      "Delivery statuses",
      { statusId: z.int(), title: z.string() },
      deliveryStatuses,
    ),
    dictionary("closeTypes", "Payment types of the register", { closeTypeId: z.int(), title: z.string() }, closeTypes),
    dictionary("taxTypes", "Tax rates (tag 1199)", { taxTypeId: z.int(), title: z.string() }, taxTypes),
    dictionary(
      "goodCalcTypes",
      "Subjects of calculation (tag 1212)",
      { calcId: z.int(), title: z.string() },
      goodCalcTypes,
    ),
    dictionary("permissions", "Access settings", { actionId: z.string(), description: z.string() }, permissions),
  ];
}

function dictionary(name: string, summary: string, shape: z.ZodRawShape, values: readonly unknown[]): Operation {
  return readOperation({
    method: "get",
    path: `/dictionary/${name}`,
    tag: "dictionary",
    summary,
    query: z.object({}),
    answers: { 200: z.array(z.strictObject(shape)) },
    example: { answer: values.slice(0, 2) },
    run: async () => ({ status: 200, body: values }),
  });
}
