/**
 * A site in Node that makes the mistake of its first argument; `right` makes none. Its calls are signed, its order is in
 * memory. Prints `ready PORT`.
 */
import { createHmac, randomUUID, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";

const mistake = process.argv[2] ?? "right";
const secret = process.env.FISCAL_SECRET ?? "";
const kkm = "0001234567012345";
const order = { id: "A-1", state: "paid" };

function isSigned(headers, body) {
  const when = headers["webhook-timestamp"] ?? "";
  if (mistake === "signature-not-compared") return (headers["webhook-signature"] ?? "") !== "";
  const isOld = Math.abs(Date.now() / 1000 - Number(when)) > 300;
  if (!/^\d+$/.test(when) || (isOld && mistake !== "signature-of-any-age")) return false;
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const text = Buffer.concat([Buffer.from(`${headers["webhook-id"]}.${when}.`), body]);
  const mine = Buffer.from(`v1,${createHmac("sha256", key).update(text).digest("base64")}`);
  return (headers["webhook-signature"] ?? "").split(" ").some((one) => {
    const given = Buffer.from(one);
    return given.length === mine.length && timingSafeEqual(given, mine);
  });
}

/** The order as the site tells it; most mistakes are made here. */
function orderAnswer() {
  const item = { price: 120, quantity: 2, tax: 11 };
  const payment = { summ: 240, typeClose: 1 };
  const lines = [
    { type: "OpenCheckSell" },
    { type: "Registration", data: "Чай", param: item },
    { type: "Payment", param: payment },
    { type: "CloseCheck" },
  ];
  const head = { kkm, orderId: order.id };
  switch (mistake) {
    case "sum-in-kopecks":
      item.price = 12000;
      payment.summ = 24000;
      break;
    case "payment-too-small":
      payment.summ = 120;
      break;
    case "type-close":
      payment.typeClose = 7;
      break;
    case "tax-percent":
      item.tax = 22;
      break;
    case "no-close":
      lines.pop();
      break;
    case "no-open":
      lines.shift();
      break;
    case "line-type":
      lines[1].type = "Registraton";
      break;
    case "new-receipt-id":
      head.receiptId = randomUUID();
      break;
    case "kkm-number":
      head.kkm = Number(kkm);
      break;
    case "internet-no-contact":
      head.isInternetPayment = 1;
      head.internetPaymentUrl = "https://shop.example";
      break;
    case "price-comma":
      item.price = "1 990,00";
      payment.summ = "3 980,00";
      break;
    case "quantity-words":
      item.quantity = "2 шт";
      break;
    case "negative-line":
      item.price = -120;
      break;
    case "rate-of-last-year":
      item.tax = 1;
      break;
    case "percent-as-row":
      item.tax = 7;
      break;
    case "no-rate":
      delete item.tax;
      break;
    case "nds":
      item.nds = 22;
      break;
    case "discount":
      item.discount = 40;
      break;
    case "client-contact":
      head.client_contact = "buyer@example.com";
      break;
    case "return-for-sale":
      lines[0].type = "OpenCheckReturn";
      break;
    case "html-entity":
      lines[1].data = "Чай &quot;Люкс&quot;";
      break;
    case "html-tag":
      lines[1].data = "Чай <b>Люкс</b>";
      break;
    case "long-name":
      lines[1].data = "Чай ".repeat(52);
      break;
    case "cut-and-replaced":
      lines[1].data = "Ча\uFFFD";
      break;
    case "cash-on-internet":
      payment.typeClose = 0;
      Object.assign(head, internet);
      break;
    case "number-by-try":
      offers += 1;
      if (offers > 1) head.orderId = `${order.id}/${offers}`;
      break;
    case "done-again":
      if (order.state === "printed") head.orderId = `${order.id}/2`;
      break;
    case "nulls":
      Object.assign(head, { receiptId: null, clientContact: "", attributes: null });
      Object.assign(item, { discountType: null, discountValue: "", unit: null });
      break;
    case "true-for-1":
      Object.assign(head, internet, { isInternetPayment: true });
      break;
    case "phone-in-brackets":
      head.clientContact = "8 (999) 123-45-67";
      break;
    case "sum-of-floats":
      item.price = 0.1 + 0.2;
      payment.summ = 2 * (0.1 + 0.2);
      break;
    case "float-with-a-tail":
      item.quantity = 3;
      payment.summ = 359.96999999999997;
      item.price = 119.99;
      break;
  }
  const answer = JSON.stringify({ response: { ...head, taskTable: lines } });
  switch (mistake) {
    case "wrong-root":
      return answer.replace('"response"', '"order"');
    case "long-order-id":
      return answer.replace('"A-1"', "12345678901234567890");
    case "list-with-holes":
      return JSON.stringify({ response: { ...head, taskTable: { ...lines } } });
    case "response-list":
      return JSON.stringify({ response: [{ ...head, taskTable: lines }] });
    case "trailing-comma":
      return answer.replace(/}}$/, "},}");
    case "byte-order-mark":
      return `\uFEFF${answer}`;
    case "encoded-twice":
      return JSON.stringify(answer);
    case "code-beside-order":
      return answer.replace("{", '{"resultCode":0,"resultInfo":"",');
    default:
      return answer;
  }
}

