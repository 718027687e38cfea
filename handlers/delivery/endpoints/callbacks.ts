/** Registers the two callbacks: each shop has one address for each kind, tried once when it is stored. */
import { z } from "zod";
import { type DeliveryCall, type DeliveryOperation, writeOperation } from "../backend/backend.js";
import { type CallbackKind, findCallback, saveCallback } from "../callbacks/callback-outbox.js";
import { tryAddress } from "../callbacks/deliver-callbacks.js";
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
      await checkAddress(kind, call);
      return call.body;
    },
    async run({ backend, caller, body }, tx) {
      const url = body.url ?? (await findCallback(tx, caller.resource, kind))?.url ?? "";
      if (body.isActive === 0) {
        const text =
          "an address is switched off: callbacks that wait for it are given up unless it is on at their turn";
        const fields = { resource: caller.resource, callback: kind };
        backend.store.afterCommit(tx, () => backend.logger.warn(text, fields));
      }
      await saveCallback(tx, { resource: caller.resource, kind, url, is_active: body.isActive });
      return { url, isActive: body.isActive };
    },
  });
}

async function checkAddress(kind: CallbackKind, call: DeliveryCall<unknown, CallbackIn>): Promise<void> {
  const { backend, caller, body, now } = call;
  const { url = null, isActive } = body;
  if (url === null && isActive === 0) return;
  if (url === null) throw invalid("url", "is required where isActive is 1");
  const testCall = () => backend.testCallback({ resource: caller.resource, url, body: testBody(kind, now) });
  const doubt = await tryAddress(url, isActive === 1 ? testCall : async () => {});
  if (doubt?.isRefused === true) throw invalid("url", doubt.text.en);
  if (doubt !== null) call.warn("url", `did not take the test call: ${doubt.text.en}`);
}

/** Has the documented shape, and reports nothing. */
function testBody(kind: CallbackKind, now: number): unknown {
  if (kind === "order") return { items: [] };
  const at = formatApiTime(now);
  return { sessionId: 0, courierId: 0, deviceId: "test", deviceTitle: "test", sessionStartAt: at, sessionFinishAt: at };
}

export const callbackOperations: readonly DeliveryOperation[] = [
  registration("order", "/orders/callback", "Sets the address that gets every change of an order"),
  registration("session", "/licenses/callback", "Sets the address that gets closed sessions"),
];
