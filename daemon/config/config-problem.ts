import { Fault } from "@fiscald/shared/fault.js";
import { knownKeysAt, nearestWord, schemaNode } from "@fiscald/shared/known-keys.js";
import { z } from "zod";

export interface ConfigProblem {
  /** `sites[0].urls.orders`; "" = the whole file. */
  readonly path: string;
  readonly message: string;
}

/** `sites[0].urls.orders`. */
export function problemPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === "number") return `${text}[${part}]`;
    return text === "" ? String(part) : `${text}.${String(part)}`;
  }, "");
}

/** One fault for all problems; its message has a line for each. */
export function configFault(file: string, problems: readonly ConfigProblem[]): Fault {
  const lines = problems.map(({ path, message }) => `  ${path === "" ? message : `${path}: ${message}`}`);
  const count = problems.length === 1 ? "1 problem" : `${problems.length} problems`;
  return new Fault("config.invalid", {
    message: `${count} in ${file}:\n${lines.join("\n")}`,
    place: problems[0]?.path || file,
    details: { problems },
  });
}

/** What a schema found wrong, in words for the person who wrote the file. */
export function issuesToProblems(schema: z.ZodType, issues: readonly z.core.$ZodIssue[]): readonly ConfigProblem[] {
  return issues.flatMap((issue) => toProblems(schema, issue));
}

function toProblems(schema: z.ZodType, issue: z.core.$ZodIssue): readonly ConfigProblem[] {
  const path = problemPath(issue.path);
  if (issue.code === "unrecognized_keys") {
    const known = knownKeysAt(schemaNode.parse(z.toJSONSchema(schema, { io: "input" })), issue.path);
    return issue.keys.map((key) => {
      const near = nearestWord(key, known);
      const hint = near === null ? `; known keys: ${known.join(", ")}` : `; did you mean \`${near}\`?`;
      return { path: problemPath([...issue.path, key]), message: `there is no such key${hint}` };
    });
  }
  if (issue.code === "invalid_type" && issue.input === undefined && /received undefined/.test(issue.message)) {
    return [{ path, message: `is missing (${issue.expected})` }];
  }
  return [{ path, message: lowerFirst(issue.message) }];
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
