import { Fault } from "@fiscald/shared/fault.js";
import { judgeAnswer, judgeNetworkFault } from "@fiscald/shared/outbox/classify-response.js";

const judge = (status: number, text = "") =>
  judgeAnswer({ status, headers: {}, text, problem: null }, "https://shop.example/x");

test.each([
  [200, ""],
  [204, ""],
  [200, "  \n"],
  [201, "{}"],
  [200, "null"],
  [200, "[]"],
  [200, '{"resultCode":0,"resultInfo":"ok"}'],
  [200, '{"ResultCode":"0"}'],
  [200, '{"resultCode":null}'],
])("a site's answer %d with %j means delivered", (status, text) => {
  expect(judge(status, text)).toEqual({ kind: "delivered" });
});

test.each([
  [200, '{"resultCode":1}'],
  [200, '{"resultcode":"4"}'],
  [200, '{"resultCode":true}'],
  [200, "<html>Hello</html>"],
  [400, ""],
  [404, "no such page"],
  [422, "{}"],
])("a site's answer %d with %j is a refusal by a live site", (status, text) => {
  expect(judge(status, text)).toMatchObject({ kind: "refused", fault: { code: "site.refused" } });
});

test.each([
  [
    200,
    '{"resultCode":5,\r\n"resultInfo":"no such order"}',
    'resultCode 5: {"resultCode":5, "resultInfo":"no such order"}',
  ],
  [404, "no such page", "compare the address in `sites[].urls`: no such page"],
  [400, "", "answered 400"],
  [400, "x".repeat(5_000), `answered 400: ${"x".repeat(200)}`],
])("a site's answer %d with %.60j is a refusal in the site's own words", (status, text, words) => {
  const { message } = expectRefusal(judge(status, text));
  expect(message.endsWith(words)).toBe(true);
});

function expectRefusal(delivery: ReturnType<typeof judge>): Fault {
  if (delivery.kind !== "refused") throw new Error(`not refused: ${delivery.kind}`);
  return delivery.fault;
}

test.each([
  [500, "failed"],
  [502, "failed"],
  [302, "failed"],
  [401, "outage"],
  [403, "outage"],
  [407, "outage"],
  [408, "outage"],
  [429, "outage"],
  [503, "outage"],
  [511, "outage"],
])("a delivery answered with status %d is tried again: %s", (status, kind) => {
  expect(judge(status, "{}").kind).toBe(kind);
});

test("a site's refusal keeps the site's answer in the fault's details", () => {
  expect(judge(200, '{"resultCode":4,"resultInfo":"нет заказа"}')).toMatchObject({
    fault: { details: { answer: '{"resultCode":4,"resultInfo":"нет заказа"}' } },
  });
});

test("a delivery whose answer was lost is judged by the network's fault alone", () => {
  const cause = new Fault("site.timeout");
  expect(judgeNetworkFault(new Fault("site.answer-lost", { cause }))).toEqual({ kind: "outage", fault: cause });
  expect(judgeNetworkFault(cause)).toEqual({ kind: "outage", fault: cause });
});
