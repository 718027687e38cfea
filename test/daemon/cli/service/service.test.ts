import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CliContext } from "@fiscald/daemon/cli/cli-context.js";
import { cliOptions } from "@fiscald/daemon/cli/options.js";
import type { ProcessResult, ServiceMachine } from "@fiscald/daemon/cli/service/machine.js";
import { manageService } from "@fiscald/daemon/cli/service/service.js";
import { windowsInstallPlan } from "@fiscald/daemon/cli/service/windows-task.js";
import { messagesIn } from "@fiscald/daemon/messages/messages.js";
import { isFault } from "@fiscald/shared/fault.js";
import { startCommand } from "../../../support/command-line.js";
import { fiscald } from "../../../support/daemon-process.js";
import { needing } from "../../../support/has-program.js";
import { rawRegister, rawSite } from "../../../support/raw-config.js";
import { useTempFolder } from "../../../support/temp-folder.js";

const folder = useTempFolder();
let ran: string[];
let out: string;
let answer: (line: string) => ProcessResult;

beforeEach(() => {
  ran = [];
  out = "";
  answer = () => ({ code: 0, output: "" });
  const auth = { kind: "bearer", token: { fromFile: "shop-token" } };
  const till = rawRegister({ driver: "shtrih", connection: { kind: "tcp", host: "10.0.0.5" } });
  const raw = { version: 1, sites: [rawSite("https://shop.example/fiscal", { auth })], registers: [till] };
  mkdirSync(join(folder(), "shop"));
  writeFileSync(join(folder(), "shop/config.json"), JSON.stringify(raw));
  writeFileSync(join(folder(), "shop/shop-token"), "abc");
});

function manage(action: string, machine: Partial<ServiceMachine> = {}, options: object = {}): Promise<number> {
  const context: CliContext = {
    env: {},
    folder: join(folder(), "shop"),
    out: (text) => {
      out += text;
    },
    err: () => {},
    stopSignal: new AbortController().signal,
  };
  const whole: ServiceMachine = {
    platform: "linux",
    node: "/usr/bin/node",
    main: "/usr/lib/node_modules/@fiscald/daemon/dist/main.js",
    isAdministrator: true,
    async run(command, args) {
      const line = [command, ...args].join(" ");
      ran.push(line);
      return answer(line);
    },
    ...machine,
  };
  const session = { context, options: cliOptions.parse(options), given: {}, args: [action] };
  return manageService({ ...session, language: "en", words: messagesIn("en") }, whole);
}

async function faultOf(doing: () => Promise<unknown>): Promise<{ code: string; message: string }> {
  try {
    await doing();
  } catch (error) {
    if (isFault(error)) return error;
    throw error;
  }
  throw new Error("no fault");
}

