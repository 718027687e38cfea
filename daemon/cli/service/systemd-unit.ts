import { dirname, posix } from "node:path";
import { refuseSharedFolder, runs, type ServiceStep, type ServiceSubject } from "./service-plan.js";

const unitPath = "/etc/systemd/system/fiscald.service";
const serviceUser = "fiscald";
const unitName = "fiscald.service";
const home = "/var/lib/fiscald";

export interface SystemdOptions extends ServiceSubject {
  /** The group that owns the serial ports, `dialout` on Debian; null: there is none. */
  readonly serialGroup: string | null;
}

export function systemdInstallPlan(options: SystemdOptions): readonly ServiceStep[] {
  const { configPath, dataFolders, secretFiles } = options;
  for (const folder of dataFolders) refuseSharedFolder(folder, configPath, home);
  const owned = `${serviceUser}:${serviceUser}`;
  /** Exit code of `useradd` for an existing user. */
  const userExists = 9;
  const account = `--system --gid ${serviceUser} --home-dir ${home} --no-create-home --shell /usr/sbin/nologin`;
  return [
    // A group outlives its user while the group has other members.
    runs("groupadd", ["--system", "--force", serviceUser]),
    runs("useradd", [...account.split(" "), serviceUser], [0, userExists]),
    ...dataFolders.flatMap((folder) => [runs("mkdir", ["-p", folder]), runs("chown", ["-R", owned, folder])]),
    ...[configPath, ...secretFiles].flatMap((file) => [
      runs("chown", [`root:${serviceUser}`, file]),
      runs("chmod", ["0640", file]),
    ]),
    { kind: "write", path: unitPath, text: systemdUnit(options), encoding: "utf8" },
    runs("systemctl", ["daemon-reload"]),
    runs("systemctl", ["enable", unitName]),
    runs("systemctl", ["restart", unitName]),
  ];
}

/** The receipt that is being printed is finished first. Config, data and user stay. */
export function systemdUninstallPlan(): readonly ServiceStep[] {
  return [
    runs("systemctl", ["disable", "--now", unitName], "any"),
    { kind: "remove", path: unitPath },
    runs("systemctl", ["daemon-reload"]),
  ];
}

export const systemdStatusArgs = [
  "show",
  unitName,
  "--property=LoadState,ActiveState,SubState,UnitFileState,MainPID,NRestarts,ActiveEnterTimestamp,StatusText",
];

/**
 * The hardened unit: the daemon can write to its data folders only and sees no devices except serial ports.
 * `MemoryDenyWriteExecute` is not set, because Node generates machine code at run time.
 */
export function systemdUnit({ node, main, configPath, dataFolders, serialGroup }: SystemdOptions): string {
  const inHome = [node, main, configPath, ...dataFolders].some((path) => /^\/(home|root|run\/user)\//.test(path));
  return `[Unit]
Description=fiscald: prints the paid orders of web sites on fiscal registrators
Wants=network-online.target
After=network-online.target time-sync.target
# A package is installed before there is a config.
ConditionPathExists=${pathWord(configPath)}
# After twenty starts in ten minutes systemd gives up, and a person must find the cause.
StartLimitIntervalSec=600
StartLimitBurst=20

[Service]
Type=notify
# The messages are sent by systemd-notify, a child process of the daemon.
NotifyAccess=all
ExecStart=${[node, main, "run", "--config", configPath].map(execWord).join(" ")}
WorkingDirectory=${pathWord(dirname(configPath))}
# Values of {"fromEnv": "NAME"} in the config: one NAME=value per line.
EnvironmentFile=-/etc/default/fiscald
Environment=NODE_ENV=production
# All threads share one heap, so that what one of them gave back is used again.
Environment=MALLOC_ARENA_MAX=1
User=${serviceUser}
Group=${serviceUser}
${serialGroup === null ? "# No group of serial ports was found on this machine." : `SupplementaryGroups=${serialGroup}`}

Restart=on-failure
RestartSec=10
# A wrong config needs a person: no restart.
RestartPreventExitStatus=2
# After a power cut the start checks the database first.
TimeoutStartSec=300
# The receipt that is being printed and running polls are finished.
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

/** In a command line systemd also expands `$` variables. */
function execWord(text: string): string {
  return listWord(text).replaceAll("$", "$$$$");
}

/** In a list systemd interprets quotes, backslashes and `%`. */
function listWord(text: string): string {
  const safe = text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("%", "%%");
  return /^[\w@+=:,./%-]+$/.test(safe) ? safe : `"${safe}"`;
}

/** A single path extends to the end of the line and may contain blanks. */
function pathWord(text: string): string {
  return posix.normalize(text).replaceAll("%", "%%");
}
