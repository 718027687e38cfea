/** The paper of built receipts on the three usual widths. `FISCALD_WRITE_PREVIEWS=1` writes the files again. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { preview } from "#handlers/print-server/order-body.js";
import { onlineReceipt } from "#handlers/receipts/online-receipt-builder.js";
import { taskTable } from "#handlers/receipts/task-table-builder.js";
import { root } from "../../support/read-imports.js";

const folder = join(root, "test/handlers/receipts/previews");
const tea = { name: "Чай чёрный байховый листовой, 200 г", price: "349.90", quantity: 2, tax: "22 %" } as const;
const cup = { name: "Чашка", price: "1250.00", tax: "22 %" } as const;
const buyer = { contact: "buyer@example.ru", internetUrl: "https://shop.example" };

const receipts = {
  sale: taskTable
    .sale({ orderId: "A-1", ...buyer, cashier: { name: "Иванова А. П." } })
    .item(tea)
    .item({ ...cup, discount: { percent: 10 } })
    .text("Спасибо за покупку!", { bold: true, alignment: "Center" })
    .payRest("electronic"),
  "discount-and-delivery": onlineReceipt
    .sale({ orderId: "A-2", ...buyer })
    .item(tea)
    .item(cup)
    .discount({ roubles: "100.01" })
    .delivery({ price: "300.00", tax: "none" })
    .payment("electronic", "1000.00")
    .payRest("cash"),
  return: taskTable.return({ orderId: "A-3" }).item(tea).payRest("cash"),
  prepayment: onlineReceipt
    .prepayment({ orderId: "A-4", ...buyer, electronicOnly: true })
    .item({ ...tea, tax: "22/122" })
    .payRest("electronic"),
  settlement: taskTable.settlement({ orderId: "A-4", contact: "+79001112233", electronicOnly: true }).item(tea),
  "agent-and-marking": taskTable
    .sale({ orderId: "A-5" })
    .item({ ...cup, agent: { type: "commission_agent", supplierName: "ООО «Ромашка»", supplierInn: "7700000000" } })
    .item({ name: "Сапоги", price: 4990, tax: "22 %", markingCode: "0104600439931256215Qbag!\u001d93Zjqw" })
    .payment("prepayment", 1000)
    .payment("cash", 6000),
};

test.each(Object.entries(receipts))("the preview of the receipt %s is as stored, on three widths", (name, builder) => {
  const texts = [32, 42, 48].map((columns) => preview(builder.build(), { columns }).text.trimEnd());
  const shown = `${texts.join("\n\n")}\n`;
  const path = join(folder, `${name}.txt`);
  if (process.env.FISCALD_WRITE_PREVIEWS === "1") {
    mkdirSync(folder, { recursive: true });
    writeFileSync(path, shown);
  }
  expect(shown).toBe(readFileSync(path, "utf8"));
});
