import { formatLine, type LogEvent } from "@fiscald/daemon/logging/line-format.js";
import { Fault } from "@fiscald/shared/fault.js";

const at = new Date(2026, 10, 20, 14, 3, 22, 118).getTime();

const zone = (() => {
  const minutes = -new Date(at).getTimezoneOffset();
  const two = (value: number) => String(Math.floor(value)).padStart(2, "0");
  return `${minutes < 0 ? "-" : "+"}${two(Math.abs(minutes) / 60)}:${two(Math.abs(minutes) % 60)}`;
})();

function line(rest: Partial<LogEvent> = {}, language: "en" | "ru" = "en"): string {
  const event: LogEvent = {
    at,
    level: "info",
    namespace: "registers",
    context: {},
    message: "printed",
    fields: {},
    ...rest,
  };
  return formatLine(event, language);
}

test("a log line has its time, level, namespace, subject, message and fields", () => {
  const context = { kkm: "0001", job: 57, order: "A-1042" };
  expect(line({ context, fields: { document: 318, sum: 152_000, ms: 2345 } })).toBe(
    `2026-11-20 14:03:22.118${zone} INFO registers kkm=0001 job=57 order=A-1042 printed document=318 sum=1520.00 in 2.3s`,
  );
});

test("a log line leaves out fields without a value, and quotes values with blanks", () => {
  expect(line({ fields: { a: undefined, b: null, c: "two words", d: "", e: true, f: [1], g: 'say "x"' } })).toBe(
    `2026-11-20 14:03:22.118${zone} INFO registers printed c="two words" d="" e=true f=[1] g="say \\"x\\""`,
  );
});

test("a log event stays one line whatever is in it", () => {
  expect(line({ message: "a\nb\r\nc", fields: { x: "1\n2" } })).not.toContain("\n");
});

test("a fault in a log line is shown with its code, its message, what to do and its details", () => {
  const fault = new Fault("link.timeout", {
    message: "no answer in 5 s",
    place: "till-1",
    details: { command: "FF45", frames: ["> 05"], none: undefined },
  });
  const text = line({ level: "error", message: "not printed", fields: { fault } });
  expect(text).toBe(
    `2026-11-20 14:03:22.118${zone} ERROR registers not printed code=link.timeout "no answer in 5 s" place=till-1 ` +
      'hint="Check that the register is switched on and connected, and that port, speed and driver in the config are its own." ' +
      'details={"command":"FF45","frames":["> 05"]}',
  );
  expect(line({ level: "warn", fields: { fault } })).toMatch(/details=\{"command":"FF45"\}$/);
});

test("in a Russian log a fault's meaning and remedy are Russian, and the message and technical details are English", () => {
  const fault = new Fault("link.timeout", { message: "no answer in 5 s" });
  const text = line(
    { level: "warn", message: "disconnected", context: { register: "till-1" }, fields: { fault } },
    "ru",
  );
  expect(text).toBe(
    `2026-11-20 14:03:22.118${zone} WARN registers register=till-1 disconnected code=link.timeout ` +
      '"Касса не ответила вовремя. no answer in 5 s" hint="Проверьте, что касса включена и подключена, а порт, скорость и драйвер в настройках указаны верно."',
  );
  expect(line({ fields: { fault: new Fault("link.timeout") } }, "ru")).toContain(
    'code=link.timeout "Касса не ответила вовремя." hint=',
  );
  const said = new Fault("register.unknown-kkm", { message: { en: "no such kkm", ru: "такой кассы нет" } });
  expect(line({ fields: { fault: said } }, "ru")).toContain(" такой кассы нет");
});
