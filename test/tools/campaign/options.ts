import { oneOf, readCommandLine, refuseUse, wholeNumber } from "../tool-options.js";
import { findMakers, type MakerRow, makerRows } from "./processes/makers.js";
import { nets } from "./processes/nets.js";

const parts = ["cuts", "service", "random", "all"];
const makers = [...new Set(makerRows.flatMap(({ name, maker }) => [name, maker]))];

const tool = {
  usage: `npm run fault-campaign [-- OPTIONS]

  --part NAME       ${parts.join(", ")}; default all
  --maker NAMES     all, or with commas between them: ${makers.join(", ")}
  --cases N         so many cases of each part; without it every cut, and 200 cases of the random part
  --seed S          which cases are chosen, 1 by default; the seed that a failed random case names repeats that case alone
  --parallel N      so many at a time; default 2
  --shard I/N       the I-th of N parts of the cases; default 1/1
  --resume FILE     leaves out the cases that are named in the file, and adds those that ended well
  --only CASE       one case by its name; may be given again, for cases that were killed together
  --keep FOLDER     where the logs of failed cases are kept
  --off NET         takes a net away, to see the campaign notice: ${nets.join(", ")}
  --first           ends with the first failure

Exits 1 when anything was lost, doubled, wrongly reported, unreported, unsure where it need not be, or differs unnoticed.`,
};

/** Exits when the command line is wrong. */
export function readOptions() {
  const { values } = readCommandLine(tool, {
    options: {
      part: { type: "string", default: "all" },
      maker: { type: "string", default: "all" },
      cases: { type: "string" },
      seed: { type: "string", default: "1" },
      shard: { type: "string", default: "1/1" },
      parallel: { type: "string", default: "2" },
      resume: { type: "string" },
      keep: { type: "string" },
      off: { type: "string" },
      first: { type: "boolean", default: false },
      only: { type: "string", multiple: true },
    },
  });
  const { resume, keep, first, only } = values;
  return {
    part: oneOf(tool, "part", values.part, parts),
    rows: rowsOf(values.maker),
    cases: values.cases === undefined ? null : wholeNumber(tool, "cases", values.cases),
    seed: wholeNumber(tool, "seed", values.seed, 0),
    shard: shardOf(values.shard),
    parallel: wholeNumber(tool, "parallel", values.parallel),
    off: values.off === undefined ? undefined : oneOf(tool, "off", values.off, nets),
    ...{ resume, keep, first, only },
  };
}

function rowsOf(names: string): readonly MakerRow[] {
  for (const name of names.split(",")) oneOf(tool, "maker", name, ["all", ...makers]);
  return findMakers(names);
}

function shardOf(text: string): { readonly number: number; readonly of: number } {
  const [number = 0, of = 0] = /^\d+\/\d+$/.test(text) ? text.split("/").map(Number) : [];
  if (number >= 1 && number <= of) return { number, of };
  return refuseUse(tool, `--shard must be I/N with I from 1 to N, not '${text}'`);
}
