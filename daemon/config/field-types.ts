import { isAbsolute, resolve } from "node:path";
import { isFault } from "@fiscald/shared/fault.js";
import type { FaultText } from "@fiscald/shared/fault-codes.js";
import { codeOfError } from "@fiscald/shared/files/folder-rights.js";
import { wrongFormat } from "@fiscald/shared/format-texts.js";
import { findRefusedCharacter, plainText } from "@fiscald/shared/receipt/text-hygiene.js";
import { issueOf } from "@fiscald/shared/texts.js";
import { z } from "zod";
import { configReasons } from "../messages/reasons/config-reasons.js";
import { issueReason } from "../messages/reasons/issue-reasons.js";

/** Passed in so that a test needs no files or variables. */
export interface ConfigSurroundings {
  /** Paths in the config are relative to this folder, which is that of the config file. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readFile(path: string): string;
}

/** A secret in the config itself, or the place where the secret is found. The secret never appears in a message. */
export function secretField({ folder, env, readFile }: ConfigSurroundings) {
  const source = z.union(
    [
      z.string().min(1),
      z.strictObject({ fromFile: z.string().min(1).describe("File whose first line is the secret") }),
      z.strictObject({ fromEnv: z.string().min(1).describe("Environment variable that holds the secret") }),
    ],
    { error: wrongFormat("secret") },
  );
  return source.transform((value, context): string => {
    const fail = (text: FaultText) => {
      context.addIssue(issueOf(text));
      return z.NEVER;
    };
    if (typeof value === "string") return value;
    if ("fromEnv" in value) return env[value.fromEnv] || fail(configReasons.noVariable({ name: value.fromEnv }));
    const path = resolve(folder, value.fromFile);
    try {
      const [secret = ""] = readFile(path).split(/\r?\n/);
      return secret || fail(configReasons.emptyFile({ path }));
    } catch (error) {
      return fail(configReasons.unreadableFile({ path, detail: messageOf(error) }));
    }
  });
}

/** Options that only the driver can check. A secret among the options may also name the place where it is found. */
export function driverOptions(surroundings: ConfigSurroundings) {
  const secret = secretField(surroundings);
  return z.record(z.string(), z.unknown()).transform((options, context) => {
    const resolve = (key: string, value: unknown): unknown => {
      if (!isSecretPlace(value)) return value;
      const found = secret.safeParse(value);
      if (found.success) return found.data;
      for (const issue of found.error.issues) context.addIssue({ ...issueOf(issueReason(issue)), path: [key] });
      return null;
    };
    return Object.fromEntries(Object.entries(options).map(([key, value]) => [key, resolve(key, value)]));
  });
}

function isSecretPlace(value: unknown): boolean {
  return typeof value === "object" && value !== null && ("fromEnv" in value || "fromFile" in value);
}

export function pathField({ folder }: ConfigSurroundings) {
  return z
    .string()
    .min(1)
    .regex(/^\P{Cc}*$/u, wrongFormat("controlCharacter"))
    .transform((path) => (isAbsolute(path) ? path : resolve(folder, path)));
}

export function fileTextField(surroundings: ConfigSurroundings) {
  return pathField(surroundings).transform((path, context): string => {
    try {
      return surroundings.readFile(path);
    } catch (error) {
      context.addIssue(issueOf(configReasons.unreadableFile({ path, detail: messageOf(error) })));
      return z.NEVER;
    }
  });
}

export const webAddress = z
  .string()
  .refine(isWebAddress, { error: wrongFormat("webAddress"), abort: true })
  // `fetch` would leave a user name and a password in the address out of the request.
  .refine((text) => new URL(text).username + new URL(text).password === "", { error: wrongFormat("credentials") });

export function documentText(max: number) {
  return z
    .string()
    .min(1)
    .max(max)
    .superRefine((text, context) => {
      const flaw = findRefusedCharacter(text);
      if (flaw !== null) context.addIssue(issueOf(flaw));
    })
    .transform(plainText);
}

/** Ids appear in file names, in addresses of the console and in log lines. */
export const configId = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, wrongFormat("id"));

export const timeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, wrongFormat("timeOfDay"));

export const timeZone = z.string().refine(isTimeZone, { error: wrongFormat("timeZone") });

export function limitedNumber(least: number, most: number, byDefault: number) {
  return z.int().min(least).max(most).default(byDefault);
}

export function oneOf<const Names extends readonly string[]>(names: Names, byDefault: NoInfer<Names[number]>) {
  return z.enum(names).prefault(byDefault);
}

export function orNull<Type extends z.ZodType>(type: Type) {
  return type.nullable().prefault(null);
}

export function flagWithDefault(byDefault: boolean) {
  return z.boolean().default(byDefault);
}

export const port = z.int().min(1).max(65_535);

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

function messageOf(error: unknown): string {
  if (isFault(error) || error instanceof Error) return error.message;
  return codeOfError(error) || String(error);
}
