// npm start: the daemon with config.json, or, where there is none, the example: emulated registers and the demo shop.
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { portsOf, requireFreePorts } from "@fiscald/daemon/cli/busy-ports.js";
import { runCli } from "@fiscald/daemon/cli/program.js";
import { loadConfig } from "@fiscald/daemon/config/load-config.js";
import { startDemoSite } from "@fiscald/handlers";

const atRoot = (name) => fileURLToPath(new URL(`../${name}`, import.meta.url));
const isDemo = !existsSync(atRoot("config.json"));
const path = atRoot(isDemo ? "config.example.json" : "config.json");

const stopping = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => stopping.abort());

try {
  const demo = isDemo ? await startDemo(loadConfig({ path, env: process.env })) : null;
  process.exitCode = await runCli(
    {
      env: process.env,
      folder: process.cwd(),
      out: (text) => process.stdout.write(text),
      err: (text) => process.stderr.write(text),
      stopSignal: stopping.signal,
    },
    ["run", "--config", path],
  );
  await demo?.close();
} catch (error) {
  process.stderr.write(`${[error.message, error.hint?.en, error.hint?.ru].filter(Boolean).join("\n")}\n`);
  process.exitCode = 1;
}

async function startDemo(config) {
  const { hostname, port } = new URL(config.sites[0].urls.orders);
  const shop = { host: hostname, port: Number(port), place: "sites[0].urls (config.example.json)" };
  await requireFreePorts([shop, ...(await portsOf(config))]);
  const demo = await startDemoSite({
    host: hostname,
    port: Number(port),
    database: atRoot("data/demo/shop.sqlite"),
    tapeOf: (kkm, fdNumber) => tapeOf(config, kkm, fdNumber),
  });
  const rows = [
    "DEMO: NOTHING FISCAL HAPPENS",
    "ДЕМОНСТРАЦИЯ: ФИСКАЛЬНЫЕ ЧЕКИ НЕ ПЕЧАТАЮТСЯ",
    "",
    "There is no config.json: the registers are emulators.",
    `Demo shop   ${demo.url}`,
    `Console     http://${config.console.host}:${config.console.port}   its link: npx fiscald console`,
    "",
    "Pay for something in the shop: its receipt appears on the page.",
  ];
  const line = "=".repeat(Math.max(...rows.map((row) => row.length)));
  process.stdout.write(`\n${[line, ...rows, line].join("\n")}\n\n`);
  return demo;
}

/** One document on the paper of the emulated register with this number, from its control port. */
async function tapeOf(config, kkm, fdNumber) {
  const register = config.registers.find(({ connection }) => connection.kind === "emulator" && connection.kkm === kkm);
  if (register?.connection.control === undefined) return null;
  const response = await fetch(`http://${register.connection.control}/tape.png?fd=${fdNumber}`);
  return response.ok ? new Uint8Array(await response.arrayBuffer()) : null;
}
