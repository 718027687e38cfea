import { z } from "zod";
import { type DeliveryOperation, readOperation, writeOperation } from "../backend/backend.js";
import { agentType, onlineSettingsIn, taxSystem } from "../catalog/online-settings.js";
import { idOut, toWireId } from "../http/wire-types.js";
import { commitScope } from "../orders/order-change.js";
import { settleByAlerts } from "../settling/settle-accounts.js";

const onlineSettingsOut = z
  .strictObject({
    settingId: idOut,
    login: z.string(),
    kktGroup: z.string().optional(),
    isProduction: z.union([z.string(), z.int()]),
    company: z.strictObject({ inn: z.string(), taxSystem }),
    agent: z.strictObject({ type: agentType }).optional(),
  })
  .meta({ id: "OnlineSettings", description: "Without the password, which is not stored." });

const exampleAnswer = {
  settingId: 1,
  login: "shop",
  kktGroup: "main",
  isProduction: 1,
  company: { inn: "7700000000", taxSystem: "usn_income" },
  agent: { type: "commission_agent" },
};

export const settingsOperations: readonly DeliveryOperation[] = [
  writeOperation({
    method: "post",
    path: "/partnerOnlineSettings/replace",
    tag: "settings",
    summary: "Sets the account of an online fiscal provider; tax system and agent type also go onto our receipts",
    body: onlineSettingsIn.meta({ id: "OnlineSettingsRequest" }),
    answer: onlineSettingsOut,
    example: { body: { ...exampleAnswer, password: "secret" }, answer: exampleAnswer },
    async run(call, tx) {
      const { caller, body, now } = call;
      const { password: _notStored, ...stored } = body;
      const values = { body: JSON.stringify(stored), updated_at: now };
      await tx
        .insertInto("delivery_online_settings")
        .values({ resource: caller.resource, setting_id: body.settingId, ...values })
        .onConflict((conflict) => conflict.columns(["resource", "setting_id"]).doUpdateSet(values))
        .execute();
      await settleByAlerts(commitScope(call, tx), ["receipt.agent"]);
      return { ...stored, settingId: toWireId(stored.settingId) };
    },
  }),
  readOperation({
    path: "/printServerSettings",
    tag: "settings",
    summary: "The address that the shop's print server calls",
    answer: z.strictObject({ url: z.string() }).meta({ id: "PrintServerSettings" }),
    example: { answer: { url: "https://shop.example/fiscal/1" } },
    run: async ({ backend, caller }) => ({ url: backend.fiscalUrl(caller.resource) }),
  }),
];