describe("the service on Linux", () => {
  test("service install --dry-run prints the unit and every command and executes nothing", async () => {
    expect(await manage("install", { isAdministrator: false }, { dryRun: true })).toBe(0);
    expect(ran).toEqual([]);
    const data = join(folder(), "shop/data");
    for (const text of [
      "useradd --system",
      `chown -R fiscald:fiscald ${data}`,
      `chown root:fiscald ${join(folder(), "shop/shop-token")}`,
      "# writes /etc/systemd/system/fiscald.service",
      `ExecStart=/usr/bin/node /usr/lib/node_modules/@fiscald/daemon/dist/main.js run --config ${join(folder(), "shop/config.json")}`,
      "systemctl daemon-reload",
      "systemctl enable fiscald.service",
    ]) {
      expect(out).toContain(text);
    }
  });

  test("service install ends at a failed step and names its command and output", async () => {
    answer = (line) => (line.startsWith("useradd") ? { code: 1, output: "useradd: no" } : { code: 0, output: "" });
    const { code, message } = await faultOf(() => manage("install"));
    expect([code, message]).toEqual(["service.failed", expect.stringMatching(/useradd --system .*useradd: no/)]);
    expect(ran).toEqual([
      "groupadd --system --force fiscald",
      expect.stringMatching(/^useradd --system --gid fiscald /),
    ]);
  });

  test("service uninstall gives systemctl as much time as the receipt that is being printed and a start may take", async () => {
    const waits: (number | undefined)[] = [];
    const run: ServiceMachine["run"] = async (command, _args, options) => {
      if (command === "systemctl") waits.push(options?.timeoutMs);
      return { code: 0, output: "" };
    };
    await manage("uninstall", { run });
    expect(Math.min(...waits.map((ms = 60_000) => ms))).toBeGreaterThan((180 + 300) * 1000);
  });

  test("service install accepts an existing user, and prints a failed mkdir as a command that can be typed", async () => {
    const isMkdir = (line: string) => /^mkdir.*магазин/.test(line);
    answer = (line) => ({ code: line.startsWith("useradd") ? 9 : isMkdir(line) ? 1 : 0, output: "" });
    const path = join(folder(), "shop/config.json");
    writeFileSync(
      path,
      JSON.stringify({ ...JSON.parse(readFileSync(path, "utf8")), database: "мой магазин/db.sqlite" }),
    );
    // The path is quoted, so that a person can type the command.
    expect((await faultOf(() => manage("install"))).message).toContain(`mkdir -p "${folder()}/shop/мой магазин"`);
  });

  test.each([
    ["/fiscald.sqlite", "/"],
    ["/var/lib/fiscald.sqlite", "/var/lib"],
    ["fiscald.sqlite", "shop"],
    ["/usr/lib/fiscald/fiscald.sqlite", "/usr/lib/fiscald"],
    ["/etc/systemd/system/fiscald.sqlite", "/etc/systemd/system"],
  ])("service install refuses a database at %s, whose folder the service would own", async (database, place) => {
    const path = join(folder(), "shop/config.json");
    writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, "utf8")), database }));
    const { code, message } = await faultOf(() => manage("install", {}, { dryRun: true }));
    expect([code, message]).toEqual(["usage.wrong", expect.stringContaining(`${place} would become`)]);
  });

  test("service install refuses an invalid config and executes nothing", async () => {
    writeFileSync(join(folder(), "shop/config.json"), "{}");
    expect((await faultOf(() => manage("install"))).code).toBe("config.invalid");
    expect(ran).toEqual([]);
  });

  test("service status reads the answer of systemd", async () => {
    answer = () => ({ code: 0, output: "LoadState=loaded\nActiveState=active\nStatusText=console at http://x" });
    expect(await manage("status", {}, { json: true })).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      installed: true,
      running: true,
      facts: { StatusText: "console at http://x" },
    });
    answer = () => ({ code: 0, output: "LoadState=not-found\nActiveState=inactive" });
    out = "";
    expect(await manage("status")).toBe(1);
    expect(out).toContain("is not installed");
  });
});

test.each(["install", "uninstall"])("service %s is refused without an administrator's rights", async (action) => {
  expect(await faultOf(() => manage(action, { isAdministrator: false }))).toMatchObject({ code: "usage.wrong" });
});

test.each([
  ["explode", {}],
  ["install", { platform: "darwin" } as const],
])("`service %s` on a machine with %j is refused as wrong usage", async (action, machine) => {
  expect((await faultOf(async () => manage(action, machine))).code).toBe("usage.wrong");
});

