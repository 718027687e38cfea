/** Makes `docs/COMPARED-TAGS.md`: which tags each maker is sent, which are read back and which are compared. */
import { compareTags } from "@fiscald/drivers/compare-tags.js";
import type { DocumentTags } from "@fiscald/drivers/fiscal-document.js";
import { driverNames } from "@fiscald/drivers/registry.js";
import { documentBody } from "@fiscald/emulators/memory/document-body.js";
import type { FiscalTag } from "@fiscald/emulators/memory/fiscal-tag.js";
import { kopecks } from "@fiscald/shared/amounts.js";
import { itemsOf, type SaleReceipt, totalOf } from "@fiscald/shared/receipt/receipt.js";
import { readTags } from "../drivers/contract/expect-sent.js";
import { inWorld } from "../drivers/contract/world.js";
import { fiscalTags } from "./fiscal-tags.js";
import {
  at22,
  entrances,
  type Ffd,
  makerSubjects,
  registerForTwoTaxSystems,
  rowsByPosition,
  type TagRow,
} from "./tag-samples.js";

/** The key is the tag. A container counts by the tags inside it. */
export type MeasuredTags = ReadonlyMap<number, TagUse>;

export interface TagUse {
  /** The document of a receipt that names the tag has it. */
  readonly sent: boolean;
  readonly read: boolean;
  readonly compared: boolean;
}

/** Tags inside 1084, 1260 and 1270. */
const innerNames: ReadonlyMap<number, string> = new Map([
  [1085, "дополнительный реквизит пользователя: имя"],
  [1086, "дополнительный реквизит пользователя: значение, иначе номер заказа"],
  [1262, "отраслевой реквизит: орган власти"],
  [1263, "отраслевой реквизит: дата"],
  [1264, "отраслевой реквизит: номер"],
  [1265, "отраслевой реквизит: значение"],
  [1271, "операционный реквизит: идентификатор"],
  [1272, "операционный реквизит: данные"],
  [1273, "операционный реквизит: время"],
]);
const containers: readonly number[] = [1084, 1260, 1270];
/** Tags that each receipt has, without a key of its own. */
const ofEachReceipt: readonly number[] = [
  ...[1054, 1020, 1031, 1081, 1215, 1216, 1217, 1125, 1187],
  ...[1059, 1030, 1079, 1023, 1043, 1199],
];

const notCompared: ReadonlyMap<number, string> = new Map([[1273, "makers show this time in forms of their own"]]);

/** Makers store the code in several forms. */
const SIGN_ONLY = "sign only: whether there is a code, not which one";
const signsOnly: ReadonlyMap<number, string> = new Map([
  [1162, SIGN_ONLY],
  [1163, SIGN_ONLY],
]);

export function uncomparedTags(tags: MeasuredTags): readonly number[] {
  return [...tags]
    .filter(([tag, { sent, compared }]) => sent && !compared && !notCompared.has(tag))
    .map(([tag]) => tag);
}

/** The key is the maker. Registers of both formats are measured, because some tags exist in one format only. */
export async function measureTags(): Promise<ReadonlyMap<string, MeasuredTags>> {
  const measured = new Map<string, MeasuredTags>();
  for (const maker of driverNames) {
    const [old, newer] = [await measureOn(maker, 2), await measureOn(maker, 4)];
    const any = (tag: number, what: keyof TagUse) => [old, newer].some((tags) => tags.get(tag)?.[what] === true);
    measured.set(
      maker,
      new Map(
        allTags.map((tag) => [tag, { sent: any(tag, "sent"), read: any(tag, "read"), compared: any(tag, "compared") }]),
      ),
    );
  }
  return measured;
}

const ITEM = 1059;
const PAYMENT_KINDS = 5;
/** Tag 2108 of a position that is sold by weight. */
const KILOGRAM = 11;

const allTags: readonly number[] = [
  ...ofEachReceipt,
  ...fiscalTags.flatMap(({ tag, fate }) => (fate.kind === "carried" && !containers.includes(tag) ? [tag] : [])),
  ...innerNames.keys(),
].sort((one, other) => one - other);

