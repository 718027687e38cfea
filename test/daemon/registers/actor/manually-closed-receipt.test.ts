/** The register does not cancel a receipt, and a person closes the receipt with the maker's own program. */
import type { FiscalCore } from "@fiscald/emulators/memory/fiscal-core.js";
import { inPiritTill } from "../recovery/pirit-till.js";

test("a receipt without an order mark that a person closed by hand stays unsure and is never printed again", async () => {
  const closeByHand = (core: FiscalCore) => {
    const sum = core.subtotal;
    core.closeReceipt({ payments: [{ typeClose: 0, row: 1, sum }], taxSystem: null, paper: true });
  };
  await inPiritTill(
    async (till) => {
      const { attempts, jobs } = till.bench.stores;
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
      // The register goes on, and does not print the unsure order.
      const { state, told, fds } = await till.printOne();
      expect({ state, fds }).toEqual({ state: "printed", fds: [told] });
      expect(jobs.get(order).state).toBe("unsure");
      expect(till.receipts()).toHaveLength(3);
    },
    { "cancel-when-paid": "refused" },
    closeByHand,
  );
});
