// Starts the built product on the example config, pays for something in the demo shop and waits for its receipt.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const limitMs = 60_000;
const product = spawn(process.execPath, [fileURLToPath(new URL("../start.js", import.meta.url))], {
  stdio: ["ignore", "pipe", "inherit"],
});
const ended = new Promise((resolve) => product.once("close", resolve));
const timer = setTimeout(() => fail(`no receipt in ${limitMs} ms`), limitMs);

let shop = null;
let bought = false;
const banner = [];
for await (const line of createInterface({ input: product.stdout })) {
  console.log(line);
  if (!bought) banner.push(line);
  shop ??= /^Demo shop\s+(\S+)/.exec(line)?.[1] ?? null;
  // The register's number reaches the shop with the sync call: from then on it can sell.
  if (!bought && shop !== null && /kind=sync event delivered/.test(line)) {
    bought = true;
    checkBanner(banner.join("\n"));
    await buy(shop);
    product.kill("SIGTERM");
  }
}
clearTimeout(timer);
const code = await ended;
if (code !== 0) fail(`the product ended with ${code}`);
console.log("smoke: one receipt printed and reported");

/** Nobody may take this for a real register, nor have to look for its pages. */
function checkBanner(text) {
  const wanted = [
    /DEMO: NOTHING FISCAL HAPPENS/,
    /ФИСКАЛЬНЫЕ ЧЕКИ НЕ ПЕЧАТАЮТСЯ/,
    /^Demo shop\s+http:\/\/\S+/m,
    /^Console\s+http:\/\/\S+/m,
  ];
  for (const pattern of wanted) if (!pattern.test(text)) fail(`the banner lacks ${pattern}`);
}

async function buy(url) {
  const [good] = await (await fetch(`${url}/api/goods`)).json();
  const paidAt = performance.now();
  const order = await fetch(`${url}/api/orders`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ items: [{ id: good.id, count: 2 }], payment: "electronic", email: "buyer@example.com" }),
  });
  if (order.status !== 201) fail(`the shop answered ${order.status}: ${await order.text()}`);
  const { receiptId } = await order.json();
  const live = await fetch(`${url}/api/receipts/${receiptId}/live`, { signal: AbortSignal.timeout(limitMs) });
  const views = (await live.text())
    .trim()
    .split("\n\n")
    .map((text) => JSON.parse(text.replace(/^data: /, "")));
  const last = views.at(-1);
  console.log(JSON.stringify(last));
  if (last.state !== "printed") fail("the receipt was not printed");
  // Only shown: a machine that does other things as well is slower than the second that is promised.
  console.log(`smoke: printed ${Math.round(performance.now() - paidAt)} ms after paying`);
}

function fail(why) {
  console.error(`smoke: ${why}`);
  product.kill("SIGKILL");
  process.exit(1);
}
