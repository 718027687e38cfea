/** Calls the tools of this folder as a person does who does not know their options. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { root } from "../support/read-imports.js";

function call(file: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, "test/dist", file), ...args], {
    encoding: "utf8",
  });
  return { status, stdout, stderr };
}

test("a tool that is called with --help shows its options", () => {
  const { status, stdout, stderr } = call("tools/campaign/main.js", "--help");
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(stdout).toMatch(/^npm run fault-campaign .*\n {2}--cases /s);
});

test.each([
  ["fault-campaign", "tools/campaign/main.js", ["--bogus"], "Unknown option '--bogus'"],
  [
    "fault-campaign",
    "tools/campaign/main.js",
    ["--part", "cut"],
    "--part must be one of cuts, service, random, all, not 'cut'",
  ],
  ["money-model", "tools/money-model/main.js", ["--runs", "few"], "--runs must be a whole number from 1 on"],
  ["bench", "tools/bench/main.js", ["recept"], "there is no benchmark recept"],
])(
  "the tool %s with a wrong option names the mistake and the existing options, and does nothing else",
  (name, file, args, problem) => {
    const { status, stdout, stderr } = call(file, ...args);
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr.startsWith(problem)).toBe(true);
    expect(stderr).toContain(`\nnpm run ${name} `);
    expect(stderr).not.toMatch(/^ +at /m);
  },
);
