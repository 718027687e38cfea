import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { DayView, NamedReceipt, Reconciliation } from "../day/day-view.js";
import { useSlower, useView } from "./api.js";
import { TickedOrders } from "./decisions/ticked.js";
import { AsOf, Heads, momentOf, money, paidOnDay, Wide } from "./text.js";
import { language, words } from "./words.js";

const REFRESH_MS = 15_000;

export function Day({ changed }: { readonly changed: number }) {
  // Null: today by the registers' clocks, so that a page that stays open over midnight shows the new day.
  const [chosen, setChosen] = useState<string | null>(null);
  const wanted = chosen === null ? "" : `day=${chosen}`;
  const view = useView<DayView>(`/api/day?${wanted}`, useSlower(changed, REFRESH_MS));
  const day = chosen ?? view?.day ?? "";
  return (
    <section aria-labelledby="day">
      <h2 id="day">{words.day}</h2>
      <div class="search">
        <label>
          {words.dayLabel}
          <input
            type="date"
            required
            value={day}
            onChange={({ currentTarget: { value } }) => value && setChosen(value)}
          />
        </label>
        <a class="button" href={`/api/day.csv?${wanted}&lang=${language}`} download>
          {words.downloadCsv}
        </a>
      </div>
      {view === null || view.day !== day ? <p>{words.connection.loading}</p> : <Sums view={view} />}
    </section>
  );
}

function Sums({ view }: { readonly view: DayView }) {
  const { at, receipts, sales, returns, payments, shifts, reconciliation, hours, months } = view;
  return (
    <>
      <AsOf at={at} />
      <Table name="totals" heads={["", words.sales, words.returns]}>
        {[
          [words.count, String(sales.count), String(returns.count)],
          [words.sum, money(sales.sum), money(returns.sum)],
          ...payments.map(({ type, sales, returns }) => [
            words.paymentTypes[type] ?? words.otherPayment({ type }),
            money(sales),
            money(returns),
          ]),
        ].map(([name, sold, given]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td class="number">{sold}</td>
            <td class="number">{given}</td>
          </tr>
        ))}
      </Table>
      <Shifts shifts={shifts} />
      <Reconciled reconciliation={reconciliation} />
      {receipts === 0 ? null : <Hours hours={hours} />}
      {months.map((month) => (
        <p key={month.register} class="names">
          {words.repair.month(month)}
        </p>
      ))}
    </>
  );
}

function Shifts({ shifts }: Pick<DayView, "shifts">) {
  if (shifts.length === 0) return null;
  const heads = [words.register, words.shift, words.ourSales, words.ourReturns, words.ourCash, words.inDrawer];
  return (
    <section aria-labelledby="shifts">
      <h3 id="shifts">{words.shifts}</h3>
      <Table name="folds" heads={[...heads, words.counted]}>
        {shifts.map((shift) => (
          <tr key={`${shift.register} ${shift.shift}`}>
            {cellsOf(shift).map((cell, index) => (
              <td key={heads[index]} data-name={heads[index]} class={index === 0 ? "" : "number"}>
                {cell}
              </td>
            ))}
            <td data-name={words.counted} class={`number state ${shift.differs ? "red" : ""}`}>
              {countedOf(shift)}
            </td>
          </tr>
        ))}
      </Table>
      <p class="names">
        {words.whereReport} <a href="#help/drawer">{words.help.answers.drawer.question}</a>
      </p>
      {shifts.some(({ differs }) => differs) ? <p>{words.whyDiffers}</p> : null}
    </section>
  );
}

function cellsOf({ register, shift, closedAt, report, ours, drawer }: DayView["shifts"][number]) {
  const closed = closedAt === null ? "" : words.closedAt({ at: momentOf(closedAt) });
  return [
    `${register}, № ${shift}`,
    closed === "" ? words.shiftStates.open : <a href={`#order/${report}`}>{closed}</a>,
    ...[ours.sales, ours.returns, ours.cash].map(money),
    drawer === null ? words.noCounters : money(drawer),
  ];
}

function countedOf({ closedAt, counted, differs }: DayView["shifts"][number]): string {
  if (counted === null) return closedAt === null ? words.countedAtClosing : words.noCounters;
  if (!differs) return words.countedSame;
  return words.countedOther({ sales: money(counted.sales), returns: money(counted.returns) });
}

function tickedOf(receipts: Reconciliation["missing"]) {
  return receipts.map(({ job, order, what, total, mayDecide, register, site, paidOn, why }) => {
    const about = [money(total), register, site ?? "", paidOnDay(paidOn), why?.[language] ?? ""];
    return { job, order, what, paidOn, about, mayTick: mayDecide };
  });
}

function Reconciled({ reconciliation }: { readonly reconciliation: Reconciliation }) {
  const { isSound, orders, documents, results, missing, unread, undelivered, doubled, unowned } = reconciliation;
  return (
    <section aria-labelledby="reconciliation">
      <h3 id="reconciliation">{words.reconciliation}</h3>
      <p>
        {words.reconciled({ orders, documents, results })} {isSound ? words.nothingMissing : null}
      </p>
      {missing.length === 0 ? null : (
        <>
          <h4>{words.missing}</h4>
          <TickedOrders {...{ orders: tickedOf(missing), offers: ["as-correction", "print"] }} />
        </>
      )}
      <Listed title={words.unreadOrders}>
        {unread.map(({ site, order }) => [order, site].filter(Boolean).join(" · "))}
      </Listed>
      <Listed title={words.doubled}>{doubled.map(namedReceipt)}</Listed>
      <Listed title={words.unreported}>{undelivered.map(namedReceipt)}</Listed>
      <Listed title={words.unowned}>
        {unowned.map(({ register, fd, total }) =>
          [register, `${words.document} ${fd}`, total === null ? "" : money(total)].filter(Boolean).join(" · "),
        )}
      </Listed>
    </section>
  );
}

/** Shows nothing of an empty list. */
function Listed({ title, children }: { readonly title: string; readonly children: readonly ComponentChildren[] }) {
  return children.length === 0 ? null : (
    <>
      <h4>{title}</h4>
      <ul>
        {children.map((child, index) => (
          <li key={String(index)}>{child}</li>
        ))}
      </ul>
    </>
  );
}

function namedReceipt({ job, order, total, fds }: NamedReceipt) {
  return (
    <>
      <a href={`#order/${job}`}>{order}</a> · {money(total)}
      {fds.length === 0 ? null : ` · ${words.document} ${fds.join(", ")}`}
    </>
  );
}

function Hours({ hours }: { readonly hours: readonly number[] }) {
  const most = Math.max(1, ...hours);
  return (
    <figure class="hours">
      <figcaption>{words.perHour({ most })}</figcaption>
      <svg viewBox="0 0 240 62" role="img" aria-label={hours.map((count, hour) => `${hour}: ${count}`).join(", ")}>
        {hours.map((count, hour) => (
          <rect key={hour} x={hour * 10 + 1} y={50 - (48 * count) / most} width="8" height={(48 * count) / most} />
        ))}
        {[0, 6, 12, 18].map((hour) => (
          <text key={hour} x={hour * 10 + 1} y="60">
            {hour}
          </text>
        ))}
      </svg>
    </figure>
  );
}

interface TableProps {
  readonly heads: readonly string[];
  readonly name: string;
  readonly children: ComponentChildren;
}

function Table({ heads, name, children }: TableProps) {
  return (
    <Wide>
      <table class={name}>
        <Heads names={heads} numbers={heads.slice(1)} />
        <tbody>{children}</tbody>
      </table>
    </Wide>
  );
}
