import { makePirit } from "./make-pirit.js";

const CODE = "0104601234567893215abc$1D93dGVz";

function selling12() {
  const pirit = makePirit({ ffd: 4 });
  pirit.ask("23", "Иванов");
  return pirit;
}

describe("marking codes at the emulated PIRIT", () => {
  test("the emulated PIRIT refuses marking codes where the register is not registered for them", () => {
    expect(makePirit().ask("79", 1, CODE, 0, 1, 1, 0, 0)).toBe("72");
  });

  test("a marking code that the emulated PIRIT's checks refuse is reported and bound only if it was accepted", () => {
    const { ask } = selling12();
    expect(ask("79", 1, "010460000000000021REJECT-1", 0, 1, 1, 0, 0)).toBe("00|1|5|0|21|0|1");
    expect(ask("79", 2, 0)).toBe("00|2|5");
    expect(ask("79", 2, 1)).toBe("73");
    ask("30", 2, 1, "Иванов");
    expect(ask("79", 15, "010460000000000021REJECT-1", 1, 0, 5, 0)).toBe("7E");
  });

  test.each([
    ["that the drive has no key for", "010460000000000021NOKEY-1", "00|1|12|2|21|0|1"],
    ["that the marking system was not asked about", "010460000000000021OFFLINE-1", "00|1|3|0|||"],
    ["that nobody checked", "010460000000000021NOKEY-OFFLINE", "00|1|0|2|||"],
  ])("the emulated PIRIT reports a marking code %s with the result of its check", (_, code, answer) => {
    expect(selling12().ask("79", 1, code, 0, 1, 1, 0, 0)).toBe(answer);
  });

  test("the emulated PIRIT forgets the checks of marking codes by 79/3 while no document is open", () => {
    const { ask } = selling12();
    ask("79", 1, CODE, 0, 1, 1, 0, 0);
    ask("79", 2, 1);
    expect(ask("79", 0).split("|")[5]).toBe("1");
    expect(ask("79", 3)).toBe("00|3");
    expect(ask("79", 0).split("|")[5]).toBe("0");
  });
});
