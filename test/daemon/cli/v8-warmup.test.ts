import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { lowerTierUpBudget } from "@fiscald/daemon/cli/v8-warmup.js";
import { root } from "../../support/read-imports.js";

function flagsSetFor(v8: string): string[] {
  const flags: string[] = [];
  lowerTierUpBudget(v8, (flag) => flags.push(flag));
  return flags;
}

test("the V8 of Node 20 is set to optimize functions earlier", () => {
  expect(flagsSetFor("11.3.244.8-node.33")).toEqual(["--interrupt-budget=10000"]);
});

test.each(["12.4.254.21-node.33", "13.6.233.17-node.37"])(
  "the flags of V8 %s stay as they are: it has a compiler between interpreter and optimizer",
  (v8) => {
    expect(flagsSetFor(v8)).toEqual([]);
  },
);

test("the V8 of this Node accepts the flags that the daemon sets", () => {
  const file = pathToFileURL(join(root, "daemon/dist/cli/v8-warmup.js")).href;
  const script = `import { lowerTierUpBudget } from ${JSON.stringify(file)}; lowerTierUpBudget();`;
  const { status, stderr } = spawnSync(process.execPath, ["--input-type=module", "--eval", script], {
    env: { ...process.env, NODE_OPTIONS: "" },
    encoding: "utf8",
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
});
