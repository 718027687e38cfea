/** The public exports of the handler kit's print-server side. The delivery API is `@fiscald/handlers/delivery`. */
export type { Clock, Timer, TimerOptions } from "@fiscald/shared/clock.js";
export { resultCodes } from "@fiscald/shared/exchange/calls.js";
export type { OrderWarning } from "@fiscald/shared/exchange/order-problem.js";
export { Fault, isFault } from "@fiscald/shared/fault.js";
export { createDemoShop } from "./demo-shop/create-demo-shop.js";
export { startDemoSite } from "./demo-shop/start-demo-site.js";
export type {
  HostCallbacks,
  OrderPoll,
  OrderRefused,
  PrintResult,
  ReceiptStage,
  RegisterActivity,
  SignedPoll,
  SyncedRegister,
  ZReport,
} from "./print-server/host-callbacks.js";
export type { CallAuth } from "./print-server/http/call-guard.js";
export {
  createPrintServerRouter,
  type PrintServerRouter,
  type PrintServerRouterOptions,
} from "./print-server/http/create-router.js";
export { createPrintServerPlugin } from "./print-server/http/fastify-plugin.js";
export { createPrintServerHandler, type PrintServerHandler } from "./print-server/http/fetch-handler.js";
export { createTestTill, type TestTill } from "./print-server/http/test-till.js";
export type { OrderAnswer, PlainReceipt } from "./print-server/order-body.js";
export { preview } from "./print-server/order-body.js";
export type { OwnReceiptStore, TestedReceiptStore } from "./print-server/own-receipt-store.js";
export type { PrintEvents, ResultOf } from "./print-server/print-events.js";
export type { EnqueuedMany } from "./print-server/receipts/bulk-enqueue.js";
export type { Enqueued, EnqueueOptions } from "./print-server/receipts/enqueue-receipt.js";
export {
  openReceiptStore,
  type ReceiptStore,
  type ReceiptStoreOptions,
} from "./print-server/receipts/receipt-store.js";
export type { StoredReceipt } from "./print-server/receipts/stored-receipt.js";
export { type ReceiptDatabase, type ReceiptStoreSuite, testReceiptStore } from "./print-server/test-receipt-store.js";
export { type CloudReceiptOptions, fromCloudReceipt } from "./receipts/from-cloud-receipt.js";
export type { AgentInput, DeliveryInput, DiscountInput, ItemInput, TaxRate } from "./receipts/item-input.js";
export { type OnlineReceiptInput, onlineReceipt } from "./receipts/online-receipt-builder.js";
export type { PaymentKind, ReceiptInput } from "./receipts/receipt-input.js";
export { type TaskTableInput, taskTable } from "./receipts/task-table-builder.js";
export type { CallersTransaction, KyselyTransaction, TransactionQueries } from "./store/callers-transaction.js";
export { openStore, type Store } from "./store/open-store.js";
export type { SiteLogger } from "./store/site-logger.js";
