import { existsSync, readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { Fault, isFault, messageOf } from "@fiscald/shared/fault.js";
import { isForbidden } from "@fiscald/shared/files/folder-rights.js";
import { z } from "zod";
import { configReasons } from "../messages/reasons/config-reasons.js";
import { configFault, configProblem, issuesToProblems } from "./config-problem.js";
import { type Config, configSchema } from "./config-schema.js";
import { checkConsole, unreadVariables } from "./console-schema.js";
import { crossCheck } from "./cross-checks.js";
import type { ConfigSurroundings } from "./field-types.js";
import { describeJsonError, findJsonError } from "./find-json-error.js";

export interface LoadConfigOptions {
  readonly path: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Throws `config.not-found`, `config.no-right`, or one `config.invalid` that names all problems with places. */
export function loadConfig({ path, env }: LoadConfigOptions): Config {
  const file = resolve(path);
  const surroundings = { folder: dirname(file), env, readFile: readUtf8 };
  return parseConfig(readText(file), file, surroundings);
}

/** `file` is only named in messages. */
export function parseConfig(text: string, file: string, surroundings: ConfigSurroundings): Config {
  const raw = parseConfigJson(text, file);
  const schema = configSchema(surroundings);
  const parsed = schema.safeParse(raw);
  const entries = {
    sites: listOf(raw, "sites").map((entry) => readableKeys(entry, schema.shape.sites.element)),
    registers: listOf(raw, "registers").map((entry) => readableKeys(entry, schema.shape.registers.element)),
  };
  const found = parsed.success ? [] : issuesToProblems(schema, parsed.error.issues);
  // A console section with a wrong key is checked as a whole only when that key is corrected.
  const console = schema.shape.console.safeParse(z.looseObject({ console: z.unknown() }).safeParse(raw).data?.console);
  const unread = unreadVariables(surroundings.env).map((name) => configProblem(name, configReasons.unreadVariable));
  const problems = [
    ...unread,
    ...found,
    ...crossCheck(entries),
    ...(console.success ? checkConsole(console.data) : []),
  ];
  if (!parsed.success || problems.length > 0) throw configFault(file, problems);
  return parsed.data;
}

/** The right keys of an entry, so that one wrong key does not hide a doubled id in the same entry. */
function readableKeys<Shape extends z.ZodRawShape, Config extends z.core.$ZodObjectConfig>(
  entry: unknown,
  schema: z.ZodObject<Shape, Config>,
) {
  const parsed = schema.safeParse(entry);
  const wrong = new Set(parsed.error?.issues.map(({ path }) => path[0]));
  const fields = z.record(z.string(), z.unknown()).safeParse(entry).data ?? {};
  const right = Object.entries(fields).filter(([key]) => Object.hasOwn(schema.shape, key) && !wrong.has(key));
  return schema.partial().safeParse(Object.fromEntries(right)).data ?? {};
}

function listOf(raw: unknown, key: string): readonly unknown[] {
  return z.looseObject({ [key]: z.array(z.unknown()) }).safeParse(raw).data?.[key] ?? [];
}

function readText(file: string): string {
  try {
    return readUtf8(file);
  } catch (error) {
    throw isFault(error) ? error : unreadConfig(file, error);
  }
}

export function unreadConfig(file: string, error: unknown): Fault {
  return new Fault(isForbidden(error) ? "config.no-right" : "config.not-found", {
    message: existsSync(file)
      ? configReasons.unreadable({ file, detail: messageOf(error) })
      : configReasons.noConfig({ file }),
    place: file,
    cause: error,
  });
}

/** Throws `config.invalid`, which quotes nothing of the text, because the text may hold a secret. */
export function parseConfigJson(written: string, file: string): unknown {
  const text = written.replace(/^\uFEFF/, "");
  const found = findJsonError(text);
  if (found !== null) throw configFault(file, [configProblem("", describeJsonError(text, found))]);
  return JSON.parse(text);
}

/** Reads strict UTF-8, with or without a byte order mark. Throws `config.invalid`, which names the likely encoding. */
export function readUtf8(path: string): string {
  const bytes = readFileSync(path);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    const message = configReasons.notUtf8({ path, encoding: guessEncoding(bytes) });
    throw new Fault("config.invalid", { message, place: path });
  }
}

function guessEncoding(bytes: Uint8Array): string {
  const [first, second] = bytes;
  const isUtf16 = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  return isUtf16 ? "UTF-16" : "an 8-bit encoding, probably windows-1251";
}
