/** Reads a config that a test writes as an object or as text, with variables and files of the test's own. */
import type { Config } from "@fiscald/daemon/config/config-schema.js";
import { parseConfig } from "@fiscald/daemon/config/load-config.js";
import { isFault } from "@fiscald/shared/fault.js";
import { z } from "zod";

export function parseRaw(raw: unknown, env: Record<string, string> = {}, files: Record<string, string> = {}): Config {
  return parseConfig(typeof raw === "string" ? raw : JSON.stringify(raw), "config.json", {
    folder: "/etc/fiscald",
    env,
    readFile(path) {
      const text = files[path];
      if (text === undefined) throw new Error("no such file");
      return text;
    },
  });
}

/** Each problem has a Russian sentence too. */
const problemsSchema = z.array(z.object({ path: z.string(), message: z.string(), ru: z.string().regex(/[а-яё]{2}/i) }));

/** The problems of a config by their places; a right config has none. */
export function problemsOf(raw: unknown, env: Record<string, string> = {}): Record<string, string> {
  try {
    parseRaw(raw, env);
  } catch (error) {
    if (!isFault(error)) throw error;
    expect(error.code).toBe("config.invalid");
    const problems = problemsSchema.parse(error.details.problems);
    return Object.fromEntries(problems.map(({ path, message }) => [path, message]));
  }
  return {};
}
