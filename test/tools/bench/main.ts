/** npm run bench [-- NAME... --json --awake --short]; `--awake` keeps the processors awake meanwhile (awake.ts). */
import { readCommandLine, refuseUse } from "../tool-options.js";
import { keepAwake } from "./measuring/awake.js";
import type { Figure } from "./measuring/figure.js";

interface Bench {
  run(): Promise<readonly Figure[]> | AsyncIterable<Figure>;
}

const benches: Readonly<Record<string, () => Promise<Bench>>> = {
  delivery: () => import("./delivery.js"),
  "delivery-fleet": () => import("./delivery-fleet.js"),
  fleet: () => import("./fleet.js"),
  history: () => import("./history.js"),
  kit: () => import("./kit.js"),
  memory: () => import("./memory.js"),
  page: () => import("./page.js"),
  receipt: () => import("./receipt.js"),
  silent: () => import("./silent-register.js"),
  "site-fleet": () => import("./site-fleet.js"),
  size: () => import("./size.js"),
  start: () => import("./start.js"),
  waking: () => import("./waking.js"),
  wire: () => import("./wire.js"),
};

const tool = {
  usage: `npm run bench [-- NAME... OPTIONS]

  NAME      ${Object.keys(benches).join(", ")}; without one all of them
  --json    one line of JSON for each figure
  --awake   keeps the processors awake meanwhile
  --short   a fraction of the work, to see that it runs: its figures mean nothing`,
};

const { positionals, values } = readCommandLine(tool, {
  allowPositionals: true,
  options: {
    json: { type: "boolean", default: false },
    awake: { type: "boolean", default: false },
    short: { type: "boolean", default: false },
  },
});
const names = positionals.length > 0 ? positionals : Object.keys(benches);
const loads = names.map((name) => benches[name] ?? refuseUse(tool, `there is no benchmark ${name}`));

// The browser's driver catches the signals and closes only the browser; a run might then wait for ever.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));

const missed: string[] = [];
const letSleep = values.awake ? keepAwake() : () => {};
try {
  for (const load of loads) {
    for await (const figure of await (await load()).run()) {
      process.stdout.write(`${values.json ? JSON.stringify(figure) : toText(figure)}\n`);
      if (figure.met === false) missed.push(figure.name);
    }
  }
  if (!values.json)
    process.stdout.write(`${missed.length} targets missed${missed.map((name) => `\n  ${name}`).join("")}\n`);
} finally {
  letSleep();
}

function toText({ name, figure, unit, beside, ratio, target, met, note }: Figure): string {
  const others = Object.entries(beside).map(([key, value]) => `${key} ${value} ${unit}`);
  const parts = [`${figure} ${unit}`, ...others];
  if (ratio !== null) parts.push(`ratio ${ratio}`);
  if (target !== null) parts.push(`target ${target}: ${met === true ? "met" : "missed"}`);
  if (note !== undefined) parts.push(note);
  return `${name.padEnd(36)} ${parts.join(", ")}`;
}
