/** Settings of an online fiscal provider, and the address for the shop's print server. */
import { z } from "zod";
import { type Operation, readOperation, writeOperation } from "../http/endpoint.js";
import { idIn, idOut, plainText, textIn, toWireId } from "../http/wire-types.js";

/** company.taxSystem and the bit of tag 1055. */
export const taxSystems = { osn: 1, usn_income: 2, usn_income_outcome: 4, envd: 8, esn: 16, patent: 32 } as const;
/** agent.type and the bit of tag 1222. */
export const agentTypes = {
  bank_paying_agent: 1,
  bank_paying_subagent: 2,
  paying_agent: 4,
  paying_subagent: 8,
  attorney: 16,
  commission_agent: 32,
  another: 64,
} as const;

const taxSystem = z.literal(["osn", "usn_income", "usn_income_outcome", "envd", "esn", "patent"]);
const agentType = z.literal([
  "bank_paying_agent",
  "bank_paying_subagent",
  "paying_agent",
  "paying_subagent",
  "attorney",
  "commission_agent",
  "another",
]);

const onlineSettingsIn = z.object({
  settingId: idIn,
  login: textIn,
  password: textIn,
  kktGroup: textIn.optional(),
  isProduction: z.union([plainText(16), z.int()]),
  company: z.object({ inn: z.string().regex(/^(\d{10}|\d{12})$/, { error: "must have 10 or 12 digits" }), taxSystem }),
  agent: z.object({ type: agentType }).optional(),
});

/** As they are kept: a secret that nothing of ours reads is not. */
export const onlineSettings = onlineSettingsIn.omit({ password: true });

const onlineSettingsOut = z
  .strictObject({
    settingId: idOut,
    login: z.string(),
    kktGroup: z.string().optional(),
    isProduction: z.union([z.string(), z.int()]),
    company: z.strictObject({ inn: z.string(), taxSystem }),
    agent: z.strictObject({ type: agentType }).optional(),
  })
  .meta({ id: "OnlineSettings", description: "Without the password, which is not kept." });

const exampleAnswer = {
  settingId: 1,
  login: "shop",
  kktGroup: "main",
  isProduction: 1,
  company: { inn: "7700000000", taxSystem: "usn_income" },
  agent: { type: "commission_agent" },
};

export function settingsOperations(): readonly Operation[] {
  return [
    writeOperation({
      method: "post",
      path: "/partnerOnlineSettings/replace",
      tag: "settings",
      summary: "Sets the account of an online fiscal provider; tax system and agent type also go onto our receipts",
      query: z.object({}),
      body: onlineSettingsIn.meta({ id: "OnlineSettingsRequest" }),
      answers: { 201: onlineSettingsOut },
      example: { body: { ...exampleAnswer, password: "secret" }, answer: exampleAnswer },
      async run({ caller, body, now }, tx) {
        const { password: _notKept, ...kept } = body;
        const values = { body: JSON.stringify(kept), updated_at: now };
        await tx
          .insertInto("delivery_online_settings")
          .values({ resource: caller.resource, setting_id: body.settingId, ...values })
          .onConflict((conflict) => conflict.columns(["resource", "setting_id"]).doUpdateSet(values))
          .execute();
        return { status: 201, body: { ...kept, settingId: toWireId(kept.settingId) } };
      },
    }),
    readOperation({
      method: "get",
      path: "/printServerSettings",
      tag: "settings",
      summary: "The address that the shop's print server calls",
      query: z.object({}),
      answers: { 200: z.strictObject({ url: z.string() }).meta({ id: "PrintServerSettings" }) },
      example: { answer: { url: "https://shop.example/fiscal/1" } },
      run: async ({ backend, caller }) => ({ status: 200, body: { url: backend.fiscalMount.urlOf(caller.resource) } }),
    }),
  ];
}
