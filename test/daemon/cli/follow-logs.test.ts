import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type StartedCommand, startCommand } from "../../support/command-line.js";
import { writeRawConfig } from "../../support/raw-config.js";
import { useTempFolder } from "../../support/temp-folder.js";
import { waitFor } from "../../support/wait-for.js";

const folder = useTempFolder();
const fileOf = (day: number) => join(folder(), "data", "logs", `fiscald-2026-11-${day}.log`);
const line = (day: number, text: string) => `2026-11-${day} 14:03:22.118 INFO registers ${text}\n`;
const textsIn = (output: string) => output.match(/(?<=registers )\w+/g);

const followers: StartedCommand[] = [];
afterEach(() => {
  for (const follower of followers.splice(0)) follower.stop();
});

beforeEach(() => {
  mkdirSync(join(folder(), "data", "logs"), { recursive: true });
  writeRawConfig(folder(), { log: {} });
});

test("logs -f shows new lines of the asked level, and loses none when the next day's file begins", async () => {
  writeFileSync(fileOf(19), line(19, "first"));
  const follower = startCommand(folder(), "logs -f --level info");
  followers.push(follower);
  await waitFor("the old line is shown", () => follower.output().includes("first"));
  appendFileSync(fileOf(19), `${line(19, "hidden").replace("INFO", "DEBUG")}${line(19, "last")}`);
  writeFileSync(fileOf(20), line(20, "next"));
  await waitFor("the new day is shown", () => follower.output().includes("next"));
  follower.stop();
  expect((await follower.ended).code).toBe(0);
  expect(textsIn(follower.output())).toEqual(["first", "last", "next"]);
});

test("logs --json prints each log line as one JSON object", async () => {
  writeFileSync(fileOf(20), "2026-11-20 14:03:22.118+03:00 WARN registers register=till paper is low order=A-1\n");
  const { code, out } = await startCommand(folder(), "logs --json").ended;
  expect([code, out.split("\n").length]).toEqual([0, 2]);
  expect(JSON.parse(out)).toEqual({
    ...{ at: "2026-11-20T14:03:22.118+03:00", level: "WARN", namespace: "registers" },
    text: "register=till paper is low order=A-1",
  });
});

test("a line that is written while logs -f shows older lines is shown once, after the older lines", async () => {
  writeFileSync(fileOf(19), line(19, "first"));
  writeFileSync(fileOf(20), line(20, "second"));
  let output = "";
  const follower = startCommand(folder(), "logs -f --days 2", {
    out: (text) => {
      output += text;
      if (text.includes("first")) appendFileSync(fileOf(20), line(20, "third"));
      if (text.includes("second")) appendFileSync(fileOf(20), line(20, "fourth"));
    },
  });
  followers.push(follower);
  await waitFor("all of it is shown", () => output.includes("fourth"));
  follower.stop();
  await follower.ended;
  expect(textsIn(output)).toEqual(["first", "second", "third", "fourth"]);
});
