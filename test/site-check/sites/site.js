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
  if (!/^\d+$/.test(when) || Math.abs(Date.now() / 1000 - Number(when)) > 300) return false;
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
  const item = { price: 120, quantity: 2, tax: 1 };
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
  }
  const answer = JSON.stringify({ response: { ...head, taskTable: lines } });
  if (mistake === "wrong-root") return answer.replace('"response"', '"order"');
  return mistake === "long-order-id" ? answer.replace('"A-1"', "12345678901234567890") : answer;
}

const done = { resultCode: 0 };

function answerTo(call) {
  switch (call.action) {
    case "order":
      if (order.state === "paid" && call.kkm === kkm) return orderAnswer();
      return mistake === "code-on-empty" ? { resultCode: 4, resultInfo: "no orders" } : done;
    case "orderConfirm": {
      if (mistake === "wrong-result-address") return 404;
      const id = mistake === "long-order-id" ? "12345678901234567890" : order.id;
      if (call.orderId !== id) return mistake === "unknown-order" ? 500 : done;
      if (order.state !== "printed" && mistake !== "offered-after-result") order.state = call.outcome;
      return done;
    }
    case "sync":
    case "KKMConnected":
    case "KKMDisconnected":
    case "ZReport":
      return done;
    default:
      return mistake === "any-action" ? done : { resultCode: 2, resultInfo: "this action is not known" };
  }
}

const server = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  const send = (status, answer) => {
    response.writeHead(status, { "content-type": "application/json; charset=utf-8" });
    response.end(typeof answer === "string" ? answer : JSON.stringify(answer));
  };
  if (mistake === "redirect") {
    response.writeHead(302, { location: "/login" }).end();
    return;
  }
  if (!isSigned(request.headers, body)) return send(401, { resultCode: 4, resultInfo: "the signature is wrong" });
  let call;
  try {
    call = JSON.parse(body.toString());
  } catch {
    return send(400, { resultCode: 1, resultInfo: "the body is no JSON" });
  }
  const answer = answerTo(call);
  return typeof answer === "number" ? send(answer, { resultCode: 4 }) : send(200, answer);
});
server.listen(0, "127.0.0.1", () => console.log(`ready ${server.address().port}`));
