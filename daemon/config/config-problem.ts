import { Fault } from "@fiscald/shared/fault.js";

export interface ConfigProblem {
  /** `sites[0].urls.orders`; "" = the whole file. */
  readonly path: string;
  readonly message: string;
}

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
