/** The heap of a process of its own that makes and drops objects all the time, because V8's flags are the process's. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { startChild } from "../support/child-process.js";
import { root } from "../support/read-imports.js";

const MADE = 3_000_000;
const KEPT = 200_000;

const work = `
  import ${JSON.stringify(pathToFileURL(join(root, "daemon/dist/small-heap.js")).href)};
  import { setImmediate } from "node:timers/promises";
  import { getHeapSpaceStatistics } from "node:v8";

  const space = (name) => getHeapSpaceStatistics().find(({ space_name }) => space_name === name);
  const kept = [];
  let most = 0;
  for (let made = 0; made < ${MADE}; made += 1) {
    kept[made % ${KEPT}] = { made, text: String(made) };
    if (made % 10_000 > 0) continue;
    most = Math.max(most, space("old_space").space_size);
    await setImmediate();
  }
  gc();
  const inUse = space("old_space").space_used_size;
  console.log(kept.length, space("new_space").space_size / 2 ** 20, most / inUse);
`;

test("the heap stays small in a program that drops as many objects as it makes", async () => {
  const child = startChild(["--expose-gc", "--input-type=module", "-e", work]);
  const [, newObjectsMb, oldTimesInUse] = await child.line(new RegExp(`^${KEPT} (\\S+) (\\S+)$`));
  expect(Number(newObjectsMb)).toBeLessThanOrEqual(8);
  expect(Number(oldTimesInUse)).toBeLessThan(3.5);
});
