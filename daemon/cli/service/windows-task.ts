import { win32 } from "node:path";
import { refuseSharedFolder, runs, type ServiceStep, type ServiceSubject } from "./service-plan.js";

/** The Task Scheduler starts the daemon, because Node does not implement the protocol of a Windows service. */
const taskName = "fiscald";
/** Security identifiers of accounts, because the accounts' names depend on the system's language. */
const localService = "S-1-5-19";
const administrators = "S-1-5-32-544";
const system = "S-1-5-18";
const home = "C:\\ProgramData\\fiscald";

export function windowsInstallPlan(subject: ServiceSubject): readonly ServiceStep[] {
  const { configPath, secretFiles } = subject;
  // A config may have `C:/fiscald/data`, but `icacls` does not understand these slashes.
  const [dataFolders, openFolders] = [
    subject.dataFolders.map(win32.normalize),
    subject.openFolders.map(win32.normalize),
  ];
  for (const folder of dataFolders) refuseSharedFolder(folder, configPath, home);
  const isAtHome = win32.normalize(win32.dirname(configPath)).toLowerCase() === home.toLowerCase();
  const taskFile = win32.join(win32.dirname(configPath), "fiscald-task.xml");
  const icacls = (path: string, ...args: readonly string[]) => runs("icacls", [path, ...args]);
  const close = (path: string, full: string, own: string): ServiceStep => {
    const rights = [`*${administrators}:${full}`, `*${system}:${full}`, `*${localService}:${own}`];
    return icacls(path, "/inheritance:r", ...rights.flatMap((right) => ["/grant:r", right]));
  };
  return [
    ...dataFolders.flatMap((folder) => [
      runs("cmd", ["/d", "/c", "if", "not", "exist", folder, "mkdir", folder]),
      openFolders.includes(folder)
        ? icacls(folder, "/grant", `*${localService}:(OI)(CI)M`)
        : close(folder, "(OI)(CI)F", "(OI)(CI)M"),
    ]),
    // The set-up page writes the config into `home`, which is closed to others. Any other folder stays open.
    ...(isAtHome ? [close(home, "(OI)(CI)F", "(OI)(CI)M")] : []),
    close(configPath, "F", isAtHome ? "M" : "R"),
    ...secretFiles.map((file) => close(file, "F", "R")),
    { kind: "write", path: taskFile, text: taskXml(subject), encoding: "utf16le" },
    runs("schtasks", ["/Create", "/TN", taskName, "/XML", taskFile, "/F"]),
    runs("schtasks", ["/Run", "/TN", taskName]),
  ];
}

/** Disabled first, because the task would start again. The next start reads from the registers what was printed. */
export function windowsUninstallPlan(): readonly ServiceStep[] {
  return [
    runs("schtasks", ["/Change", "/TN", taskName, "/DISABLE"], "any"),
    runs("schtasks", ["/End", "/TN", taskName], "any"),
    runs("schtasks", ["/Delete", "/TN", taskName, "/F"]),
  ];
}

export const windowsStatusArgs = ["/Query", "/TN", taskName, "/V", "/FO", "LIST"];

/**
 * The task is triggered every minute and ignored while it runs, so that it restarts after any kind of end. The second
 * trigger is for the time from the installation to the next boot.
 */
function taskXml({ node, main, configPath }: ServiceSubject): string {
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
    <RegistrationTrigger>
      <Enabled>true</Enabled>
      <Repetition>
        <Interval>PT1M</Interval>
        <StopAtDurationEnd>false</StopAtDurationEnd>
      </Repetition>
    </RegistrationTrigger>
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

/** Windows paths contain no quotes. A final backslash is doubled, because it would escape the closing quote. */
function commandWord(text: string): string {
  return /\s/.test(text) ? `"${text.replace(/\\$/, "\\\\")}"` : text;
}

function xmlText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
