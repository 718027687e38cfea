/** What `npm run test:all` adds to `npm test`: PostgreSQL, every cut of the contract, crashes, whole programs, browser, campaign. */
import { availableParallelism } from "node:os";
import { ADDED, default as fast } from "./jest.config.js";

process.env.FISCALD_TESTS = "added";

const { testPathIgnorePatterns: _, testMatch: __, ...shared } = fast;
// A third of their time these tests wait for processes of their own.
const maxWorkers = Math.ceil(availableParallelism() * 1.5);
export default {
  ...shared,
  maxWorkers,
  testRegex: [ADDED, "/test/dist/(handlers|drivers/contract|e2e)/.*\\.test\\.js$"],
};
