import { useState } from "preact/hooks";
import type { OrderPage, OrderRow } from "../../order-views.js";
import { useView } from "../api.js";
import { AsOf, Badges, Causes, Heads, jobKind, minuteOf, signedSum, Wide } from "../text.js";
import { words } from "../words.js";
import { RepairButton } from "./repair.js";

/** `changed` grows with each reading of the first view. */
export function Orders({ changed }: { readonly changed: number }) {
  const [typed, setTyped] = useState("");
  const [{ search, page }, setQuery] = useState({ search: "", page: 1 });
  const found = useView<OrderPage>(`/api/orders?${new URLSearchParams({ search, page: String(page) })}`, changed);
  return (
    <section aria-labelledby="orders">
      <h2 id="orders">{words.orders}</h2>
      <form
        class="search"
        onSubmit={(event) => {
          event.preventDefault();
          setQuery({ search: typed.trim(), page: 1 });
        }}
      >
        <label>
          {words.searchLabel}
          <input type="search" maxLength={128} value={typed} onInput={(event) => setTyped(event.currentTarget.value)} />
        </label>
        <button type="submit">{words.find}</button>
      </form>
      {found === null ? (
        <p>{words.connection.loading}</p>
      ) : (
        <>
          <div class="beside">
            <AsOf at={found.at} />
            <RepairButton {...{ job: null, name: words.repair.openUnknown }} />
          </div>
          {found.orders.length > 0 ? (
            <Table orders={found.orders} />
          ) : (
            <p>{search === "" ? words.noReceipts : words.nothingFound}</p>
          )}
          {found.why.length === 0 ? null : <p>{words.mayBeWhy}</p>}
          <Causes {...{ why: found.why, next: null }} />
        </>
      )}
      <p class="pages">
        {page > 1 ? (
          <button type="button" onClick={() => setQuery({ search, page: page - 1 })}>
            {words.newer}
          </button>
        ) : null}
        {found?.hasMore === true ? (
          <button type="button" onClick={() => setQuery({ search, page: page + 1 })}>
            {words.older}
          </button>
        ) : null}
      </p>
    </section>
  );
}

function Table({ orders }: { readonly orders: readonly OrderRow[] }) {
  return (
    <Wide>
      <table class="orders">
        <Heads
          names={[words.time, words.order, words.state, words.sum, words.register, words.document]}
          numbers={[words.sum, words.document]}
        />
        <tbody>
          {orders.map((row) => (
            <tr key={row.job}>
              <td>{minuteOf(row.at)}</td>
              <td>
                <a href={`#order/${row.job}`}>{row.order === "" ? jobKind(row.what, words) : row.order}</a>
                {row.order === "" || row.what === "sale" ? null : <div class="detail">{jobKind(row.what, words)}</div>}
                {row.site === null ? null : <div class="detail">{row.site}</div>}
              </td>
              <td>
                <Badges row={row} />
              </td>
              <td class="number">{signedSum(row)}</td>
              <td>{row.register}</td>
              <td class="number">{row.fd}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Wide>
  );
}
