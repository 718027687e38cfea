import { maskSecrets, secretsIn } from "@fiscald/daemon/logging/mask.js";
import { maskFreeText, maskWordsInFrames } from "@fiscald/daemon/logging/mask-free-text.js";
import iconv from "iconv-lite";

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes)
    .toString("hex")
    .toUpperCase()
    .replaceAll(/..(?=.)/g, "$& ");
}

test("the support bundle has only the length of a text that a site has printed, in its order and in the receipt", () => {
  const taskTable = [
    { type: "String", data: "Козлов Игорь, ул. Тайная 17" },
    { Type: "STRING", Data: "" },
    { type: "Registration", data: "Чай" },
    { type: [{ toString: "" }], data: "Козлов" },
  ];
  const story = {
    order: { body: JSON.stringify({ response: { taskTable } }), odd: "{no JSON" },
    receipt: { lines: [{ type: "text", content: { kind: "text", text: "Козлов" }, style: { font: 0 } }] },
    tries: 3,
    fault: null,
  };
  const masked = {
    ...story,
    order: {
      body: JSON.stringify({
        response: {
          taskTable: [
            { type: "String", data: "*** (27 letters)" },
            ...taskTable.slice(1, 3),
            { type: [{ toString: "" }], data: "*** (6 letters)" },
          ],
        },
      }),
      odd: "{no JSON",
    },
    receipt: { lines: [{ type: "text", content: { kind: "text", text: "*** (6 letters)" }, style: { font: 0 } }] },
  };
  expect(maskFreeText(story)).toEqual(masked);
});

test.each(["cp1251", "cp866", "utf8"])(
  "Russian words in a frame are masked, and numbers beside them are not: %s",
  (page) => {
    const name = hexOf(iconv.encode("Сидорова Мария", page));
    const frame = `in FF 0C 1E 00 00 00 FD 03 0E 00 ${name} 31 32 33 10 27 00 00 end`;
    const masked = maskWordsInFrames(frame);
    expect(masked).not.toContain(hexOf(iconv.encode("Сидор", page)));
    expect(masked).toBe(frame.replace(name, name.replace(/\S+/g, "**")));
  },
);

test.each([
  "FF 0C 1E 00 00 00 FF FF FF FF FF FF 05 06 C1",
  "02 11 FF 45 1E 00 00 00 80 96 98 00 00 37 39 31 36 31 32 33 34 35 36 37 5A",
  "EE EE and words: Сидорова 80 81",
])("bytes in a frame that are no text, and Russian words outside of a frame, stay as they are: %s", (text) => {
  expect(maskWordsInFrames(text)).toBe(text);
});

test("a password of digits is found in frames even when a file gives the password as text", () => {
  const secrets = secretsIn({ options: { operatorPassword: "784512369" } });
  expect(maskSecrets("02 05 71 B5 C2 2E 10", secrets)).toBe("02 05 ** ** ** ** 10");
});
