import { Fault } from "@fiscald/shared/fault.js";
import type { FaultText } from "@fiscald/shared/fault-codes.js";
import { knownKeysAt, nearestWord, schemaNode } from "@fiscald/shared/known-keys.js";
import { z } from "zod";
import { configReasons } from "../messages/reasons/config-reasons.js";
import { issueReason } from "../messages/reasons/issue-reasons.js";

export interface ConfigProblem {
  /** The key's path, such as `sites[0].urls.orders`; "" = the whole file. */
  readonly path: string;
  readonly message: string;
  readonly ru: string;
}

export function configProblem(path: string, { en, ru }: FaultText): ConfigProblem {
  return { path, message: en, ru };
}

export function problemPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === "number") return `${text}[${part}]`;
    return text === "" ? String(part) : `${text}.${String(part)}`;
  }, "");
}

export function configFault(file: string, problems: readonly ConfigProblem[]): Fault {
  const lines = (text: (problem: ConfigProblem) => string) =>
    problems.map((one) => `  ${one.path === "" ? text(one) : `${one.path}: ${text(one)}`}`).join("\n");
  return new Fault("config.invalid", {
    message: configReasons.problems({
      count: problems.length,
      file,
      lines: {
        en: lines(({ message }) => message),
        ru: lines(({ ru }) => ru),
      },
    }),
    place: problems[0]?.path || file,
    details: { problems },
  });
}

export function issuesToProblems(schema: z.ZodType, issues: readonly z.core.$ZodIssue[]): readonly ConfigProblem[] {
  return issues.flatMap((issue) => toProblems(schema, issue));
}

function toProblems(schema: z.ZodType, issue: z.core.$ZodIssue): readonly ConfigProblem[] {
  if (issue.code === "unrecognized_keys") {
    const known = knownKeysAt(schemaNode.parse(z.toJSONSchema(schema, { io: "input" })), issue.path);
    return issue.keys.map((key) => {
      const near = nearestWord(key, known);
      const text =
        near === null ? configReasons.knownKeys({ keys: known.join(", ") }) : configReasons.meantKey({ near });
      return configProblem(problemPath([...issue.path, key]), text);
    });
  }
  return [configProblem(problemPath(issue.path), issueReason(issue))];
}