const internet = {
  isInternetPayment: 1,
  internetPaymentUrl: "https://shop.example",
  clientContact: "buyer@example.com",
};
let offers = 0;

const done = { resultCode: 0 };

/** What is taken for an order that waits, beside a paid one. */
const alsoWaiting = {
  "resells-after-unknown": "unknown",
  "resells-after-late-failure": "failed",
  "done-again": "printed",
};

function isOffered() {
  return order.state === "paid" || order.state === alsoWaiting[mistake];
}

function answerTo(call) {
  switch (call.action) {
    case "order":
      if (isOffered() && call.kkm === kkm) return orderAnswer();
      if (mistake === "status-204") return 204;
      return mistake === "code-on-empty" ? { resultCode: 4, resultInfo: "no orders" } : done;
    case "orderConfirm": {
      if (mistake === "wrong-result-address") return 404;
      const id = mistake === "long-order-id" ? "12345678901234567890" : order.id;
      if (call.orderId !== id) return mistake === "unknown-order" ? 500 : done;
      const isFinal = order.state === "printed" && mistake !== "resells-after-late-failure";
      const isIgnored = call.outcome !== "unknown" && mistake === "offered-after-result";
      if (!isFinal) order.state = isIgnored ? "paid" : call.outcome;
      return done;
    }
    case "sync":
      return mistake === "sync-500" ? 500 : done;
    case "KKMConnected":
    case "KKMDisconnected":
    case "ZReport":
      return done;
    default:
      return mistake === "any-action" ? done : { resultCode: 2, resultInfo: "this action is not known" };
  }
}

const contentTypes = { "text-html": "text/html", "wrong-charset": "application/json; charset=windows-1251" };

const server = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  const send = (status, answer) => {
    const type = contentTypes[mistake] ?? "application/json; charset=utf-8";
    response.writeHead(status, { "content-type": type });
    response.end(typeof answer === "string" ? answer : JSON.stringify(answer));
  };
  if (mistake === "redirect") {
    response.writeHead(302, { location: "/login" }).end();
    return;
  }
  if (!isSigned(request.headers, body)) {
    if (mistake === "quiet-refusal") return send(200, done);
    return send(401, { resultCode: 4, resultInfo: "the signature is wrong" });
  }
  let call;
  try {
    call = JSON.parse(body.toString());
  } catch {
    return send(400, { resultCode: 1, resultInfo: "the body is no JSON" });
  }
  const answer = answerTo(call);
  if (answer === 204) return response.writeHead(204).end();
  return typeof answer === "number"
    ? send(answer, { resultCode: 4 })
    : send(mistake === "status-201" ? 201 : 200, answer);
});
server.listen(0, "127.0.0.1", () => console.log(`ready ${server.address().port}`));
