/** Registration of the two callbacks: one address for each kind and shop, tried once when it is stored. */
import { type Fault, toFault } from "@fiscald/shared/fault.js";
import { z } from "zod";
import { type DeliveryCall, type DeliveryOperation, writeOperation } from "../backend/backend.js";
import { type CallbackKind, countWaiting, findCallback } from "../callbacks/callback-outbox.js";
import { invalid } from "../http/api-errors.js";
import { filled, flagIn, flagOut, formatApiTime, lineIn, optionalIn, warningsOut } from "../http/wire-types.js";

const callbackIn = z
  .object({ url: optionalIn(filled(lineIn)), isActive: flagIn })
  .meta({ id: "CallbackRequest", description: "isActive 0: kept, neither tried nor called; it needs no url." });
const callbackOut = z
  .strictObject({ url: z.string(), isActive: flagOut, warnings: warningsOut })
  .meta({ id: "Callback" });

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
    async run({ backend, caller, body }, tx) {
      const url = body.url ?? (await findCallback(tx, caller.resource, kind))?.url ?? "";
      const count = body.isActive === 1 ? 0 : await countWaiting(tx, caller.resource, kind);
      if (count > 0) {
        const text = "callbacks wait, and are given up unless their address is switched on again";
        const fields = { resource: caller.resource, callback: kind, count };
        backend.store.afterCommit(tx, () => backend.logger.warn(text, fields));
      }
      const values = { url, is_active: body.isActive };
      await tx
        .insertInto("delivery_callbacks")
        .values({ resource: caller.resource, kind, ...values })
        .onConflict((conflict) => conflict.columns(["resource", "kind"]).doUpdateSet(values))
        .execute();
      return { url, isActive: body.isActive };
    },
  });
}

/** Calls an address on trial; a receiver may be down. Fault "api.invalid" for an address that is never called. */
async function tryAddress(kind: CallbackKind, call: DeliveryCall<unknown, CallbackIn>): Promise<void> {
  const { backend, caller, body, now } = call;
  const { url = null, isActive } = body;
  if (url === null && isActive === 0) return;
  if (url === null) throw invalid("url", "is required where isActive is 1");
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw invalid("url", "must be an http or https address");
  if (isActive === 0) return;
  try {
    await backend.testCallback({ resource: caller.resource, url, body: testBody(kind, now) });
  } catch (error) {
    const fault = toFault(error, "site.unreachable");
    const what = `did not take the test call: ${wordsFor(fault)}`;
    if (fault.code === "site.refused") throw invalid("url", what);
    call.warn("url", what);
  }
}

/** The caller's words reveal neither addresses nor open ports of our network to one who tries addresses. */
function wordsFor({ code, message }: Fault): string {
  if (code === "site.refused") return "it is at no public address";
  if (code === "site.dns") return "its name leads nowhere yet";
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