describe("the service on Windows", () => {
  const withPython = needing("python3");
  const subject = {
    node: "C:\\Program Files\\nodejs\\node.exe",
    main: "C:\\fiscald\\node_modules\\@fiscald\\daemon\\dist\\main.js",
    configPath: "C:\\ProgramData\\Shop & Co\\config.json",
    dataFolders: ["C:/ProgramData/Shop & Co/data", "C:\\ProgramData\\Shop & Co\\page"],
    openFolders: ["C:\\ProgramData\\Shop & Co\\page"],
    secretFiles: [],
  };

  withPython.test(
    `the Windows task starts with the computer and is triggered every minute, as LocalService${withPython.reason}`,
    () => {
      const write = windowsInstallPlan(subject).find(({ kind }) => kind === "write");
      if (write?.kind !== "write") throw new Error("nothing is written");
      expect(write).toMatchObject({ path: "C:\\ProgramData\\Shop & Co\\fiscald-task.xml", encoding: "utf16le" });
      const script = `
import json, sys, xml.etree.ElementTree as et
task = et.fromstring(sys.stdin.read().replace('encoding="UTF-16"', ""))
flat = {e.tag.split("}")[1]: e.text for e in task.iter() if e.text and e.text.strip()}
print(json.dumps(flat))`;
      const facts = JSON.parse(execFileSync("python3", ["-c", script], { input: write.text, encoding: "utf8" }));
      expect(facts).toMatchObject({
        Interval: "PT1M",
        UserId: "S-1-5-19",
        MultipleInstancesPolicy: "IgnoreNew",
        ExecutionTimeLimit: "PT0S",
        StopIfGoingOnBatteries: "false",
        Command: subject.node,
        Arguments: `${subject.main} run --config "${subject.configPath}"`,
        WorkingDirectory: "C:\\ProgramData\\Shop & Co",
      });
    },
  );

  test("service install on Windows closes data, config and secrets to other users before it starts the task", () => {
    const lines = windowsInstallPlan(subject).flatMap((step) =>
      step.kind === "run" ? [[step.command, ...step.args].join(" ")] : [],
    );
    const data = "C:\\ProgramData\\Shop & Co\\data";
    const [page] = subject.openFolders;
    const folderRights =
      "/inheritance:r /grant:r *S-1-5-32-544:(OI)(CI)F /grant:r *S-1-5-18:(OI)(CI)F /grant:r *S-1-5-19:(OI)(CI)M";
    expect(lines).toEqual([
      `cmd /d /c if not exist ${data} mkdir ${data}`,
      `icacls ${data} ${folderRights}`,
      `cmd /d /c if not exist ${page} mkdir ${page}`,
      `icacls ${page} /grant *S-1-5-19:(OI)(CI)M`,
      `icacls ${subject.configPath} /inheritance:r /grant:r *S-1-5-32-544:F /grant:r *S-1-5-18:F /grant:r *S-1-5-19:R`,
      "schtasks /Create /TN fiscald /XML C:\\ProgramData\\Shop & Co\\fiscald-task.xml /F",
      "schtasks /Run /TN fiscald",
    ]);
  });

  test("service install on Windows closes the set-up's folder and lets the page write the config in it", () => {
    const configPath = "C:\\ProgramData\\Fiscald\\config.json";
    const lines = windowsInstallPlan({ ...subject, configPath, dataFolders: [], openFolders: [] }).flatMap((step) =>
      step.kind === "run" && step.command === "icacls" ? step.args.join(" ") : [],
    );
    expect(lines).toEqual([
      "C:\\ProgramData\\fiscald /inheritance:r /grant:r *S-1-5-32-544:(OI)(CI)F /grant:r *S-1-5-18:(OI)(CI)F /grant:r *S-1-5-19:(OI)(CI)M",
      `${configPath} /inheritance:r /grant:r *S-1-5-32-544:F /grant:r *S-1-5-18:F /grant:r *S-1-5-19:M`,
    ]);
  });

  test.each(["C:\\Users", "C:\\ProgramData\\Shop & Co", "C:\\windows\\System32", "D:\\Program Files (x86)\\Shop"])(
    "service install on Windows refuses data in the folder %s, because the service would own other files there",
    (folder) => {
      expect(() => windowsInstallPlan({ ...subject, dataFolders: [folder] })).toThrow("would become the service's own");
    },
  );

  test("service uninstall on Windows disables the task first, and accepts a task that does not run", async () => {
    answer = (line) => ({ code: line.includes("/End") ? 1 : 0, output: "" });
    expect(await manage("uninstall", { platform: "win32" })).toBe(0);
    expect(ran).toEqual([
      "schtasks /Change /TN fiscald /DISABLE",
      "schtasks /End /TN fiscald",
      "schtasks /Delete /TN fiscald /F",
    ]);
  });

  test("service status on Windows prints the scheduler's answer in any language", async () => {
    answer = () => ({ code: 0, output: "Имя задачи: \\fiscald" });
    expect(await manage("status", { platform: "win32" })).toBe(0);
    expect(out).toContain("Имя задачи");
    answer = () => ({ code: 1, output: "ОШИБКА" });
    expect(await manage("status", { platform: "win32" })).toBe(1);
  });
});

const onLinux = process.platform === "linux" ? test : test.skip;
onLinux("service install --dry-run names this machine's Node, its fiscald and its serial ports", async () => {
  const ended = await startCommand(join(folder(), "shop"), "service install --dry-run").ended;
  expect(ended).toMatchObject({ code: 0, err: "" });
  expect(ended.out).toContain(
    `ExecStart=${process.execPath} ${fiscald} run --config ${join(folder(), "shop/config.json")}`,
  );
  expect(await startCommand(folder(), "service explode").ended).toMatchObject({ code: 2 });
});

test("the tests of the service wrote nothing on this machine", () => {
  expect(existsSync("/etc/systemd/system/fiscald.service")).toBe(false);
});
