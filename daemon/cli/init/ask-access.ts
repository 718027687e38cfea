import type { FoundRegister } from "@fiscald/drivers/discover/discover.js";
import { driverOptionsSchema } from "@fiscald/drivers/registry.js";
import { z } from "zod";
import type { Questions } from "../terminal/questions.js";
import type { SecretFile } from "./secret-file.js";

const option = z.looseObject({ description: z.string().default("") });
const optionsNode = z.looseObject({ properties: z.record(z.string(), option).default({}) });

export interface AccessAnswers {
  readonly options: Readonly<Record<string, unknown>>;
  readonly secrets: readonly SecretFile[];
}

/**
 * Users and passwords for a register that refused the usual ones; which there are, only the driver knows. Passwords go into
 * files of their own, beside the config.
 */
export async function askAccess(
  questions: Questions,
  { driver, fault }: FoundRegister,
  fileOf: (option: string) => string,
): Promise<AccessAnswers> {
  if (fault?.code !== "device.wrong-password") return { options: {}, secrets: [] };
  const schema = driverOptionsSchema(driver);
  const { properties } = optionsNode.parse(z.toJSONSchema(schema, { io: "input" }));
  const options: Record<string, unknown> = {};
  const secrets: SecretFile[] = [];
  for (const [key, { description }] of Object.entries(properties)) {
    const isSecret = /password/i.test(key);
    if (!isSecret && !/user/i.test(key)) continue;
    const problem = (answer: string) => {
      const parsed = answer === "" ? null : schema.safeParse({ [key]: answer });
      return parsed === null || parsed.success ? null : (parsed.error.issues[0]?.message ?? "will not do");
    };
    const ask = isSecret ? questions.secret : questions.text;
    const value = await ask(`  ${key}: ${description} (Enter = as usual)`, { otherwise: "", problem });
    if (value === "") continue;
    const file = fileOf(key);
    options[key] = isSecret ? { fromFile: file } : value;
    if (isSecret) secrets.push({ file, value });
  }
  return { options, secrets };
}
