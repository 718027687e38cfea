import { win32 } from "node:path";
import type { ServiceStep, ServiceSubject } from "./service-plan.js";

/**
 * On Windows a task of the Task Scheduler: it starts with the computer, before anybody logs in, under the account
 * LocalService. A Windows service proper would need a foreign program: Node does not answer the service manager.
 */
export const taskName = "fiscald";
/** LocalService, whatever the system's language calls it. */
const localService = "S-1-5-19";

export function windowsInstallPlan(subject: ServiceSubject): readonly ServiceStep[] {
  const { configPath, dataFolders, secretFiles } = subject;
  const taskFile = win32.join(win32.dirname(configPath), "fiscald-task.xml");
  const grant = (path: string, right: string): ServiceStep => ({
    kind: "run",
    command: "icacls",
    args: [path, "/grant", `*${localService}:${right}`],
  });
  return [
    ...dataFolders.flatMap((folder): readonly ServiceStep[] => [
      { kind: "run", command: "cmd", args: ["/d", "/c", "if", "not", "exist", folder, "mkdir", folder] },
      grant(folder, "(OI)(CI)M"),
    ]),
    ...[configPath, ...secretFiles].map((file) => grant(file, "R")),
    { kind: "write", path: taskFile, text: taskXml(subject), encoding: "utf16le" },
    { kind: "run", command: "schtasks", args: ["/Create", "/TN", taskName, "/XML", taskFile, "/F"] },
    { kind: "run", command: "schtasks", args: ["/Run", "/TN", taskName] },
  ];
}

/** Disabled first: the task would start again within a minute. Windows ends it at once; what it printed is looked up at the next start. */
export function windowsUninstallPlan(): readonly ServiceStep[] {
  return [
    { kind: "run", command: "schtasks", args: ["/Change", "/TN", taskName, "/DISABLE"], fine: "any" },
    { kind: "run", command: "schtasks", args: ["/End", "/TN", taskName], fine: "any" },
    { kind: "run", command: "schtasks", args: ["/Delete", "/TN", taskName, "/F"] },
  ];
}

export const windowsStatusArgs = ["/Query", "/TN", taskName, "/V", "/FO", "LIST"];

/** Each minute it is started again unless it runs: so it comes back whatever ended it. */
export function taskXml({ node, main, configPath }: ServiceSubject): string {
  const args = [main, "run", "--config", configPath].map(commandWord).join(" ");
  return `<?xml version="1.0" encoding="UTF-16"?>
<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <RegistrationInfo>
    <Description>fiscald: prints the paid orders of web sites on fiscal registrators</Description>
  </RegistrationInfo>
  <Triggers>
    <BootTrigger>
      <Enabled>true</Enabled>
      <Repetition>
        <Interval>PT1M</Interval>
        <StopAtDurationEnd>false</StopAtDurationEnd>
      </Repetition>
    </BootTrigger>
  </Triggers>
  <Principals>
    <Principal id="Service">
      <UserId>${localService}</UserId>
      <RunLevel>LeastPrivilege</RunLevel>
    </Principal>
  </Principals>
  <Settings>
    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>
    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>
    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>
    <AllowHardTerminate>true</AllowHardTerminate>
    <AllowStartOnDemand>true</AllowStartOnDemand>
    <StartWhenAvailable>true</StartWhenAvailable>
    <RunOnlyIfNetworkAvailable>false</RunOnlyIfNetworkAvailable>
    <RunOnlyIfIdle>false</RunOnlyIfIdle>
    <WakeToRun>false</WakeToRun>
    <Hidden>false</Hidden>
    <Enabled>true</Enabled>
    <ExecutionTimeLimit>PT0S</ExecutionTimeLimit>
    <Priority>5</Priority>
    <RestartOnFailure>
      <Interval>PT1M</Interval>
      <Count>255</Count>
    </RestartOnFailure>
  </Settings>
  <Actions Context="Service">
    <Exec>
      <Command>${xmlText(node)}</Command>
      <Arguments>${xmlText(args)}</Arguments>
      <WorkingDirectory>${xmlText(win32.dirname(configPath))}</WorkingDirectory>
    </Exec>
  </Actions>
</Task>
`;
}

/** Paths hold no quotes on Windows; a backslash before the closing one would take it away. */
function commandWord(text: string): string {
  return /\s/.test(text) ? `"${text.replace(/\\$/, "\\\\")}"` : text;
}

function xmlText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
