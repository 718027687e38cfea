import { createKeptReads } from "@fiscald/daemon/store/rows/kept-reads.js";

function makeReads() {
  const db = { inTransaction: false };
  const asked: string[] = [];
  const kept = createKeptReads(db);
  let answer: string | null = "old";
  const read = kept.keep((table: string, id: number) => {
    asked.push(`${table} ${id}`);
    return answer;
  });
  const answerWith = (next: string | null) => {
    answer = next;
  };
  return { db, asked, kept, read, answerWith };
}

test("a kept read asks the database once for its arguments, even when nothing is found", () => {
  const { read, asked, answerWith } = makeReads();
  expect([read("jobs", 1), read("jobs", 1), read("jobs", 2)]).toEqual(["old", "old", "old"]);
  answerWith(null);
  expect([read("sites", 1), read("sites", 1)]).toEqual([null, null]);
  expect(asked).toEqual(["jobs 1", "jobs 2", "sites 1"]);
});

test("a read that is kept asks the database again after its store is told to forget", () => {
  const { read, kept, answerWith } = makeReads();
  read("jobs", 1);
  answerWith("new");
  kept.forget();
  expect(read("jobs", 1)).toBe("new");
});

test("what a transaction reads after its own write is not kept, because the transaction may be rolled back", () => {
  const { db, read, kept, answerWith } = makeReads();
  read("jobs", 1);
  db.inTransaction = true;
  expect(read("jobs", 1)).toBe("old");
  kept.forget();
  answerWith("rolled back");
  expect(read("jobs", 1)).toBe("rolled back");
  db.inTransaction = false;
  answerWith("old");
  expect(read("jobs", 1)).toBe("old");
});
