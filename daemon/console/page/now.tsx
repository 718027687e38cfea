import type { ComponentChildren } from "preact";
import type { TodayView } from "../day/today-view.js";
import type { NowView, RegisterCard, SiteCard, Tone } from "../now-view.js";
import type { OrderPage } from "../order-views.js";
import { useSlower, useView } from "./api.js";
import { Card, CardCauses, RegisterTile, SiteTile, shapes } from "./cards.js";
import { Troubles } from "./light.js";
import { Ago, Badges, momentOf, money, signedSum } from "./text.js";
import { language, words } from "./words.js";

/** A thousand receipts change the day's sums a thousand times, so the sums are read at most this often. */
const SUMS_MS = 3_000;
const LAST_RECEIPTS = 5;

export function Now({ now, changed }: { readonly now: NowView; readonly changed: number }) {
  const isIll = ({ tone }: { readonly tone: Tone }) => tone === "red" || tone === "yellow";
  const { at, registers, sites } = now;
  const ill = { registers: registers.filter(isIll), sites: sites.filter(isIll) };
  const isWell = (card: { readonly tone: Tone }) => !isIll(card);
  const well = { registers: registers.filter(isWell), sites: sites.filter(isWell) };
  const saidOf = ({ state, troubles }: RegisterCard) => JSON.stringify([state, troubles.map(({ text }) => text)]);
  const rowOf = (card: RegisterCard, state: string) => (
    <Row key={card.id} {...{ card, title: card.title, state }} says={inShort(card)}>
      <RegisterTile {...{ card, at }} />
    </Row>
  );
  return (
    <>
      <Troubles now={now} />
      {ill.registers.length + ill.sites.length === 0 ? null : (
        <section aria-labelledby="ill">
          <h2 id="ill">{words.needPerson}</h2>
          <div class="cards">
            {ill.registers.map((card) => {
              const alike = ill.registers.filter((one) => saidOf(one) === saidOf(card));
              if (alike[0] !== card) return null;
              if (alike.length === 1) return <RegisterTile key={card.id} {...{ card, at }} />;
              const [title, state] = [alike.map((one) => one.title).join(", "), card.state[language]];
              return (
                <Card key={card.id} {...{ tone: card.tone, title, state }}>
                  <CardCauses {...{ troubles: card.troubles, at }} />
                  <div class="rows">{alike.map((one) => rowOf(one, ""))}</div>
                </Card>
              );
            })}
            {ill.sites.map((card) => (
              <SiteTile key={card.id} {...{ card, at }} />
            ))}
          </div>
        </section>
      )}
      <Today changed={changed} />
      <Rows {...{ id: "registers", title: words.registers }}>
        {well.registers.map((one) => rowOf(one, one.state[language]))}
      </Rows>
      <Rows {...{ id: "sites", title: words.sites }}>
        {well.sites.map((card) => (
          <Row
            key={card.id}
            {...{ card, title: card.id, state: words.siteStates[card.tone] }}
            says={<LastOrder {...{ card, at }} />}
          >
            <SiteTile {...{ card, at }} />
          </Row>
        ))}
      </Rows>
    </>
  );
}

function inShort({ figures, waiting, printing }: RegisterCard): string {
  return [
    printing === null ? "" : `${words.inHand}: ${printing}`,
    waiting === 0 ? "" : `${words.queue}: ${waiting}`,
    figures === null ? "" : `${words.shift} ${words.shiftStates[figures.shift.state]}`,
  ]
    .filter(Boolean)
    .join(" · ");
}

function LastOrder({ card, at }: { readonly card: SiteCard; readonly at: string }) {
  return (
    <>
      {words.lastOrder}: {card.orderAt === null ? words.never : <Ago {...{ since: card.orderAt, now: at }} />}
    </>
  );
}

interface RowsProps {
  readonly id: string;
  readonly title: string;
  readonly children: readonly ComponentChildren[];
}

function Rows({ id, title, children }: RowsProps) {
  if (children.length === 0) return null;
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <div class="rows">{children}</div>
    </section>
  );
}

interface RowProps {
  readonly card: { readonly tone: Tone };
  readonly title: string;
  readonly state: string;
  readonly says: ComponentChildren;
  readonly children: ComponentChildren;
}

function Row({ card: { tone }, title, state, says, children }: RowProps) {
  return (
    <details class={`row ${tone}`}>
      <summary>
        <strong>
          <span class="state" aria-hidden="true">
            {shapes[tone]}
          </span>{" "}
          {title}
        </strong>
        <span class="state">{state}</span>
        <span class="detail">{says}</span>
      </summary>
      {children}
    </details>
  );
}

function Today({ changed }: { readonly changed: number }) {
  const day = useView<TodayView>("/api/today", useSlower(changed, SUMS_MS));
  const found = useView<OrderPage>("/api/orders?page=1", changed);
  const receipts = found?.orders.filter(({ order }) => order !== "").slice(0, LAST_RECEIPTS) ?? [];
  return (
    <section class="today" aria-labelledby="today">
      <h2 id="today">{words.today}</h2>
      <div class="panel">
        <dl class="sums">
          <Sum name={words.sold} value={day === null ? null : money(day.sales.sum)}>
            {day === null ? null : words.receiptsCounted({ count: day.sales.count })}
          </Sum>
          {day === null || day.returns.count === 0 ? null : (
            <Sum name={words.givenBack} value={money(day.returns.sum)}>
              {words.receiptsCounted({ count: day.returns.count })}
            </Sum>
          )}
          <Sum name={words.nextClosing} value={day === null ? null : closingOf(day)}>
            {day?.nextClosing?.register}
          </Sum>
        </dl>
        <div class="last">
          <h3>{words.lastReceipts}</h3>
          {found !== null && receipts.length === 0 ? <p class="names">{words.noReceipts}</p> : null}
          <ul>
            {receipts.map((row) => (
              <li key={row.job}>
                <span>
                  <a href={`#order/${row.job}`}>{row.order}</a> <span class="detail">{row.site}</span>
                  <Badges row={row} />
                </span>
                <span class="number">
                  {signedSum(row)}{" "}
                  <time class="detail" dateTime={row.at}>
                    {momentOf(row.at)}
                  </time>
                </span>
              </li>
            ))}
          </ul>
        </div>
      </div>
    </section>
  );
}

function closingOf({ nextClosing, isShiftOpen }: TodayView): string {
  if (nextClosing !== null) return momentOf(nextClosing.at);
  return isShiftOpen ? words.closingUnknown : words.noOpenShift;
}

interface SumProps {
  readonly name: string;
  readonly value: string | null;
  readonly children: ComponentChildren;
}

function Sum({ name, value, children }: SumProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <strong>{value ?? "…"}</strong>
        <span class="detail">{children}</span>
      </dd>
    </div>
  );
}
