/** What `npm run test:all` adds to `npm test`: PostgreSQL, every cut of the contract, crashes, whole programs, browser, campaign. */
import { availableParallelism } from "node:os";
import { ADDED, default as fast } from "./jest.config.js";

process.env.FISCALD_TESTS = "added";

const { testPathIgnorePatterns: _, testMatch: __, ...shared } = fast;
// A third of their time these tests wait for processes of their own.
const maxWorkers = Math.ceil(availableParallelism() * 1.5);
/** Tests that ask for no database and for no tier: `npm test` has run them as they are. */
const THE_SAME =
  "/test/dist/handlers/(cli/(delivery|receipt)-commands|demo-shop/.*|receipts/.*|delivery/openapi/.*|delivery/catalog/.*|print-server/(http/.*|daemon-client|override-rules))\\.test\\.js$";
export default {
  ...shared,
  maxWorkers,
  testRegex: [
    ADDED,
    "/test/dist/(handlers|drivers/contract)/.*\\.test\\.js$",
    "/test/dist/e2e/order-to-result\\.test\\.js$",
  ],
  testPathIgnorePatterns: ["/node_modules/", THE_SAME],
};
