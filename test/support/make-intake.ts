/** Makes the intake of one site from parts that behave as usual; a test gives only the parts that it is about. */
import { OrderIntake } from "@fiscald/daemon/intake/accept-order.js";
import type { OrderIntakeOptions, PolledAnswer } from "@fiscald/daemon/intake/intake-parts.js";
import type { RegistersOfSite } from "@fiscald/daemon/intake/registers-of-site.js";
import { MAX_SUM } from "@fiscald/shared/amounts.js";
import { toInn, toKkm, toRegisterId, toSiteId } from "@fiscald/shared/ids.js";
import { silentLogger } from "@fiscald/shared/logger.js";

export const polledKkm = toKkm("0001234567012345");
export const polledRegister = toRegisterId("till-1");

/** The parts of the intake, with those of its registers. */
export type IntakeParts = Partial<Omit<OrderIntakeOptions, "events" | "registers"> & RegistersOfSite> & {
  readonly events?: Partial<OrderIntakeOptions["events"]>;
};

type Given = Pick<OrderIntakeOptions, "jobs" | "journal" | "clock"> & IntakeParts;

export function makeIntake({ events, ...given }: Given): OrderIntake {
  return new OrderIntake({
    ...{ site: toSiteId("shop"), issuer: "5f0b5f0b", largestReceipt: MAX_SUM, read: { format: "auto" } },
    otherSites: () => [],
    isConfigured: () => true,
    isForgetful: () => false,
    oversights: { note: () => ({ fresh: [], unusual: [] }) },
    log: silentLogger,
    wake() {},
    ...given,
    registers: {
      findRegister: (number) => (number === polledKkm ? polledRegister : null),
      unseenRegister: () => null,
      dayAt: () => "2026-11-20",
      taxListsOf: () => [],
      defaultRowOf: () => null,
      areRowsConfirmed: () => true,
      taxpayerOf: () => ({ inn: toInn("7700000000"), taxSystems: 1 }),
      isInOpenShift: () => true,
      isStillInShiftOf: () => true,
      ...given,
    },
    events: {
      addRefusal() {},
      addFormatError() {},
      resendResult: () => false,
      told: () => "no",
      taxListDeliveredAt: () => 0,
      ...events,
    },
  });
}

/** The site's answer to a poll for one register. */
export function answerOf(body: unknown, over: Partial<PolledAnswer> = {}): PolledAnswer {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return { register: polledRegister, kkm: polledKkm, askedAt: 0, deliveries: 0, leases: false, body: text, ...over };
}

/** A sale in the print-server format. */
export function saleTable({ price = 100, tax = 1, back = false } = {}) {
  return [
    { data: "", type: back ? "OpenCheckReturn" : "OpenCheckSell" },
    { data: "Чай", type: back ? "Return" : "Registration", param: { price, quantity: 1, tax } },
    { data: "", type: "Payment", param: { summ: price, typeClose: 0 } },
    { data: "", type: "CloseCheck" },
  ];
}
