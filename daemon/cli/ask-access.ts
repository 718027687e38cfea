import type { FoundRegister } from "@fiscald/drivers/discover/discover.js";
import { driverOptionsSchema } from "@fiscald/drivers/registry.js";
import { z } from "zod";
import type { Questions } from "./questions.js";

const option = z.looseObject({ type: z.unknown().optional(), description: z.string().default("") });
const optionsNode = z.looseObject({ properties: z.record(z.string(), option).default({}) });

/** Users and passwords for a register that refused the usual ones; which there are, only the driver knows. */
export async function askAccess(
  questions: Questions,
  { driver, fault }: FoundRegister,
): Promise<Readonly<Record<string, unknown>>> {
  if (fault?.code !== "device.wrong-password") return {};
  const schema = driverOptionsSchema(driver);
  const { properties } = optionsNode.parse(z.toJSONSchema(schema, { io: "input" }));
  const answers: Record<string, unknown> = {};
  for (const [key, { type, description }] of Object.entries(properties)) {
    if (!/user|password/i.test(key)) continue;
    const toValue = (answer: string) => (type === "integer" && /^\d+$/.test(answer) ? Number(answer) : answer);
    const problem = (answer: string) => {
      const parsed = answer === "" ? null : schema.safeParse({ [key]: toValue(answer) });
      return parsed === null || parsed.success ? null : (parsed.error.issues[0]?.message ?? "will not do");
    };
    const answer = await questions.text(`  ${key}: ${description} (Enter = as usual)`, { otherwise: "", problem });
    if (answer !== "") answers[key] = toValue(answer);
  }
  return answers;
}
