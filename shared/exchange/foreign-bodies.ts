/** Recognises bodies of other receipt services by their keys: a shop that moves here may still send one. Pure. */
import type { FaultText } from "../fault-codes/fault-row.js";
import { answerTexts } from "./answer-texts.js";
import { isObject, pickFields, spellingsOf } from "./lenient-fields.js";

type Fields = Readonly<Record<string, unknown>>;

interface Service {
  readonly name: string;
  readonly isIts: (body: Fields) => boolean;
}

const services: readonly Service[] = [
  { name: "OrangeData", isIts: ({ content }) => isObject(content) && Array.isArray(content["positions"]) },
  { name: "CloudKassir", isIts: (body) => isObject(body["CustomerReceipt"]) },
  { name: "MODULKASSA", isIts: (body) => Array.isArray(body["inventPositions"]) },
  { name: "KOMTET Kassa", isIts: ({ positions, intent }) => Array.isArray(positions) && typeof intent === "string" },
  { name: "T-Bank", isIts: ({ Receipt: receipt }) => isObject(receipt) && Array.isArray(receipt["Items"]) },
  {
    name: "YooKassa",
    isIts: (body) => [body, body["receipt"]].some((one) => firstItem(one)?.["vat_code"] !== undefined),
  },
  {
    name: "the ATOL driver",
    isIts: ({ request, ...body }) => [body, [request].flat()[0]].some((one) => firstItem(one)?.["type"] === "position"),
  },
];

function firstItem(body: unknown): Fields | null {
  const [first] = isObject(body) && Array.isArray(body["items"]) ? body["items"] : [];
  return isObject(first) ? first : null;
}

const ownKeys = spellingsOf(["taskTable", "external_id", "receipt"]);

/** Whether the body is a task table or a numbered receipt, whatever other keys it has. */
function isOurs(body: Fields): boolean {
  const { fields } = pickFields(body, ownKeys);
  return fields["taskTable"] !== undefined || (fields["external_id"] !== undefined && fields["receipt"] !== undefined);
}

/** Names the service and what to send in place of its body; null = one of our formats, or no known service. */
export function foreignBody(body: unknown): FaultText | null {
  const service = isObject(body) && !isOurs(body) ? services.find(({ isIts }) => isIts(body)) : undefined;
  if (service === undefined) return null;
  return answerTexts.foreignBody(service.name);
}
