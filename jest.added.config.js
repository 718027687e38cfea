/** What `npm run test:all` adds to `npm test`: PostgreSQL, every cut of the contract, crashes, whole programs, browser, campaign. */
import { ADDED, default as fast } from "./jest.config.js";

process.env.FISCALD_TESTS = "added";

const { testPathIgnorePatterns: _, testMatch: __, ...shared } = fast;
export default { ...shared, testRegex: [ADDED, "/test/dist/(handlers|drivers/contract|e2e)/.*\\.test\\.js$"] };
