import type { RegisterAfterLoss } from "../../troubles/decisions.js";
import { type Step, Steps } from "../confirm.js";
import { minuteOf, money } from "../text.js";
import { words } from "../words.js";

export function AfterLoss({ registers }: { readonly registers: readonly RegisterAfterLoss[] }) {
  if (registers.length === 0) return null;
  return (
    <section aria-labelledby="after-loss">
      <h3 id="after-loss">{words.sinceLoss}</h3>
      <p>{words.sinceLossNext}</p>
      {registers.map((register) => (
        <div key={register.register} class="card red">
          <h4>{register.title}</h4>
          <div class="beside">
            <Orders orders={register.orders} />
            <Documents documents={register.documents} />
          </div>
          <Steps steps={[accept(register)]} />
        </div>
      ))}
    </section>
  );
}

function Orders({ orders }: Pick<RegisterAfterLoss, "orders">) {
  return (
    <table class="folds">
      <caption>{words.ordersOfLoss}</caption>
      <tbody>
        {orders.map(({ job, order, operation, total, items }) => (
          <tr key={job}>
            <td>{items.join(", ")}</td>
            <td>
              <a href={`#order/${job}`}>{order}</a>
            </td>
            <td class="number">{total === null ? "" : money(total)}</td>
            <td>{operation === null ? "" : words.jobKinds[operation]}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Documents({ documents }: Pick<RegisterAfterLoss, "documents">) {
  return (
    <table class="folds">
      <caption>{words.documentsOfLoss}</caption>
      <tbody>
        {documents.map(({ fd, at, operation, total, items }, index) => (
          <tr key={`${fd} ${index}`}>
            <td class="number">
              {words.document} {fd}
            </td>
            <td>{at === null ? words.unreadDocument : minuteOf(at)}</td>
            <td class="number">{total === null ? "" : money(total)}</td>
            <td>{operation === null ? "" : words.jobKinds[operation]}</td>
            <td>{items.join(", ")}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Only the orders that the person sees are sent: an order that came later stays as it is. */
function accept({ register, title, orders }: RegisterAfterLoss): Step {
  const question = words.askAcceptLoss({ register: title, count: orders.length });
  const path = `/api/registers/${register}/accept-identity`;
  return { name: words.acceptLoss, question, path, body: () => ({ orders: orders.map(({ job }) => job) }) };
}
