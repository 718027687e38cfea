/** What `npm run test:all` adds to `npm test`: PostgreSQL, every cut of the contract, crashes, whole programs, browser, campaign. */
import { availableParallelism } from "node:os";
import { ADDED, default as fast } from "./jest.config.js";

process.env.FISCALD_TESTS = "added";

const { testPathIgnorePatterns: _, testMatch: __, ...shared } = fast;
// A third of their time these tests wait for processes of their own.
const maxWorkers = Math.ceil(availableParallelism() * 1.5);
/** On PostgreSQL what `npm test` runs on SQLite: each statement of the site's side stands in one of these. */
const ON_POSTGRES = [
  "(nodes|sidecar)/.*",
  "store/(open-store|prepared-query)",
  "print-server/(receipts/.*|print-events|superseded-receipts)",
  "delivery/(open-delivery|orders/status-period|callbacks/deliver-callbacks|couriers/courier-sessions)",
  "delivery/(account/(account-table|payment-types|rules)|backend/print-bridge|settling/(handed-out|written-once))",
  "delivery/endpoints/(batches|cabinet-couriers|endpoints|idempotency|tokens)",
];
/** Each runs here what it leaves out of `npm test`. */
const THE_REST = ["drivers/contract/.*", "e2e/order-to-result"];

export default {
  ...shared,
  maxWorkers,
  testRegex: [
    ADDED,
    `/test/dist/handlers/(${ON_POSTGRES.join("|")})\\.test\\.js$`,
    `/test/dist/(${THE_REST.join("|")})\\.test\\.js$`,
  ],
  testPathIgnorePatterns: ["/node_modules/"],
};
