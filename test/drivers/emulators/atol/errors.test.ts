import { codeOfRefusal, describeCode } from "@fiscald/emulators/atol/errors.js";

/** The maker's manual: 409 bad code, 416 no marked position, 420 not checked. */
test("a refused marking code is reported by the emulated ATOL with the reference's own error numbers", () => {
  expect([codeOfRefusal("mark-rejected"), codeOfRefusal("mark-unchecked")]).toEqual([409, 420]);
  expect([409, 416, 420].map(describeCode)).toEqual([
    "Некорректный код маркировки",
    "Нет маркированной позиции",
    "Код маркировки не проверен",
  ]);
});
