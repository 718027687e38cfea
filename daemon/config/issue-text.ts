import { knownKeysAt, nearestWord, schemaNode } from "@fiscald/shared/known-keys.js";
import { z } from "zod";
import { type ConfigProblem, problemPath } from "./config-problem.js";

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
