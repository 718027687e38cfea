import { createRequire } from "node:module";
import { explainMissing, loadSqliteLibrary } from "@fiscald/shared/optional-package.js";

const require = createRequire(import.meta.url);

function caught(call: () => unknown): unknown {
  try {
    return call();
  } catch (error) {
    return error;
  }
}

test("requiring an optional package that is missing fails with a message that names the package", () => {
  const error = caught(() => require("no-such-package"));
  const message = "the package bwip-js is not installed";
  expect(explainMissing("bwip-js", error)).toMatchObject({ code: "usage.package-missing", message });
  const requireNothing = Object.assign(() => require("no-such-package"), require);
  expect(caught(() => loadSqliteLibrary(requireNothing))).toMatchObject({
    code: "store.library-missing",
    message: expect.stringMatching(/^the package better-sqlite3(-12)? cannot be loaded$/),
  });
});
