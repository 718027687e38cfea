/** A site in plain JavaScript has no compiler: what it forgets is a sentence that names the option. */
import { isFault } from "@fiscald/shared/fault.js";
import { silentLogger } from "@fiscald/shared/logger.js";
import { createPrintServerRouter } from "#handlers/print-server/http/create-router.js";
import { createTestTill } from "#handlers/print-server/http/test-till.js";

/** As JavaScript calls it. */
const callWith = (made: (options: never) => unknown, options: object) => Reflect.apply(made, undefined, [options]);

function sentence(call: () => unknown): string {
  try {
    call();
  } catch (error) {
    return isFault(error) ? `${error.code}: ${error.message}` : String(error);
  }
  return "accepted";
}

test.each([
  [{ auth: undefined }, "`auth` must be like"],
  [{ auth: null }, "`auth` must be like"],
  [{ auth: "s3cret" }, "`auth` must be like"],
  [{ auth: [] }, "`auth` is an empty list"],
  [{ auth: {} }, "`auth.kind` is missing: there are signature, bearer"],
  [{ auth: { kind: "hmac", secret: "s3cret" } }, '`auth.kind` is "hmac": there are signature, bearer'],
  [{ auth: { kind: "signature" } }, "`auth.secret` is missing: is the environment variable set"],
  [{ auth: { kind: "signature", secret: undefined } }, "`auth.secret` is missing"],
  [{ auth: { kind: "signature", secret: "s3cret !" } }, "`auth.secret` of a signature must be base64"],
  [{ auth: { kind: "bearer", secret: "s3cret" } }, "`auth.token` is missing"],
  [{ auth: { kind: "bearer", token: 12345 } }, "`auth.token` must be text, not a number"],
  [{ auth: { kind: "bearer", token: "" } }, "`auth.token` is empty: is the environment variable set"],
  [{ auth: { kind: "basic", user: "till" } }, "`auth.password` is missing"],
  [{ auth: { kind: "header", value: "s3cret" } }, "`auth.name` is missing"],
  [{ auth: { kind: "query" } }, "`auth.secret` is missing"],
  [{ auth: [{ kind: "bearer", token: "s3cret" }, { kind: "bearer" }] }, "`auth[1].token` is missing"],
  [{ nextReceipt: undefined }, "`store` is missing"],
  [{ store: Promise.resolve({}) }, "`store` is a promise: write `await openReceiptStore(...)`"],
  [{ store: "data.sqlite" }, "`store` must be a receipt store, not a string"],
])("%j", (given, expected) => {
  const said = sentence(() =>
    callWith(createPrintServerRouter, {
      nextReceipt: () => null,
      logger: silentLogger,
      auth: { kind: "none" },
      ...given,
    }),
  );
  expect(said).toContain(`config.invalid: ${expected}`);
  expect(said).not.toMatch(/s3cret|12345/);
});

test("a test till names its secret too", () => {
  const till = { site: "http://127.0.0.1:1", auth: { kind: "signature" } };
  expect(sentence(() => callWith(createTestTill, till))).toContain("`auth.secret` is missing");
});
