/** The lines and payments of the right receipt, as a person edits them, and the request made from all answers. */
import type { RepairForm, RepairLine, RepairPayment } from "../../repairs/repair-view.js";
import { Heads, Wide } from "../text.js";
import { words } from "../words.js";

type RepairCase = RepairForm["cases"][number];

/** The person's answers so far. The first lines are the receipt's lines, in the same order. */
export interface Said {
  readonly case: RepairCase | null;
  readonly date: string;
  /** The number of the tax office's order; empty: there is none. */
  readonly instruction: string;
  readonly reason: string;
  readonly missed: Readonly<Record<"register" | "site" | "order" | "sign" | "contact" | "internet", string>>;
  readonly lines: readonly RepairLine[];
  /** The codes of the rates (tag 1199) on the paper of the wrong receipt. */
  readonly onPaper: readonly (number | null)[];
  readonly payments: readonly RepairPayment[];
}

const emptyLine: RepairLine = { name: "", price: "", quantity: "1", vat: null };
const cashless: RepairPayment = { typeClose: 1, sum: "" };

export function saidOf({ cases, lines, onPaper, payments, registers }: RepairForm): Said {
  const [only, ...others] = registers;
  const register = others.length === 0 ? (only?.id ?? "") : "";
  return {
    case: cases.length === 1 || cases[0] === "missed" ? (cases[0] ?? null) : null,
    ...{ date: "", instruction: "", reason: "" },
    missed: { register, site: onlySite(registers, register), order: "", sign: "", contact: "", internet: "" },
    lines: lines.length === 0 ? [emptyLine] : lines,
    onPaper,
    payments: payments.length === 0 ? [cashless] : payments,
  };
}

/** Stands for a settlement without a site. No site's id begins with this. */
export const NO_SITE = "-";

/** Where a register has several sites the person chooses, because the site may offer the order later. */
export function onlySite(registers: RepairForm["registers"], register: string): string {
  const [only = NO_SITE, ...others] = registers.find(({ id }) => id === register)?.sites ?? [];
  return others.length === 0 ? only : "";
}

/** Only what the person has changed is sent. The daemon keeps the rest of the receipt, even what this form lacks. */
export function toRequest(said: Said, form: RepairForm, job: number | null): object {
  const edits = form.lines.flatMap((line, index) => {
    const now = said.lines[index] ?? line;
    const changed = Object.entries(now).filter(([key, value]) =>
      Object.entries(line).some(([k, v]) => k === key && v !== value),
    );
    return changed.length === 0 ? [] : [{ line: index + 1, ...Object.fromEntries(changed) }];
  });
  const isPaidOtherwise = JSON.stringify(said.payments) !== JSON.stringify(form.payments);
  const { register, order, ...others } = said.missed;
  const isTwice = said.case === "twice";
  const isOfNoSite = isTwice || others.site === NO_SITE;
  const rest = { ...others, ...(isOfNoSite ? { site: "" } : {}), ...(isTwice ? {} : { sign: "" }) };
  const missed = {
    register,
    order,
    ...Object.fromEntries(Object.entries(rest).filter(([, text]) => text.trim() !== "")),
  };
  const isKept = job !== null && (isTwice || said.case === "test");
  const isOnPaper = said.onPaper.some((vat, index) => vat !== form.onPaper[index]);
  return {
    case: said.case,
    ...(job === null ? { missed } : { job }),
    ...(said.date === "" ? {} : { date: said.date }),
    ...(said.case === "test" || said.instruction.trim() === "" ? {} : { instruction: said.instruction }),
    ...(isOnPaper ? { onPaper: said.onPaper } : {}),
    ...(isKept ? {} : { edits, added: said.lines.slice(form.lines.length) }),
    ...(isKept || !isPaidOtherwise ? {} : { payments: said.payments.map(paymentOf) }),
  };
}

/** True: the person names another rate on the paper than the known one. */
export function isOtherOnPaper({ onPaper }: Said, form: RepairForm): boolean {
  return form.onPaper.some((known, index) => known !== null && known !== onPaper[index]);
}

