import { Fault } from "@fiscald/shared/fault.js";
import { judgeAnswer, judgeNetworkFault } from "@fiscald/shared/outbox/classify-response.js";

const judge = (status: number, text = "") =>
  judgeAnswer({ status, headers: {}, text, problem: null }, "https://shop.example/x");

test.each([
  [200, "", "delivered"],
  [204, "", "delivered"],
  [200, "  \n", "delivered"],
  [201, "{}", "delivered"],
  [200, "null", "delivered"],
  [200, "[]", "delivered"],
  [200, '{"resultCode":0,"resultInfo":"ok"}', "delivered"],
  [200, '{"ResultCode":"0"}', "delivered"],
  [200, '{"resultCode":null}', "delivered"],
  [200, '{"resultCode":1}', "refused"],
  [200, '{"resultcode":"4"}', "refused"],
  [200, '{"resultCode":true}', "refused"],
  [200, '{"resultCode":{"toString":0}}', "refused"],
  [200, "<html>Hello</html>", "refused"],
  [400, "", "refused"],
  [404, "no such page", "refused"],
  [422, "{}", "refused"],
  [500, "{}", "failed"],
  [502, "{}", "failed"],
  [302, "{}", "failed"],
  [401, "{}", "outage"],
  [403, "{}", "outage"],
  [407, "{}", "outage"],
  [408, "{}", "outage"],
  [429, "{}", "outage"],
  [503, "{}", "outage"],
  [511, "{}", "outage"],
])("a delivery that the site answers with %d and %j is %s", (status, text, kind) => {
  expect(judge(status, text).kind).toBe(kind);
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
])("a site's answer %d with %.60j is a refusal with the site's own message", (status, text, words) => {
  const delivery = judge(status, text);
  if (delivery.kind !== "refused") throw new Error(`not refused: ${delivery.kind}`);
  expect(delivery.fault.code).toBe("site.refused");
  expect(delivery.fault.message.endsWith(words)).toBe(true);
  expect(delivery.fault.details).toMatchObject({ answer: text.slice(0, 500) });
});

test("a delivery whose answer was lost is an outage with the network's fault, as if nothing had been sent", () => {
  const cause = new Fault("site.timeout");
  expect(judgeNetworkFault(new Fault("site.answer-lost", { cause }))).toEqual({ kind: "outage", fault: cause });
  expect(judgeNetworkFault(cause)).toEqual({ kind: "outage", fault: cause });
});
