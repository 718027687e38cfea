import { z } from "zod";
import type { EmulatedDocument, EmulatorProcess } from "../../../support/emulator-process.js";

/** A document with the numbers that identify its register. */
export interface RegisteredDocument extends EmulatedDocument {
  readonly kkm: string;
  readonly inn: string;
}

const registrationSchema = z.object({ kkm: z.string(), inn: z.string() });

/** Everything in the register's fiscal memory, oldest first, without the `skip` oldest. */
export async function readDocuments(
  register: Pick<EmulatorProcess, "documents" | "get">,
  skip = 0,
): Promise<RegisteredDocument[]> {
  const documents = await register.documents(skip);
  if (documents.length === 0) return [];
  const registration = registrationSchema.parse(await register.get("/state"));
  return documents.map((document) => ({ ...document, ...registration }));
}