function paymentOf({ typeClose, sum }: RepairPayment): object {
  return sum === "" ? { typeClose } : { typeClose, sum };
}

export interface EditorProps {
  readonly said: Said;
  readonly form: RepairForm;
  change(part: Partial<Said>): void;
}

export function LinesEditor({ said, form, change }: EditorProps) {
  const { repair } = words;
  const set = (index: number, part: Partial<RepairLine>) =>
    change({ lines: said.lines.map((line, at) => (at === index ? { ...line, ...part } : line)) });
  const showsPaper = said.case === "wrong";
  const rate = showsPaper ? repair.rightRate : repair.rate;
  return (
    <fieldset>
      <legend>{said.case === "twice" ? repair.onReceipt : repair.right}</legend>
      <Wide>
        <table class="lines folds">
          <Heads
            names={[repair.name, repair.price, repair.quantity, ...(showsPaper ? [repair.rateOnPaper] : []), rate]}
          />
          <tbody>
            {said.lines.map((line, index) => (
              <tr key={String(index)}>
                {(["name", "price", "quantity"] as const).map((field) => (
                  <td key={field} data-name={repair[field]}>
                    <input
                      required
                      class={field}
                      aria-label={repair[field]}
                      value={line[field]}
                      onInput={(event) => set(index, { [field]: event.currentTarget.value })}
                    />
                  </td>
                ))}
                {showsPaper ? (
                  <td data-name={repair.rateOnPaper}>
                    {index < form.lines.length ? (
                      <Rate
                        {...{ form, label: repair.rateOnPaper, value: said.onPaper[index] ?? null }}
                        onChange={(vat) =>
                          change({ onPaper: said.onPaper.map((one, at) => (at === index ? vat : one)) })
                        }
                      />
                    ) : null}
                  </td>
                ) : null}
                <td data-name={rate}>
                  <Rate {...{ form, label: rate, value: line.vat }} onChange={(vat) => set(index, { vat })} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Wide>
      {form.lines.length === 0 ? null : <p class="names">{repair.leftOut}</p>}
      {said.lines.length === form.lines.length ? null : <p class="names">{repair.plainLine}</p>}
      <Payments {...{ said, form, change }} />
      <p class="pages">
        <button type="button" onClick={() => change({ lines: [...said.lines, emptyLine] })}>
          {repair.addLine}
        </button>
        <button type="button" onClick={() => change({ payments: [...said.payments, cashless] })}>
          {repair.addPayment}
        </button>
      </p>
    </fieldset>
  );
}

interface RateProps {
  readonly form: RepairForm;
  readonly label: string;
  readonly value: number | null;
  onChange(vat: number): void;
}

function Rate({ form, label, value, onChange }: RateProps) {
  return (
    <select
      required
      aria-label={label}
      value={value ?? ""}
      onChange={(event) => onChange(Number(event.currentTarget.value))}
    >
      <option value="" disabled />
      {form.rates.map(({ code, title }) => (
        <option key={code} value={code}>
          {title}
        </option>
      ))}
    </select>
  );
}

/** A single payment pays the total of the lines, so it has no sum. */
function Payments({ said, change }: EditorProps) {
  const { repair } = words;
  const isOnly = said.payments.length === 1;
  const set = (index: number, part: Partial<RepairPayment>) =>
    change({ payments: said.payments.map((one, at) => (at === index ? { ...one, ...part } : one)) });
  return (
    <>
      {said.payments.map(({ typeClose, sum }, index) => (
        <p key={String(index)}>
          <label>
            {repair.payment}
            <select
              value={typeClose}
              onChange={(event) =>
                set(index, { typeClose: Number(event.currentTarget.value), ...(isOnly ? { sum: "" } : {}) })
              }
            >
              {Object.entries(words.paymentTypes).map(([kind, title]) => (
                <option key={kind} value={kind}>
                  {title}
                </option>
              ))}
            </select>
          </label>
          {isOnly ? null : (
            <input
              aria-label={words.sum}
              required
              value={sum}
              onInput={(event) => set(index, { sum: event.currentTarget.value })}
            />
          )}
        </p>
      ))}
    </>
  );
}
