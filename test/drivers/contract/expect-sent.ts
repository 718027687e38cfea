import { compareTags } from "@fiscald/drivers/compare-tags.js";
import type { DocumentTags } from "@fiscald/drivers/fiscal-document.js";
import type { ContractWorld } from "./world.js";

/** The document as the driver reads it has every tag that its program sent, with the same value. */
export async function expectSent(world: ContractWorld, sent: DocumentTags | undefined, fd: number): Promise<void> {
  const read = await readTags(world, fd);
  if (sent === undefined || read === undefined) throw new Error("a program or a document without tags");
  const { differences, agreed } = compareTags(sent, read, new Set());
  const tags = [sent.head, ...sent.items].flatMap((values) => Object.keys(values).map(Number));
  expect({ differences, unseen: tags.filter((tag) => !agreed.has(tag)) }).toEqual({ differences: [], unseen: [] });
}

export async function readTags(world: ContractWorld, fd: number): Promise<DocumentTags | undefined> {
  const [document] = await world.live(world.driver.documentsSince(fd - 1, world.signal, fd));
  return document?.tags;
}
