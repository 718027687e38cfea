/** The demo shop's page: a cart in memory, one request to pay, server-sent events for the receipt. */

const roubles = new Intl.NumberFormat("ru-RU", { style: "currency", currency: "RUB" });
const byId = (id) => document.getElementById(id);

const cart = new Map();
let goods = [];

const stateTexts = {
  queued: "Оплачено. Ждём, когда касса заберёт чек…",
  handed: "Касса печатает чек…",
  printed: "Чек пробит",
  failed: "Касса не смогла пробить чек",
  unknown: "Касса не уверена, пробит ли чек: второй раз он не печатается",
  replaced: "Заменён другим чеком",
};

const kopecksOf = (good) => Math.round(Number(good.price) * 100);
const formatKopecks = (kopecks) => roubles.format(kopecks / 100);

function fromTemplate(id, texts) {
  const node = byId(id).content.firstElementChild.cloneNode(true);
  for (const [name, text] of Object.entries(texts)) node.querySelector(`.${name}`).textContent = text;
  return node;
}

function showGoods() {
  byId("goods").replaceChildren(
    ...goods.map((good) => {
      const { id, title, note } = good;
      const item = fromTemplate("good-template", { title, note, price: formatKopecks(kopecksOf(good)) });
      item.querySelector(".picture").src = `pictures/${id}.svg`;
      item.querySelector("button").addEventListener("click", () => change(id, 1));
      return item;
    }),
  );
}

function change(id, step) {
  const count = Math.min(99, (cart.get(id) ?? 0) + step);
  if (count > 0) cart.set(id, count);
  else cart.delete(id);
  showCart();
}

function showCart() {
  const lines = goods.filter((good) => cart.has(good.id));
  byId("cart").replaceChildren(
    ...lines.map((good) => {
      const count = cart.get(good.id);
      const sum = formatKopecks(kopecksOf(good) * count);
      const line = fromTemplate("line-template", { title: good.title, count, sum });
      line.querySelector(".less").addEventListener("click", () => change(good.id, -1));
      line.querySelector(".more").addEventListener("click", () => change(good.id, 1));
      return line;
    }),
  );
  const total = lines.reduce((sum, good) => sum + kopecksOf(good) * cart.get(good.id), 0);
  byId("total").textContent = formatKopecks(total);
  byId("cart-empty").hidden = lines.length > 0;
  byId("pay").disabled = lines.length === 0;
}

async function pay() {
  // The browser explains a wrong address in the reader's language.
  if (!byId("email").reportValidity()) return;
  byId("pay").disabled = true;
  byId("problem").hidden = true;
  const order = {
    items: [...cart].map(([id, count]) => ({ id, count })),
    payment: document.querySelector("input[name=payment]:checked").value,
    email: byId("email").value.trim(),
  };
  try {
    const answer = await fetch("api/orders", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(order),
    });
    const body = await answer.json();
    if (!answer.ok) throw new Error(body.error);
    cart.clear();
    watchReceipt(body);
  } catch (error) {
    byId("problem").textContent = `Не получилось: ${error.message}`;
    byId("problem").hidden = false;
  } finally {
    showCart();
  }
}

function watchReceipt({ orderId, receiptId }) {
  const card = fromTemplate("receipt-template", {});
  card.querySelector("h3").textContent = `Заказ ${orderId}`;
  byId("receipts").prepend(card);
  const address = `api/receipts/${receiptId}`;
  const live = new EventSource(`${address}/live`);
  live.addEventListener("message", (event) => {
    const receipt = JSON.parse(event.data);
    showReceipt(card, receipt, address);
    if (["printed", "failed", "replaced"].includes(receipt.state)) live.close();
  });
}

function showReceipt(card, receipt, address) {
  card.dataset.state = receipt.state;
  const took = receipt.tookMs === null ? "" : ` за ${(receipt.tookMs / 1000).toFixed(1).replace(".", ",")} с`;
  card.querySelector(".state").textContent =
    receipt.state === "printed" ? `${stateTexts.printed}${took}` : stateTexts[receipt.state];
  const result = receipt.result ?? {};
  showNumbers(card.querySelector(".numbers"), [
    ["Сумма", receipt.total === null ? null : formatKopecks(receipt.total)],
    ["ФД №", result.fdNumber],
    ["Фискальный признак", result.fiscalSign],
    ["Смена", result.shiftNumber],
    ["Касса", result.kkm],
    ["ФН", result.fn],
    ["Сообщение", receipt.state === "printed" ? null : result.resultInfo],
  ]);
  card.querySelector(".link").replaceChildren(...(result.link ? [linkTo(result.link)] : []));
  showPaper(card.querySelector(".paper"), receipt, address);
}

function linkTo(address) {
  const link = document.createElement("a");
  link.href = address;
  link.target = "_blank";
  link.rel = "noopener noreferrer";
  link.textContent = "Электронный чек";
  return link;
}

function showNumbers(list, rows) {
  list.replaceChildren(
    ...rows
      .filter(([, value]) => value)
      .flatMap(([title, value]) => {
        const [term, text] = [document.createElement("dt"), document.createElement("dd")];
        term.textContent = title;
        text.textContent = value;
        return [term, text];
      }),
  );
}

/** The register's own tape if there is one, else the receipt as the shop draws it. */
function showPaper(image, { state, hasTape }, address) {
  const drawn = `${address}/paper.svg?${state}`;
  image.onerror = () => {
    image.onerror = null;
    image.src = drawn;
  };
  image.src = hasTape ? `${address}/tape.png` : drawn;
}

async function start() {
  goods = await (await fetch("api/goods")).json();
  showGoods();
  showCart();
  byId("pay").addEventListener("click", pay);
}

void start();
