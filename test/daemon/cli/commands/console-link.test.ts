import { browserCommand } from "@fiscald/daemon/cli/commands/console-link.js";

const link = "http://127.0.0.1:5480/enter?key=abc";

test.each([
  ["linux", {}, "xdg-open", link],
  ["darwin", {}, "open", link],
  ["win32", { SystemRoot: "D:\\Windows" }, "D:\\Windows\\explorer.exe", `"${link}"`],
  ["win32", {}, "C:\\Windows\\explorer.exe", `"${link}"`],
] as const)(
  "on %s the desktop's own program opens the console's link, and no other program of the same name: %j",
  (platform, env, program, argument) => {
    expect(browserCommand(link, platform, env)).toEqual({ program, args: [argument] });
  },
);
