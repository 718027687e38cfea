/** A receipt that the register does not cancel and that a person closes with the maker's own program. */
import { removeBenchFolders } from "../../../support/register-bench.js";
import { openPiritTill } from "../recovery/pirit-till.js";

afterEach(removeBenchFolders);

test("a receipt without an order mark that a person closed stays unsure and is never printed again", async () => {
  const till = openPiritTill({ "cancel-when-paid": "refused" }, (core) => {
    const sum = core.subtotal;
    core.closeReceipt({ payments: [{ typeClose: 0, row: 1, sum }], taxSystem: null, paper: true });
  });
  const { attempts, jobs } = till.bench.stores;
  try {
    await till.start();
    till.addFault({ effect: "silent", when: { command: "31", nth: 1 } });
    const order = till.order();
    await till.until(
      () => attempts.ofJob(order).some(({ doubt }) => doubt !== null) || jobs.get(order).state === "printed",
    );
    expect(jobs.get(order).state).toBe("unsure");
    const [, byHand, ...others] = till.receipts();
    expect(others).toEqual([]);
    expect(till.helped).toBe(1);
    const doubt = { reason: "ambiguous", candidates: [{ fd: byHand?.fd, mark: null }] };
    expect(attempts.ofJob(order).map((attempt) => attempt.doubt)).toMatchObject([doubt]);
    // The register goes on, and nothing of it is printed meanwhile.
    const { state, told, fds } = await till.printOne();
    expect({ state, fds }).toEqual({ state: "printed", fds: [told] });
    expect(jobs.get(order).state).toBe("unsure");
    expect(till.receipts()).toHaveLength(3);
  } finally {
    await till.close();
  }
});
