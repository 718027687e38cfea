/** Registration of the two callbacks: one address for each kind and shop, tested before it is stored. */
import { type Fault, toFault } from "@fiscald/shared/fault.js";
import { z } from "zod";
import { type DeliveryCall, type DeliveryOperation, writeOperation } from "../backend/backend.js";
import type { CallbackKind } from "../callbacks/callback-outbox.js";
import { invalid } from "../http/api-errors.js";
import { flagIn, flagOut, formatApiTime, lineIn } from "../http/wire-types.js";

const callbackIn = z
  .object({ url: lineIn, isActive: flagIn })
  .meta({ id: "CallbackRequest", description: "isActive 0: kept, neither tried nor called." });
const callbackOut = z.strictObject({ url: z.string(), isActive: flagOut }).meta({ id: "Callback" });

type CallbackIn = z.output<typeof callbackIn>;

function registration(kind: CallbackKind, path: string, summary: string): DeliveryOperation {
  const example = { url: "https://shop.example/delivery-callback", isActive: 1 };
  return writeOperation({
    method: "post",
    path,
    summary,
    body: callbackIn,
    answer: callbackOut,
    example: { body: example, answer: example },
    async prepare(call) {
      await tryAddress(kind, call);
      return call.body;
    },
    async run({ caller, body }, tx) {
      const values = { url: body.url, is_active: body.isActive };
      await tx
        .insertInto("delivery_callbacks")
        .values({ resource: caller.resource, kind, ...values })
        .onConflict((conflict) => conflict.columns(["resource", "kind"]).doUpdateSet(values))
        .execute();
      return { url: body.url, isActive: body.isActive };
    },
  });
}

async function tryAddress(kind: CallbackKind, { backend, caller, body, now }: DeliveryCall<unknown, CallbackIn>) {
  if (!URL.canParse(body.url) || !/^https?:$/.test(new URL(body.url).protocol))
    throw invalid("url", "must be an http or https address");
  if (body.isActive === 0) return;
  try {
    await backend.testCallback({ resource: caller.resource, url: body.url, body: testBody(kind, now) });
  } catch (error) {
    const fault = toFault(error, "site.unreachable");
    backend.logger.warn("an address did not take the test call", { resource: caller.resource, fault });
    throw invalid("url", `did not take the test call: ${wordsFor(fault)}`);
  }
}

/** The caller's words reveal neither DNS results nor open ports of our network to one who tries addresses. */
function wordsFor({ code, message }: Fault): string {
  if (code === "site.refused" || code === "site.dns") return "it is at no public address";
  if (code === "site.http-status") return message;
  return code === "site.timeout" ? "it did not answer in time" : "it cannot be reached";
}

/** The body of a test call: it has the documented shape and says nothing. */
function testBody(kind: CallbackKind, now: number): unknown {
  if (kind === "order") return { items: [] };
  const at = formatApiTime(now);
  return { sessionId: 0, courierId: 0, deviceId: "test", deviceTitle: "test", sessionStartAt: at, sessionFinishAt: at };
}

export const callbackOperations: readonly DeliveryOperation[] = [
  registration("order", "/orders/callback", "Sets the address that gets every change of an order"),
  registration("session", "/licenses/callback", "Sets the address that gets closed sessions"),
];
