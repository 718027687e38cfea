import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { lowerTierUpBudget } from "@fiscald/daemon/cli/commands/v8-warmup.js";
import { root } from "../../../support/read-imports.js";

function flagsSetFor(v8: string): string[] {
  const flags: string[] = [];
  lowerTierUpBudget(v8, (flag) => flags.push(flag));
  return flags;
}

test("has the V8 of Node 20 compile a function well after less work", () => {
  expect(flagsSetFor("11.3.244.8-node.33")).toEqual(["--interrupt-budget=10000"]);
});

test.each(["12.4.254.21-node.33", "13.6.233.17-node.37"])("leaves V8 %s alone, which compiles soon by itself", (v8) => {
  expect(flagsSetFor(v8)).toEqual([]);
});

test("the V8 of this Node knows every flag that it is given", () => {
  const file = pathToFileURL(join(root, "daemon/dist/cli/commands/v8-warmup.js")).href;
  const script = `import { lowerTierUpBudget } from ${JSON.stringify(file)}; lowerTierUpBudget();`;
  const { status, stderr } = spawnSync(process.execPath, ["--input-type=module", "--eval", script], {
    env: { ...process.env, NODE_OPTIONS: "" },
    encoding: "utf8",
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
});
