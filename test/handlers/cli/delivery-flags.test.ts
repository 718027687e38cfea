/** Each option of the delivery API is in the README, and is a flag of `serve` where a command line can give it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { StrictCommand } from "@fiscald/shared/command-line.js";
import express from "express";
import { addServeCommand } from "#handlers/cli/serve-command.js";
import { optionNames } from "#handlers/delivery/check-options.js";
import { mountDelivery } from "#handlers/delivery/mount-delivery.js";
import { root } from "../../support/read-imports.js";

const readme = readFileSync(join(root, "handlers/delivery/README.md"), "utf8");
const [, section = ""] = /## Options\n([\s\S]*?)\n## /.exec(readme) ?? [];
const rows = [...section.matchAll(/^\| `(\w+)` \|.*\|([^|]*)\|$/gm)].map(([, name = "", flag = ""]) => ({
  name,
  flag: flag.trim().replaceAll("`", ""),
}));

test("the README's table of the delivery API has every option, in the order of the program", () => {
  expect(rows.map(({ name }) => name).filter((name) => name !== "mountDelivery")).toEqual(optionNames);
});

test("the flags in the README's table of the delivery API are those of serve", () => {
  const program = new StrictCommand("fiscald-site");
  addServeCommand(program);
  const flags = program.commands[0]?.options.map(({ long }) => long) ?? [];
  const own = ["--port", "--host", "--demo-shop", "--sandbox", "--allow-open-sandbox", "--lang", "--strict"];
  const named = rows.map(({ flag }) => flag).filter((flag) => flag.startsWith("--"));
  expect(flags.filter((flag) => !own.includes(flag ?? "")).toSorted()).toEqual(named.toSorted());
});

test("wrong options of the delivery API are refused at the start, with the name of the nearest option", async () => {
  const options = {
    database: ":memory:",
    publicURL: "https://shop.example",
    bodyLimitBytes: 0,
    registerTimeZone: "Mars",
  };
  await expect(mountDelivery(express(), options)).rejects.toMatchObject({
    code: "config.invalid",
    message: [
      "`bodyLimitBytes` must be at least 1.",
      "`registerTimeZone` must be a time zone such as Europe/Moscow.",
      "`publicURL` is no option; `publicUrl` is.",
    ].join("\n"),
  });
  const address = { database: ":memory:", publicUrl: "shop.example" };
  await expect(mountDelivery(express(), address)).rejects.toThrow("`publicUrl` must be an address such as https://");
});