async function measureOn(maker: (typeof driverNames)[number], ffd: Ffd): Promise<MeasuredTags> {
  let found: MeasuredTags = new Map();
  await inWorld(makerSubjects[maker](ffd), async (world) => {
    await registerForTwoTaxSystems(world);
    const asked = allOf(rowsByPosition(maker, ffd)[0] ?? []);
    const receipt = at22(asked, world.taxOf(11));
    await world.openShift();
    const [program] = await world.compile(receipt, { mark: "A-1 01234567.89abcdef" });
    if (program?.sent === undefined) throw new Error(`${maker} compiles no receipt`);
    const outcome = await world.run(program);
    if (outcome.kind !== "printed") throw new Error(`${maker} prints no receipt`);
    const read = await readTags(world, world.lastReceipt.fd);
    if (read === undefined) throw new Error(`the document of ${maker} cannot be read`);
    const stored = leavesOf(documentBody(world.lastReceipt, world.register.core.registration));
    const { agreed } = compareTags(program.sent, read, new Set());
    const [told, seen] = [keysOf(program.sent), keysOf(read)];
    found = new Map(
      allTags.map((tag) => {
        const sent = stored.has(tag) || told.has(tag);
        return [tag, { sent, read: sent && seen.has(tag), compared: agreed.has(tag) }];
      }),
    );
  });
  return found;
}

/**
 * A receipt with all tags, on the internet, paid in all forms. Its second position is sold by weight, because a
 * document does not name the measure of pieces, and a marked position is sold in pieces.
 */
function allOf(rows: readonly TagRow[]): SaleReceipt {
  const receipt = entrances["the online format"]?.(rows);
  if (receipt?.kind !== "receipt") throw new Error("no receipt");
  const byWeight = itemsOf(receipt).map((item) => ({ ...item, markingCode: null, subject: 1, measure: KILOGRAM }));
  const lines = [...receipt.lines, ...byWeight];
  const sum = kopecks(totalOf({ ...receipt, lines }) / PAYMENT_KINDS);
  const payments = Array.from({ length: PAYMENT_KINDS }, (_, typeClose) => ({ typeClose, sum }));
  return { ...receipt, lines, payments, internet: { url: "https://shop.example" } };
}

function leavesOf(tags: readonly FiscalTag[]): ReadonlySet<number> {
  return new Set(tags.flatMap((tag) => [tag.tag, ...("items" in tag ? leavesOf(tag.items) : [])]));
}

function keysOf({ head, items }: DocumentTags): ReadonlySet<number> {
  return new Set([ITEM, ...[head, ...items].flatMap((values) => Object.keys(values).map(Number))]);
}

export function comparedTagsPage(measured: ReadonlyMap<string, MeasuredTags>): string {
  const makers = [...measured.keys()];
  const names = new Map([...fiscalTags.map(({ tag, name }) => [tag, name] as const), ...innerNames]);
  const rows = allTags.map((tag) => ({
    tag,
    cells: makers.map((maker) => cellOf(measured.get(maker)?.get(tag))),
    reason: notCompared.get(tag) ?? signsOnly.get(tag) ?? "",
  }));
  const isPlain = ({ cells, reason }: (typeof rows)[number]) =>
    reason === "" && cells.every((cell) => cell === COMPARED);
  const plain = rows.filter(isPlain).map(({ tag }) => `${tag} ${names.get(tag) ?? ""}`);
  const others = rows.filter((row) => !isPlain(row));
  return [
    "# Tags that are compared",
    "",
    "`npm run docs` makes this page with the emulated registers of each maker: which tags of a receipt they are sent, which",
    "are read back of its document, and which of those are compared.",
    "",
    "The emulators are our own: their decoders are written from the makers' manuals, apart from the drivers. They show that",
    "both sides read the manuals alike. How a real register does it, its first document shows, which is compared there.",
    "",
    `These tags are sent to the registers of all makers (${makers.join(", ")}), read back and compared:`,
    "",
    ...(`${plain.join("; ")}.`.match(/.{1,119}(?= |$)/g) ?? []).map((line) => line.trim()),
    "",
    "A correction has 1173, 1178 and 1179 too, and one of FFD 1.05 its sums by rate, 1102 to 1107 and 1115, in place of",
    "positions. They are compared where they are sent.",
    "",
    "These are not, or not by their whole value:",
    "",
    `| Tag | Name | ${makers.join(" | ")} | |`,
    `|---|---|${makers.map(() => "---|").join("")}---|`,
    ...others.map(({ tag, cells, reason }) => `| ${[tag, names.get(tag) ?? "", ...cells, reason].join(" | ")} |`),
    "",
  ].join("\n");
}

const COMPARED = "sent, read, compared";

function cellOf(use: TagUse | undefined): string {
  if (use?.sent !== true) return "not sent";
  const steps = ["sent", ...(use.read ? ["read"] : []), ...(use.compared ? ["compared"] : [])];
  return steps.join(", ");
}
