import { z } from "zod";
import { type DeliveryOperation, readOperation } from "../backend/backend.js";
import {
  closeTypes,
  deliveryStatuses,
  goodCalcTypes,
  orderStatuses,
  permissions,
  taxTypes,
} from "../catalog/dictionaries.js";

function dictionary(
  name: string,
  summary: string,
  shape: z.ZodRawShape,
  values: readonly unknown[],
): DeliveryOperation {
  return readOperation({
    path: `/dictionary/${name}`,
    summary,
    answer: z.array(z.strictObject(shape)),
    example: { answer: values.slice(0, 2) },
    run: async () => values,
  });
}

const titled = (id: string) => ({ [id]: z.int(), title: z.string() });

export const dictionaryOperations: readonly DeliveryOperation[] = [
  dictionary("orderStatuses", "Order (payment) statuses", titled("statusId"), orderStatuses),
  dictionary("orderDeliveryStatuses", "Delivery statuses", titled("statusId"), deliveryStatuses),
  dictionary("closeTypes", "Payment types of the register", titled("closeTypeId"), closeTypes),
  dictionary("taxTypes", "Tax rates (tag 1199)", titled("taxTypeId"), taxTypes),
  dictionary("goodCalcTypes", "Subjects of calculation (tag 1212)", titled("calcId"), goodCalcTypes),
  dictionary("permissions", "Access settings", { actionId: z.string(), description: z.string() }, permissions),
];
