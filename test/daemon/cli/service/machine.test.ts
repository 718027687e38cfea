import { runProcess } from "@fiscald/daemon/cli/service/machine.js";

test.each([
  ["UTF-8", Buffer.from("Отказано").toString("hex")],
  ["code page 866, as on a Russian Windows", "8EE2AAA0A7A0ADAE"],
])("the output of a system program in %s is decoded", async (_page, bytes) => {
  const write = `process.stderr.write(Buffer.from("${bytes}", "hex")); process.exitCode = 1`;
  expect(await runProcess(process.execPath, ["-e", write])).toEqual({ code: 1, output: "Отказано" });
});
