import { dirname, posix } from "node:path";
import { Fault } from "@fiscald/shared/fault.js";
import type { ServiceStep, ServiceSubject } from "./service-plan.js";

export const unitPath = "/etc/systemd/system/fiscald.service";
export const serviceUser = "fiscald";
const unitName = "fiscald.service";
const home = "/var/lib/fiscald";

export interface SystemdOptions extends ServiceSubject {
  /** The group that owns serial ports here: `dialout` on Debian; null = there is none. */
  readonly serialGroup: string | null;
}

/** A user of its own, its folders, the unit; then the service runs, now and after each boot. */
export function systemdInstallPlan(options: SystemdOptions): readonly ServiceStep[] {
  const { configPath, dataFolders, secretFiles } = options;
  for (const folder of dataFolders) refuseSharedFolder(folder, configPath);
  const run = (command: string, args: readonly string[], fine?: readonly number[]): ServiceStep =>
    fine === undefined ? { kind: "run", command, args } : { kind: "run", command, args, fine };
  const owned = `${serviceUser}:${serviceUser}`;
  const alreadyThere = 9;
  const account = ["--system", "--user-group", "--home-dir", home, "--no-create-home", "--shell", "/usr/sbin/nologin"];
  return [
    run("useradd", [...account, serviceUser], [0, alreadyThere]),
    ...dataFolders.flatMap((folder) => [run("mkdir", ["-p", folder]), run("chown", ["-R", owned, folder])]),
    ...[configPath, ...secretFiles].flatMap((file) => [
      run("chown", [`root:${serviceUser}`, file]),
      run("chmod", ["0640", file]),
    ]),
    { kind: "write", path: unitPath, text: systemdUnit(options), encoding: "utf8" },
    run("systemctl", ["daemon-reload"]),
    run("systemctl", ["enable", unitName]),
    run("systemctl", ["restart", unitName]),
  ];
}

/** The receipt in hand is finished first; config, data and user stay. */
export function systemdUninstallPlan(): readonly ServiceStep[] {
  return [
    { kind: "run", command: "systemctl", args: ["disable", "--now", unitName], fine: "any" },
    { kind: "remove", path: unitPath },
    { kind: "run", command: "systemctl", args: ["daemon-reload"] },
  ];
}

export const systemdStatusArgs = [
  "show",
  unitName,
  "--property=LoadState,ActiveState,SubState,UnitFileState,MainPID,NRestarts,ActiveEnterTimestamp,StatusText",
];

/** The folder changes its owner, with all that is in it: one that holds other things must not. */
function refuseSharedFolder(folder: string, configPath: string): void {
  const isDeep = folder.split("/").filter((part) => part !== "").length >= 3;
  const holdsConfig = configPath.startsWith(`${folder}/`);
  if (isDeep && (!holdsConfig || folder === home)) return;
  throw new Fault("usage.wrong", {
    message: `${folder} would become the service's own: give it a folder such as ${home}/data in the config`,
    place: folder,
  });
}

/**
 * Hardened: nothing of the system can be written but the data folders, and of the devices only serial ports are there. Not
 * `MemoryDenyWriteExecute`: Node makes machine code while it runs.
 */
export function systemdUnit({ node, main, configPath, dataFolders, serialGroup }: SystemdOptions): string {
  const inHome = [node, main, configPath, ...dataFolders].some((path) => /^\/(home|root|run\/user)\//.test(path));
  return `[Unit]
Description=fiscald: prints the paid orders of web sites on fiscal registrators
Wants=network-online.target
After=network-online.target time-sync.target
# Twenty starts in ten minutes and still not up: a person has to look.
StartLimitIntervalSec=600
StartLimitBurst=20

[Service]
Type=notify
# The messages come from systemd-notify, a child of the daemon.
NotifyAccess=all
ExecStart=${[node, main, "run", "--config", configPath].map(execWord).join(" ")}
WorkingDirectory=${pathWord(dirname(configPath))}
# Values of the config's {"fromEnv": "NAME"}, one NAME=value a line.
EnvironmentFile=-/etc/default/fiscald
Environment=NODE_ENV=production
User=${serviceUser}
Group=${serviceUser}
${serialGroup === null ? "# No group of serial ports was found on this machine." : `SupplementaryGroups=${serialGroup}`}

Restart=on-failure
RestartSec=10
# A wrong config does not mend itself.
RestartPreventExitStatus=2
# A database is checked after a power cut before anything else.
TimeoutStartSec=300
# The receipt in hand is finished, and polls in flight end.
TimeoutStopSec=180
WatchdogSec=60
KillMode=mixed

StateDirectory=fiscald
StateDirectoryMode=0750
ReadWritePaths=${dataFolders.map(listWord).join(" ")}
UMask=0077
ProtectSystem=strict
ProtectHome=${inHome ? "read-only" : "yes"}
PrivateTmp=yes
DevicePolicy=closed
DeviceAllow=char-ttyS rw
DeviceAllow=char-ttyACM rw
DeviceAllow=char-ttyUSB rw
DeviceAllow=char-ttyAMA rw
NoNewPrivileges=yes
CapabilityBoundingSet=
AmbientCapabilities=
ProtectClock=yes
ProtectControlGroups=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
ProtectProc=invisible
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
LockPersonality=yes
RemoveIPC=yes
KeyringMode=private
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallFilter=~@privileged
SystemCallErrorNumber=EPERM

[Install]
WantedBy=multi-user.target
`;
}

/** A word of a command line: variables are read there too. */
function execWord(text: string): string {
  return listWord(text).replaceAll("$", "$$$$");
}

/** A word of a list: systemd reads quotes, backslashes and `%`. */
function listWord(text: string): string {
  const safe = text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("%", "%%");
  return /^[\w@+=:,./%-]+$/.test(safe) ? safe : `"${safe}"`;
}

/** A single path: taken to the end of the line, blanks and all. */
function pathWord(text: string): string {
  return posix.normalize(text).replaceAll("%", "%%");
}
