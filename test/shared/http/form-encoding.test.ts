import { encodeForm } from "@fiscald/shared/http/form-encoding.js";

test.each([
  [{ action: "order", kkm: "0001" }, "action=order&kkm=0001"],
  [{ sum: 10.5, yes: true, no: false, none: null, absent: undefined }, "sum=10.5&yes=1&no=0&none="],
  [
    { name: "Чай & кофе=" },
    `name=${encodeURIComponent("Чай").replace(/%20/g, "+")}+%26+${encodeURIComponent("кофе")}%3D`,
  ],
  [
    {
      data: [
        { name: "a", taxes: [{ id: 1 }] },
        { name: "b", taxes: [] },
      ],
    },
    "data%5B0%5D%5Bname%5D=a&data%5B0%5D%5Btaxes%5D%5B0%5D%5Bid%5D=1&data%5B1%5D%5Bname%5D=b",
  ],
])("%j becomes form fields with PHP's brackets", (body, text) => {
  expect(encodeForm(body)).toBe(text);
});
