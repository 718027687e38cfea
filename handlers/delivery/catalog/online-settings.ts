/** A shop's account at an online fiscal provider. Its tax system and agent type also go onto our receipts. */
import { agentAliases } from "@fiscald/shared/exchange/item-fields.js";
import { z } from "zod";
import { absentIfNull, idIn, innIn, storableText, textIn } from "../http/wire-types.js";
import type { Reader } from "../store/delivery-store.js";

/** Values of `company.taxSystem` and their bits in tag 1055 (tax system). */
export const companyTaxSystems = {
  osn: 1,
  usn_income: 2,
  usn_income_outcome: 4,
  envd: 8,
  esn: 16,
  patent: 32,
} as const;

export const taxSystem = z.literal(["osn", "usn_income", "usn_income_outcome", "envd", "esn", "patent"]);
export const agentType = z.literal([
  "bank_paying_agent",
  "bank_paying_subagent",
  "paying_agent",
  "paying_subagent",
  "attorney",
  "commission_agent",
  "another",
]);

/** Banks' agents and paying agents need tag 1223 (agent's data) too, which no field of an order carries. */
const printedAgentType = agentType.refine((type) => agentAliases[type] >= agentAliases.attorney, {
  error: "cannot be printed: its receipts need tag 1223, for which an order has no field",
});

export const onlineSettingsIn = z.object({
  settingId: idIn,
  login: textIn,
  password: textIn,
  kktGroup: absentIfNull(textIn),
  isProduction: z.union([storableText(16), z.int(), z.boolean().transform(Number)]),
  company: z.object({ inn: innIn, taxSystem }),
  agent: absentIfNull(z.object({ type: printedAgentType })),
});

/** The password is not stored, because this program never uses it. */
const onlineSettings = onlineSettingsIn
  .omit({ password: true })
  .extend({ agent: z.object({ type: agentType }).optional() });

export async function findOnlineSettings(
  db: Reader,
  resource: number,
): Promise<z.output<typeof onlineSettings> | null> {
  const row = await db
    .selectFrom("delivery_online_settings")
    .select("body")
    .where("resource", "=", resource)
    .orderBy("updated_at", "desc")
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? null : onlineSettings.parse(JSON.parse(row.body));
}
